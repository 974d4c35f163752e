"""The panel in every state that a notebook can be in."""

import pytest
from playwright.sync_api import expect

from jupyter_mlprof.model.profile import MIME_TYPE, Verdict
from jupyter_mlprof.notebook_file import write
from tests import samples
from tests.browser import notebooks
from tests.browser.notebooks import LOAD, QUICK, SLOW, TRAINED, TRAINING, bundle
from tests.browser.page import (
    APPLIED,
    Suggestion,
    open_declining_a_kernel,
    open_notebook,
    open_without_kernel,
)
from tests.browser.panel import Panel, wait_for_cursor
from tests.browser.payloads import MARKUP, hostile

pytestmark = pytest.mark.slow

NOTHING_YET = "No profile yet: put %%mlprof on a cell and run it."
NO_NOTEBOOK = "Open a notebook: its profiles are shown here."
DUPLICATE = ".jp-cell-toolbar [data-command='notebook:duplicate-below']"
# Lines of the slow cell.
SLEEPS, LOOPS = 6, 9


def open_from_list(page, path):
    """Open a notebook from JupyterLab's list of files, and decline a kernel."""
    page.locator(".jp-DirListing-item", has_text=path.name).dblclick()
    page.locator(".jp-Dialog").get_by_role("button", name="No Kernel").click()
    expect(page.locator(".jp-Dialog")).to_have_count(0)


def stored(lab, name, verdict, cell=0, cells=1):
    """Write a notebook, one of whose cells holds a profile of this verdict."""
    run_id = name.encode().hex().ljust(32, "0")
    profile = samples.profile(id=run_id, verdict=Verdict("rule", verdict))
    notebook = notebooks.of_cells(*["pass"] * cells, kernel="gone")
    notebook.cells[cell] = notebooks.showing(bundle(profile)).cells[0]
    path = lab.root / f"{name}.ipynb"
    write(notebook, path)
    lab.trust(path)
    return path


def test_each_empty_state_is_a_sentence(page, lab):
    path = lab.root / "nothing-yet.ipynb"
    write(notebooks.of_cells("pass", kernel="gone"), path)
    second = stored(lab, "something", "Something was seen.")
    notebook = open_declining_a_kernel(page, lab, path)
    panel = Panel(page)
    panel.open()
    expect(panel.sentence).to_have_text(NOTHING_YET)
    assert panel.sections == []
    notebook.save()
    notebook.command("Close Tab")
    expect(panel.sentence).to_have_text(NO_NOTEBOOK)
    expect(panel.choice).to_have_count(0)
    open_from_list(page, second)
    expect(panel.verdict).to_have_text("Something was seen.")
    expect(panel.sentence).to_have_count(0)


def test_what_other_versions_and_strangers_wrote_is_shown_or_refused(page, lab):
    newer_minor = {"shape_of_things": {"to": ["come"]}, "memory": None, "mlprof_version": "0.99.0"}
    profile = samples.profile(id="9" * 32, verdict=Verdict("new/rule", "Seen by a newer version."))
    payloads = {**hostile(), "newer minor": bundle(profile, **newer_minor)[MIME_TYPE]}
    path = lab.root / "panel-strangers.ipynb"
    write(notebooks.showing(*({MIME_TYPE: one} for one in payloads.values())), path)
    lab.trust(path)
    notebook = open_without_kernel(page, lab, path)
    panel = Panel(page)
    panel.open()

    def show(name):
        notebook.edit(list(payloads).index(name))

    show("newer minor")
    expect(panel.verdict).to_have_text("Seen by a newer version.")
    for name in panel.sections:
        panel.section(name).open()
    expect(panel.section("memory").body).to_have_text("Memory was not measured.")
    show("newer")
    expect(panel.sentence).to_contain_text("written by a newer jupyter_mlprof (schema 2)")
    show("no object")
    expect(panel.sentence).to_contain_text("not a profile that jupyter_mlprof can read")
    show("wrong types")
    expect(panel.verdict).to_have_text("The profile holds no verdict.")
    show("wrong items")
    expect(panel.verdict).to_contain_text("waited for the DataLoader")
    show("markup")
    expect(panel.verdict).to_contain_text(MARKUP)
    panel.section("functions").body.get_by_text("Flame").click()
    for chart in panel.root.locator("[data-chart]").all():
        expect(chart).to_have_attribute("aria-busy", "false")
        chart.hover()
    expect(panel.root).not_to_contain_text("could not be drawn")
    expect(panel.root.locator("img, script, iframe, [onerror]")).to_have_count(0)
    assert page.evaluate("window.hacked") is None


@pytest.mark.torch
def test_an_untrusted_profile_asks_before_it_changes_the_cell(page, lab, profiled):
    path = notebooks.without_kernel(profiled, lab.root / "panel-untrusted.ipynb")
    notebook = open_without_kernel(page, lab, path)
    panel = Panel(page)
    panel.open()
    expect(panel.verdict).to_contain_text("waited for the DataLoader")
    suggestion = Suggestion(panel.root)
    suggestion.button.click()
    expect(notebook.dialog).to_contain_text("Change the cell?")
    notebook.dialog.get_by_role("button", name="Cancel").click()
    expect(notebook.dialog).to_have_count(0)
    assert notebook.source(TRAINED) == TRAINING
    suggestion.button.click()
    notebook.dialog.get_by_role("button", name="Apply").click()
    expect(suggestion.status).to_have_text(APPLIED)
    assert "num_workers=" in notebook.source(TRAINED)
    expect(panel.section("lines").body).to_contain_text("The cell has changed since this run")


