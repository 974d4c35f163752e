"""A stored profile, opened by another person: no kernel, not trusted."""

import pytest
from playwright.sync_api import expect

from tests.browser import notebooks
from tests.browser.notebooks import TRAINED, TRAINING
from tests.browser.page import APPLIED, NOTEBOOK_7, Suggestion, open_without_kernel

pytestmark = [pytest.mark.torch, pytest.mark.slow]


def test_an_untrusted_card_asks_before_it_changes_the_cell(page, lab, profiled):
    path = notebooks.without_kernel(profiled, lab.root / "untrusted.ipynb")
    notebook = open_without_kernel(page, lab, path)
    expect(notebook.cards).to_contain_text("waited for the DataLoader")
    suggestion = Suggestion(notebook.cards)
    diff = suggestion.diff.inner_text()

    suggestion.button.click()
    expect(notebook.dialog).to_contain_text("Change the cell?")
    expect(notebook.dialog).to_contain_text(suggestion.title)
    assert notebook.dialog.locator(".jp-MlprofDiff").inner_text() == diff
    notebook.dialog.get_by_role("button", name="Cancel").click()
    expect(notebook.dialog).to_have_count(0)
    assert notebook.source(TRAINED) == TRAINING
    expect(suggestion.status).to_be_empty()

    suggestion.button.click()
    notebook.dialog.get_by_role("button", name="Apply").click()
    expect(suggestion.status).to_have_text(APPLIED)
    assert "num_workers=" in notebook.source(TRAINED)
    page.keyboard.press("Control+z")
    notebook.wait_for_source(TRAINED, TRAINING)


def test_notebook_7_shows_the_same_card(page, lab, profiled, screenshots):
    path = notebooks.without_kernel(profiled, lab.root / "trusted.ipynb")
    lab.trust(path)
    notebook = open_without_kernel(page, lab, path, NOTEBOOK_7)
    suggestion = Suggestion(notebook.cards)
    notebook.cards.screenshot(path=screenshots / "notebook7-light.png")

    suggestion.button.click()
    expect(suggestion.status).to_have_text(APPLIED)
    assert "num_workers=" in notebook.source(TRAINED)
    page.keyboard.press("Control+z")
    notebook.wait_for_source(TRAINED, TRAINING)
