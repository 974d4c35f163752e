"""The card can be read in light and dark, and in a narrow window.

The pictures go to build/screenshots, for a person to look at.
"""

import pytest

from tests.browser import notebooks
from tests.browser.contrast import AA, contrast
from tests.browser.page import open_without_kernel
from tests.browser.standing_out import STANDING_OUT

pytestmark = [pytest.mark.torch, pytest.mark.slow]

TEXTS = [
    ".jp-MlprofCard-verdict strong",
    ".jp-MlprofCard-figures",
    ".jp-MlprofBar-legend",
    ".jp-MlprofFinding-title",
    ".jp-MlprofFinding-gain",
    ".jp-MlprofDiff del .jp-MlprofDiff-text",
    ".jp-MlprofDiff ins .jp-MlprofDiff-text",
    ".jp-MlprofDiff ins .jp-MlprofDiff-line",
    ".jp-MlprofFinding-advice",
    ".jp-MlprofFinding-costs",
    ".jp-MlprofButton",
    ".jp-MlprofCloser summary",
]
UNFOLD = "card => card.querySelectorAll('details').forEach(one => { one.open = true })"
WIDTH = 320
NARROW = f".jp-MlprofOutput {{ box-sizing: border-box; flex: none !important; width: {WIDTH}px }}"


@pytest.fixture
def notebook(page, lab, profiled):
    path = notebooks.without_kernel(profiled, lab.root / "looks.ipynb")
    lab.trust(path)
    return open_without_kernel(page, lab, path)


def test_the_card_can_be_read_in_light_and_dark(notebook, screenshots):
    for scheme in ("light", "dark"):
        notebook.paint(scheme)
        notebook.cards.screenshot(path=screenshots / f"lab-{scheme}.png")
        ratios = {text: contrast(notebook.cards.locator(text).first) for text in TEXTS}
        assert {text: ratio for text, ratio in ratios.items() if ratio < AA} == {}


def test_a_narrow_card_cuts_nothing(page, notebook, screenshots):
    page.set_viewport_size({"width": 1200, "height": 2600})
    page.add_style_tag(content=NARROW)
    page.wait_for_function(
        f"card => card.offsetWidth <= {WIDTH}", arg=notebook.cards.element_handle()
    )
    notebook.cards.screenshot(path=screenshots / "narrow-320.png")
    notebook.cards.evaluate(UNFOLD)
    assert notebook.cards.evaluate(STANDING_OUT) == []
    assert notebook.cards.evaluate("card => card.scrollWidth <= card.clientWidth")
    notebook.cards.screenshot(path=screenshots / "narrow-320-unfolded.png")