def test_two_notebooks_beside_each_other(page, lab):
    page.set_viewport_size({"width": 1700, "height": 1000})
    first = stored(lab, "left", "Left was slow.", cells=2)
    second = stored(lab, "right", "Right was slow.", cell=1, cells=2)
    open_without_kernel(page, lab, first)
    panel = Panel(page)
    panel.open()
    expect(panel.verdict).to_have_text("Left was slow.")
    open_from_list(page, second)
    expect(panel.verdict).to_have_text("Right was slow.")
    tab = page.get_by_role("tab", name="right.ipynb")
    place = page.locator(".jp-NotebookPanel:visible").bounding_box()
    assert place
    tab.hover()
    page.mouse.down()
    x, y = place["x"] + 0.95 * place["width"], place["y"] + place["height"] / 2
    page.mouse.move(x, y, steps=10)
    page.mouse.up()
    expect(page.locator(".jp-NotebookPanel:visible")).to_have_count(2)
    left, right = page.locator(".jp-NotebookPanel:visible").all()
    for one, verdict, cell in ((left, "Left", 0), (right, "Right", 1), (left, "Left", 0)):
        one.locator(".cm-content").nth(cell).click()
        expect(panel.verdict).to_have_text(f"{verdict} was slow.")
        assert len(panel.runs) == 1
        page.keyboard.press("Escape")
        panel.line_row(1).click()
        wait_for_cursor(page, cell, 1)
        expect(one.locator(":focus")).to_have_count(1)

    # On the other side, too, and back.
    panel.switch_side()
    assert left_edge(panel.root) < left_edge(left)
    expect(panel.verdict).to_have_text("Left was slow.")
    right.locator(".cm-content").nth(1).click()
    expect(panel.verdict).to_have_text("Right was slow.")
    panel.chart("timeline").wait()
    panel.switch_side()
    expect(panel.verdict).to_have_text("Right was slow.")
    panel.chart("timeline").wait()


def left_edge(element):
    box = element.bounding_box()
    assert box
    return box["x"]


def test_a_profile_stays_with_its_cell_whatever_becomes_of_it(page, lab):
    path = lab.root / "cells.ipynb"
    write(notebooks.of_cells(LOAD, QUICK, SLOW), path)
    notebook = open_notebook(page, lab, path)
    panel = Panel(page)
    panel.open()
    for cell in range(3):
        notebook.run(cell)
    verdict = notebook.cell(2).locator(".jp-MlprofCard-verdict").inner_text()
    expect(panel.verdict).to_have_text(verdict)

    move_and_duplicate(page, notebook, panel, verdict)

    # Cleared: the server still has it.
    notebook.command("Clear Cell Output")
    expect(notebook.cell(1).locator(".jp-MlprofCard")).to_have_count(0)
    expect(panel.verdict).to_have_text(verdict)
    assert len(panel.runs) == 2

    # Renamed, and run anew.
    page.get_by_role("tab", name="cells.ipynb").click(button="right")
    page.get_by_role("menuitem", name="Rename Notebook…").click()
    notebook.dialog.locator("input").fill("cells-renamed.ipynb")
    notebook.dialog.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("tab", name="cells-renamed.ipynb")).to_be_visible()
    notebook.run(1)
    expect(panel.choice.locator("option")).to_have_count(3)
    expect(panel.choice.locator("option").first).to_contain_text("In [4]")
    expect(panel.head).to_contain_text("1 of 3")

    split(page, notebook, panel)

    # Deleted: of a cell that is gone nothing is told.
    notebook.edit(2)
    notebook.command("Delete Cell")
    notebook.edit(1)
    notebook.command("Delete Cell")
    expect(panel.choice.locator("option")).to_have_count(1)
    expect(panel.choice.locator("option")).to_contain_text("quickly")


def move_and_duplicate(page, notebook, panel, verdict):
    # Moved: lines are found where the cell is now.
    notebook.edit(2)
    notebook.command("Move Cell Up")
    expect(notebook.cell(1)).to_contain_text("wait(0.4)")
    expect(panel.verdict).to_have_text(verdict)
    panel.line_row(SLEEPS).click()
    wait_for_cursor(page, 1, SLEEPS)

    # Duplicated: the same run is listed once, and is that of both.
    notebook.cell(1).locator(DUPLICATE).click()
    expect(notebook.cell(2)).to_contain_text("wait(0.4)")
    assert len(panel.runs) == 2
    for cell in (2, 1):
        notebook.edit(cell)
        expect(panel.verdict).to_have_text(verdict)
        expect(panel.head).not_to_contain_text("The active cell has no profile")
    notebook.edit(2)
    notebook.command("Delete Cell")
    expect(notebook.cell(2)).to_contain_text("quickly")
    notebook.edit(1)
    expect(panel.verdict).to_have_text(verdict)


def split(page, notebook, panel):
    """Split the cell: told as it ran, and the line is found in what is left of the cell."""
    ran = notebook.cell(1).locator(".jp-MlprofCard-verdict").inner_text()
    panel.line_row(LOOPS).click()
    wait_for_cursor(page, 1, LOOPS)
    page.keyboard.press("Home")
    notebook.command("Split Cell")
    expect(notebook.cell(2)).to_contain_text("wait(0.4)")
    expect(notebook.cell(1)).not_to_contain_text("wait(0.4)")
    notebook.edit(2)
    expect(panel.root).to_contain_text("The cell has changed since this run: shown as it ran.")
    expect(panel.verdict).to_have_text(ran)
    panel.line_row(LOOPS).click()
    wait_for_cursor(page, 2, 1)
