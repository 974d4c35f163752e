"""Every cell profiled, with `%mlprof_auto`, and a statement or a block of a cell."""

import pytest
from playwright.sync_api import expect

from jupyter_mlprof.notebook_file import write
from tests.browser import notebooks
from tests.browser.notebooks import LOAD
from tests.browser.page import open_notebook
from tests.browser.panel import Panel

pytestmark = pytest.mark.slow

CELLS = [
    f"{LOAD}\n%mlprof_auto on\nimport time\nimport jupyter_mlprof as mlprof",
    "time.sleep(0.4)",
    "quick = 1",
    "%mlprof_auto off\n%mlprof time.sleep(0.6)",
    "with mlprof.profile('a block'):\n    time.sleep(0.3)",
]
SLEEPS, IS_QUICK, STATEMENT, BLOCK = range(1, len(CELLS))


def test_what_is_profiled_without_the_magic_is_in_the_panel(page, lab):
    path = lab.root / "auto.ipynb"
    write(notebooks.of_cells(*CELLS), path)
    notebook = open_notebook(page, lab, path)
    panel = Panel(page)
    panel.open()
    for place in range(IS_QUICK + 1):
        notebook.run(place)
    # Nothing is to be changed there, so nothing is added under the cells.
    expect(notebook.cards).to_have_count(0)
    notebook.edit(SLEEPS)
    expect(panel.verdict).to_contain_text("line 1 (`time.sleep(0.4)`)")
    # What was over at once was not kept.
    expect(panel.choice.locator("option")).to_have_count(1)

    notebook.run(STATEMENT)
    expect(notebook.cards).to_have_count(1)
    notebook.edit(STATEMENT)
    expect(panel.verdict).to_contain_text("in line 2")
    panel.line_row(2).click()
    notebook.run(BLOCK)
    expect(notebook.cards).to_have_count(2)
    notebook.edit(BLOCK)
    expect(panel.choice.locator("option:checked")).to_contain_text("a block")
    notebook.save()
