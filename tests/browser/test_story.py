"""The whole story in JupyterLab: run, read, apply, undo, run again, save."""

import json

import pytest
from playwright.sync_api import expect

from jupyter_mlprof.model.profile import MIME_TYPE
from jupyter_mlprof.notebook_file import write
from tests.browser import notebooks
from tests.browser.notebooks import TRAINED, TRAINING
from tests.browser.page import APPLIED, STALE, Suggestion, open_notebook

pytestmark = [pytest.mark.torch, pytest.mark.slow]


@pytest.fixture(scope="module")
def path(lab):
    path = lab.root / "story.ipynb"
    write(notebooks.training(), path)
    return path


def test_a_cell_is_profiled_changed_and_faster(page, lab, path, screenshots):
    notebook = open_notebook(page, lab, path)
    notebook.run(0)
    notebook.run(TRAINED)
    card = notebook.cards
    suggestion = Suggestion(card)
    expect(card.locator(".jp-MlprofCard-verdict")).to_contain_text("waited for the DataLoader")
    expect(card.locator(".jp-MlprofBar")).to_be_visible()
    expect(card).not_to_contain_text("run before")
    assert suggestion.title.startswith("Load with ")
    expect(suggestion.diff.locator("del")).to_contain_text("batch_size=32, shuffle=True)")
    expect(suggestion.diff.locator("ins")).to_contain_text("num_workers=")
    notebook.cell(TRAINED).screenshot(path=screenshots / "readme.png")
    notebook.save()
    before = notebooks.only_profile(path)

    # Applied, and taken back with one Ctrl+Z.
    suggestion.button.click()
    expect(suggestion.status).to_have_text(APPLIED)
    assert "shuffle=True, num_workers=" in notebook.source(TRAINED)
    page.keyboard.press("Control+z")
    notebook.wait_for_source(TRAINED, TRAINING)
    expect(suggestion.status).to_be_empty()

    # Of a cell that reads otherwise by now, the card says so.
    page.keyboard.press("Control+End")
    page.keyboard.type("#")
    expect(suggestion.status).to_have_text(STALE)
    expect(suggestion.button).to_be_disabled()
    page.keyboard.press("Control+z")
    notebook.wait_for_source(TRAINED, TRAINING)

    suggestion.button.click()
    expect(suggestion.status).to_have_text(APPLIED)
    changed = notebook.source(TRAINED)
    notebook.run(TRAINED)
    expect(card).to_contain_text("run before")
    notebook.save()
    after = notebooks.only_profile(path)
    assert after.cell.source == changed
    assert after.loader[0].workers > before.loader[0].workers == 0
    assert after.loader[0].wait_s < 0.7 * before.loader[0].wait_s
    assert after.previous is not None
    assert after.previous.id == before.id

    saved = json.loads(path.read_text())
    cell = saved["cells"][TRAINED]
    assert "".join(cell["source"]) == changed
    (bundle,) = (output["data"] for output in cell["outputs"] if "data" in output)
    assert set(bundle) == {MIME_TYPE, "text/html", "text/plain"}
    assert "widgets" not in saved["metadata"]
