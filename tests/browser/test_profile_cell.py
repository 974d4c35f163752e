"""The command "Profile this cell" from wherever it can be given."""

import json
import re
import sys

import pytest
from nbformat.v4 import new_markdown_cell
from playwright.sync_api import expect

from jupyter_mlprof.notebook_file import write
from tests.browser import notebooks
from tests.browser.page import open_declining_a_kernel, open_notebook
from tests.browser.panel import Panel

pytestmark = pytest.mark.slow

COMMAND = "Profile this cell"
BUTTON = ".jp-cell-toolbar [data-command='jupyter-mlprof:profile-cell']"
INSTALL = re.compile(r"%pip install jupyter[-_]mlprof")
PLAIN = "total = sum(range(3_000_000))"
MARKED = f"%%mlprof\n{PLAIN}"
# A kernel of an environment in which our package is not installed.
BARE = """import sys
sys.modules['jupyter_mlprof'] = None
from ipykernel.kernelapp import launch_new_instance
launch_new_instance()"""


def test_a_cell_is_marked_run_and_shown_from_everywhere(page, lab):
    path = lab.root / "profile-cell.ipynb"
    unmarked = notebooks.of_cells(PLAIN, PLAIN, PLAIN)
    unmarked.cells.append(new_markdown_cell("# Words"))
    write(unmarked, path)
    notebook = open_notebook(page, lab, path)
    panel = Panel(page)
    verdict = [notebook.cell(place).locator(".jp-MlprofCard-verdict") for place in range(3)]

    notebook.edit(0)
    notebook.command(COMMAND)
    expect(panel.verdict).to_have_text(re.compile("."))
    expect(verdict[0]).to_have_text(panel.verdict.inner_text())
    assert notebook.source(0) == MARKED
    notebook.edit(0)
    page.keyboard.press("Control+z")
    notebook.wait_for_source(0, PLAIN)

    panel.close()
    notebook.edit(1)
    button = notebook.cell(1).locator(BUTTON)
    expect(button).to_have_attribute("title", re.compile("^Put %%mlprof on this cell and run it"))
    button.click()
    expect(verdict[1]).to_be_visible()
    expect(panel.verdict).to_have_text(verdict[1].inner_text())
    assert notebook.source(1) == MARKED

    # A cell that has the magic gets no second one.
    for count in (3, 4):
        notebook.cell(2).locator(".cm-content").click(button="right")
        page.get_by_role("menuitem", name=COMMAND).click()
        expect(notebook.cell(2).locator(".jp-InputPrompt")).to_have_text(f"[{count}]:")
        expect(verdict[2]).to_be_visible()
        assert notebook.source(2) == MARKED

    # Words cannot be profiled; the button is on the active cell only.
    notebook.cell(3).click()
    expect(page.locator(BUTTON)).to_be_hidden()
    expect(notebook.found_command(COMMAND)).to_have_class(re.compile("lm-mod-disabled"))
    page.keyboard.press("Escape")
    notebook.cell(3).click(button="right")
    expect(page.locator(".lm-Menu")).to_be_visible()
    expect(page.get_by_role("menuitem", name=COMMAND)).to_have_count(0)


def test_a_kernel_without_our_package_is_told_how_to_get_it(page, lab):
    add_bare_kernel(lab)
    path = lab.root / "bare.ipynb"
    write(notebooks.of_cells(PLAIN, kernel="bare"), path)
    notebook = open_notebook(page, lab, path)
    notebook.edit(0)
    notebook.command(COMMAND)
    expect(notebook.dialog).to_contain_text(INSTALL)
    notebook.dialog.get_by_role("button", name="Close").click()
    expect(notebook.dialog).to_have_count(0)
    assert notebook.source(0) == PLAIN
    assert notebook.prompt(0).inner_text() == "[ ]:"


def test_a_notebook_without_a_kernel_is_told_to_choose_one(page, lab):
    path = lab.root / "no-kernel.ipynb"
    write(notebooks.of_cells(PLAIN, kernel="gone"), path)
    notebook = open_declining_a_kernel(page, lab, path)
    notebook.edit(0)
    notebook.command(COMMAND)
    expect(notebook.dialog).to_contain_text("The notebook has no kernel: choose one")
    notebook.dialog.get_by_role("button").last.click()
    assert notebook.source(0) == PLAIN


def add_bare_kernel(lab):
    folder = lab.data_dir / "kernels" / "bare"
    folder.mkdir(parents=True)
    command = [sys.executable, "-c", BARE, "-f", "{connection_file}"]
    spec = {"argv": command, "display_name": "bare", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec))
