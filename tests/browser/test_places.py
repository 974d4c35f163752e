"""The panel where it is not at home: other applications, other addresses, other servers."""

import re

import pytest
from playwright.sync_api import expect

from jupyter_mlprof.notebook_file import write
from tests.browser import notebooks
from tests.browser.lab import ALONE, running_lab
from tests.browser.notebooks import GROWING, LOAD, TRAINED, TRAINING
from tests.browser.page import APPLIED, Suggestion, open_in_notebook_7, open_notebook
from tests.browser.panel import Panel
from tests.browser.sockets import LiveSockets

pytestmark = pytest.mark.slow

GROWS = 1
# Of the extensions that are found, the one of ours is left out.
WITHOUT_OURS = "--ServerApp.jpserver_extensions=jupyter_mlprof.server=False"
TOGETHER = "--YDocExtension.disable_rtc=False"


def written(lab):
    path = lab.root / "places.ipynb"
    write(notebooks.of_cells(LOAD, GROWING), path)
    return path


def run_and_watch(notebook):
    """Run the cell: the panel tells it while it runs, and then its profile."""
    panel = Panel(notebook.page)
    panel.open()
    notebook.run(0)
    notebook.start(GROWS)
    expect(panel.so_far).to_contain_text("line 7")
    expect(panel.live).to_have_count(0)
    expect_the_cards_verdict(panel, notebook)
    return panel


def expect_the_cards_verdict(panel, notebook):
    card = notebook.cell(GROWS).locator(".jp-MlprofCard-verdict")
    expect(card).to_be_visible()
    expect(panel.verdict).to_have_text(card.inner_text())


def test_notebook_7_shows_a_run_while_it_happens_and_after(page, lab, screenshots):
    notebook = open_in_notebook_7(page, lab, written(lab))
    run_and_watch(notebook)
    page.screenshot(path=screenshots / "notebook-7.png")


def test_a_server_at_another_address(page, tmp_path):
    with running_lab(tmp_path, base_url="/user/someone/") as lab:
        sockets = LiveSockets(page)
        panel = run_and_watch(open_notebook(page, lab, written(lab)))
        (address,) = sockets.open
        assert "/user/someone/jupyter-mlprof/live/" in address
        assert panel.curve_end() > 3


def test_a_server_without_our_extension(page, tmp_path):
    with running_lab(tmp_path, ALONE, WITHOUT_OURS) as lab:
        sockets = LiveSockets(page)
        notebook = open_notebook(page, lab, written(lab))
        panel = Panel(page)
        panel.open()
        notebook.run(0)
        notebook.start(GROWS)
        expect(panel.note).to_have_text(re.compile("^Live view is not available here: .* without"))
        expect_the_cards_verdict(panel, notebook)
        expect(panel.note).to_have_count(0)
        # It is not asked again and again.
        assert sockets.ever == 1


@pytest.mark.torch
def test_a_notebook_that_is_shared(page, tmp_path):
    with running_lab(tmp_path, TOGETHER) as lab:
        path = lab.root / "shared.ipynb"
        write(notebooks.training(), path)
        notebook = open_notebook(page, lab, path)
        panel = Panel(page)
        panel.open()
        notebook.run(0)
        notebook.run(TRAINED)
        expect(panel.verdict).to_contain_text("waited for the DataLoader")
        suggestion = Suggestion(panel.root)
        suggestion.button.click()
        expect(suggestion.status).to_have_text(APPLIED)
        assert "shuffle=True, num_workers=" in notebook.source(TRAINED)
        notebook.edit(TRAINED)
        page.keyboard.press("Control+z")
        notebook.wait_for_source(TRAINED, TRAINING)
        # The profile went through the shared document, not only through this page.
        page.reload()
        notebook.wait_for_source(TRAINED, TRAINING)
        expect(notebook.cards.locator(".jp-MlprofCard-verdict")).to_contain_text("DataLoader")
