"""The panel can be read in light and dark, narrow and wide, and whatever names people give.

The pictures go to build/screenshots, for a person to look at.
"""

import io
from collections import Counter
from dataclasses import replace

import pytest
from PIL import Image
from playwright.sync_api import expect

from jupyter_mlprof.model.functions import Flame, Frame, FunctionTime
from jupyter_mlprof.model.lines import LineTime
from jupyter_mlprof.model.memory import Holder, Memory
from jupyter_mlprof.model.profile import MIME_TYPE, Verdict
from jupyter_mlprof.notebook_file import read, write
from tests import samples
from tests.browser import notebooks
from tests.browser.contrast import AA, contrast, contrast_of
from tests.browser.notebooks import bundle
from tests.browser.page import NOTEBOOK_7, open_without_kernel
from tests.browser.panel import Panel
from tests.browser.standing_out import STANDING_OUT

pytestmark = pytest.mark.slow

WIDTHS = [320, 600, 900]
VIEWPORT = {"width": 1700, "height": 2900}
TEXTS = [
    ".jp-MlprofPanel-head h2",
    ".jp-MlprofPanel-why",
    ".jp-MlprofChoice-select",
    ".jp-MlprofChoice-count",
    ".jp-MlprofCard-verdict strong",
    ".jp-MlprofCard-figures",
    ".jp-MlprofBar-legend",
    ".jp-MlprofFold-button",
    ".jp-MlprofFold-aside",
    ".jp-MlprofFinding-title",
    ".jp-MlprofFinding-gain",
    ".jp-MlprofDiff del .jp-MlprofDiff-text",
    ".jp-MlprofDiff ins .jp-MlprofDiff-text",
    ".jp-MlprofChip-text",
    ".jp-MlprofSource-number",
    "[data-seen=true] .jp-MlprofSource-time",
    "[data-seen=true] .jp-MlprofSource-code",
    "[data-seen=false] .jp-MlprofSource-code",
    ".jp-MlprofSwitch input:checked + span",
    ".jp-MlprofSwitch input:not(:checked) + span",
    ".jp-MlprofCalls th",
    ".jp-MlprofCalls button.jp-MlprofCalls-name",
    ".jp-MlprofCalls span.jp-MlprofCalls-name",
    ".jp-MlprofCalls-where",
    ".jp-MlprofCalls tbody td:nth-child(2)",
    ".jp-MlprofHolders caption",
    ".jp-MlprofHolders tbody td",
    "[data-section=memory] p",
    "[data-section=measurement] th",
    "[data-section=measurement] td",
]
# Words as they are drawn lose some of their colour to the smoothing of their edges.
DRAWN = 3.0
# Left of a chart, and below it.
LABELS_PX, AXIS_PX = 45, 30
LONG = "a_name_that_never_ends_" * 9
LONG_SOURCE = f"{LONG} = {LONG}({LONG})\nfor one in {LONG}:\n    {LONG}(one)"


@pytest.fixture
def tall(page):
    """Room for all sections at once."""
    page.set_viewport_size(VIEWPORT)
    return page


def opened(page):
    """Open the panel and all that is in it."""
    panel = Panel(page)
    panel.open()
    for name in panel.sections:
        panel.section(name).open()
    wait_for_charts(panel)
    return panel


def wait_for_charts(panel):
    for chart in panel.root.locator("[data-chart]").all():
        expect(chart).to_have_attribute("aria-busy", "false")
    panel.page.wait_for_timeout(300)  # BokehJS lays out once more


def expect_nothing_stands_out(panel):
    assert panel.root.evaluate(STANDING_OUT) == []
    assert panel.root.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    body = panel.root.locator(".jp-MlprofPanel-body")
    assert body.evaluate("body => body.scrollWidth <= body.clientWidth")


def axis_contrast(chart):
    """Return the contrast of the labels left of a chart with what is behind them."""
    chart.root.scroll_into_view_if_needed()
    picture = Image.open(io.BytesIO(chart.canvases.first.screenshot())).convert("RGB")
    labels = picture.crop((0, 0, LABELS_PX, picture.height - AXIS_PX))
    colours = Counter(colours_of(labels.tobytes()))
    ((behind, _),) = colours.most_common(1)
    return max(contrast_of(behind, colour) for colour in colours)


def colours_of(pixels):
    """Return the colour of each pixel."""
    return zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True)


@pytest.mark.torch
def test_the_panel_can_be_read_in_light_and_dark_at_any_width(tall, lab, profiled, screenshots):
    path = notebooks.without_kernel(profiled, lab.root / "panel-looks.ipynb")
    lab.trust(path)
    notebook = open_without_kernel(tall, lab, path)
    panel = opened(tall)
    panel.chart("timeline").drag(0.4, 0.8)
    canvases = panel.root.locator("canvas").count()
    for scheme in ("light", "dark"):
        notebook.paint(scheme)
        for width in WIDTHS:
            panel.set_width(width)
            wait_for_charts(panel)
            panel.root.screenshot(path=screenshots / f"panel-{scheme}-{width}.png")
            expect_nothing_stands_out(panel)
        ratios = {text: contrast(panel.root.locator(text).first) for text in TEXTS}
        assert {text: ratio for text, ratio in ratios.items() if ratio < AA} == {}
        # Drawn anew in the colours of the theme, in the place of what was there.
        for name in ("timeline", "memory", "steps"):
            assert axis_contrast(panel.chart(name)) > DRAWN, (scheme, name)
        panel.section("functions").body.get_by_text("Flame").click()
        panel.set_width(WIDTHS[1])
        wait_for_charts(panel)
        panel.section("functions").root.screenshot(path=screenshots / f"panel-flame-{scheme}.png")
        panel.section("functions").body.get_by_text("Table").click()
    expect(panel.root.locator("canvas")).to_have_count(canvases)


