"""The loop of the quickstart in JupyterLab: run, try the change, apply it, run again, undo.

The pictures go to build/screenshots, for a person to look at.
"""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from jupyter_mlprof.notebook_file import profiles, read
from tests.browser.page import APPLIED, Suggestion, open_notebook
from tests.browser.panel import Panel, seconds

pytestmark = [pytest.mark.torch, pytest.mark.slow]

QUICKSTART = Path(__file__).parents[2] / "notebooks" / "quickstart.ipynb"
LOAD, SETUP, TRAINING = 1, 3, 5
NARROW_PX = 320
# A trial may take 30 s, and a busy machine its time to start it.
TRIED_MS = 120_000
OVERFLOW = "box => box.scrollWidth - box.clientWidth"


@pytest.fixture
def notebook(page, lab):
    path = lab.root / "tried.ipynb"
    shutil.copy(QUICKSTART, path)
    opened = open_notebook(page, lab, path)
    for cell in (LOAD, SETUP, TRAINING):
        opened.run(cell)
    return opened


def only_finding(path):
    """Return the first finding in the saved notebook."""
    (profile,) = profiles(read(path))
    return profile.findings[0]


def test_a_change_is_tried_applied_compared_and_undone(page, lab, notebook, screenshots):
    card, panel = notebook.cards, Panel(page)
    suggestion = Suggestion(card)
    original = notebook.source(TRAINING)

    # Cancelled, it leaves the kernel and the finding as they were.
    card.get_by_role("button", name="Try it: ").click()
    expect(suggestion.status).to_contain_text("Trying: original and changed cell run in turn")
    expect(card.get_by_role("timer")).to_be_visible()
    card.get_by_role("button", name="Cancel trying: ").click()
    expect(suggestion.status).to_have_text("Cancelled: the fix was not tried to the end.")
    notebook.wait_for_kernel()
    expect(card.locator(".jp-MlprofTrial")).to_have_count(0)

    card.get_by_role("button", name="Try it: ").click()
    trial = card.locator(".jp-MlprofTrial")
    expect(trial).to_have_attribute("data-verdict", "pays", timeout=TRIED_MS)
    expect(trial).to_contain_text(re.compile(r"Pays: [\d.]+x faster"))
    expect(trial).to_contain_text("same result")
    panel.open()
    expect(panel.root.locator(".jp-MlprofTrial")).to_have_attribute("data-verdict", "pays")
    panel.set_width(NARROW_PX)
    for scheme in ("dark", "light"):
        notebook.paint(scheme)
        page.screenshot(path=screenshots / f"try-{scheme}.png")
    assert panel.root.locator(".jp-MlprofTrial").evaluate(OVERFLOW) <= 0
    notebook.save()
    tried = only_finding(lab.root / "tried.ipynb").trial
    assert tried.speedup.low > 1

    # What was tried is what is applied.
    suggestion.button.click()
    expect(suggestion.status).to_have_text(APPLIED)
    changed = notebook.source(TRAINING)
    assert "num_workers=" in changed
    notebook.run(TRAINING)
    expect(card).to_contain_text("run before")

    panel.compare.click()
    wall = panel.root.locator("tr", has_text="Wall time").locator("td").all_inner_texts()
    before, after = map(seconds, wall[:2])
    assert after < before
    page.screenshot(path=screenshots / "try-compared.png")

    notebook.edit(TRAINING)
    page.keyboard.press("Control+z")
    notebook.wait_for_source(TRAINING, original)