@pytest.mark.torch
def test_two_runs_can_be_read_beside_each_other(tall, lab, profiled, screenshots):
    outputs = read(profiled).cells[notebooks.TRAINED].outputs
    (after,) = (one.data[MIME_TYPE] for one in outputs if MIME_TYPE in one.get("data", {}))
    before = {
        **after,
        "id": "1" * 32,
        "started_at": "2026-01-02T03:04:05+00:00",
        "duration_s": 2 * after["duration_s"],
        "lines": [{**line, "wall_s": 2 * line["wall_s"]} for line in after["lines"]],
        "functions": [{**one, "self_s": 2 * one["self_s"]} for one in after["functions"]],
    }
    path = lab.root / "panel-compared.ipynb"
    write(notebooks.showing_in_one({MIME_TYPE: before}, {MIME_TYPE: after}), path)
    lab.trust(path)
    notebook = open_without_kernel(tall, lab, path)
    panel = Panel(tall)
    panel.open()
    assert "Jan 2, 03:04" in panel.runs[1]
    panel.compare.click()
    panel.chart("compare").wait()
    expect(panel.root.locator("tr", has_text="Wall time")).to_contain_text("0.5x")
    assert panel.section("compare-split").body.get_by_role("img").count() == 2
    for scheme in ("light", "dark"):
        notebook.paint(scheme)
        for width in (320, 600):
            panel.set_width(width)
            wait_for_charts(panel)
            panel.root.screenshot(path=screenshots / f"panel-compare-{scheme}-{width}.png")
            expect_nothing_stands_out(panel)
        assert axis_contrast(panel.chart("compare")) > DRAWN
        changes = panel.root.locator(".jp-MlprofChanges").locator("th, td, button")
        assert min(map(contrast, changes.all()[:20])) >= AA


def test_names_without_end_are_cut_where_the_panel_ends(tall, lab, screenshots):
    profile = samples.profile(
        name=LONG,
        cell=samples.cell(LONG_SOURCE),
        verdict=Verdict("long", f"{LONG} and {' '.join(['many words'] * 40)} {LONG}."),
        lines=(LineTime(1, 8.0, 400), LineTime(3, 2.0, 100)),
        functions=(FunctionTime(LONG, "<cell>", 3, 2.0, 2.0, 100),),
        flame=Flame((Frame(LONG, f"{LONG}.py", 1),), ((-1, 0, 10.0), (0, 0, 9.0))),
        memory=replace(
            Memory(100_000_000, 200_000_000, 0.2, 150_000_000),
            holders=(Holder(LONG, 10**9, f"Tensor {LONG}"),),
        ),
    )
    path = lab.root / "panel-long.ipynb"
    write(notebooks.showing(bundle(profile)), path)
    lab.trust(path)
    open_without_kernel(tall, lab, path)
    panel = opened(tall)
    for width in WIDTHS[:2]:
        panel.set_width(width)
        for view in ("Flame", "Table"):
            panel.section("functions").body.get_by_text(view, exact=True).click()
            wait_for_charts(panel)
            panel.root.screenshot(path=screenshots / f"panel-long-{view.lower()}-{width}.png")
            expect_nothing_stands_out(panel)
    # What is cut can be read all the same.
    expect(panel.section("functions").body.locator(f"[title='{LONG}']")).to_have_count(1)
    expect(panel.section("memory").body.locator(f"[title='{LONG}']")).to_have_count(1)


@pytest.mark.torch
def test_notebook_7_shows_the_same_panel(tall, lab, profiled, screenshots):
    path = notebooks.without_kernel(profiled, lab.root / "panel-notebook-7.ipynb")
    lab.trust(path)
    notebook = open_without_kernel(tall, lab, path, NOTEBOOK_7)
    tall.get_by_role("menuitem", name="View", exact=True).click()
    tall.locator(".lm-Menu").get_by_text("Right Sidebar", exact=True).hover()
    tall.locator(".lm-Menu").last.get_by_text("Show ML profile", exact=True).click()
    panel = Panel(tall)
    expect(panel.verdict).to_have_text(
        notebook.cards.locator(".jp-MlprofCard-verdict").inner_text()
    )
    for name in panel.sections:
        panel.section(name).open()
    for scheme in ("light", "dark"):
        notebook.paint(scheme)
        wait_for_charts(panel)
        expect_nothing_stands_out(panel)
        assert axis_contrast(panel.chart("timeline")) > DRAWN
        tall.screenshot(path=screenshots / f"panel-notebook-7-{scheme}.png")
