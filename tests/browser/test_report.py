"""The report: all of a profile in one file, which asks the network for nothing and runs no output.

The pictures go to build/screenshots, for a person to look at.
"""

from dataclasses import replace

import nbformat
import pytest
from playwright.sync_api import expect

from jupyter_mlprof.charts.theme import DARK, LIGHT
from jupyter_mlprof.model.codec import dumps, to_json
from jupyter_mlprof.report import write_report
from tests.browser.contrast import AA, contrast
from tests.browser.payloads import MARKUP, with_markup
from tests.reported import full_profile, notebook, output

CHARTS = ["timeline", "flame", "memory", "steps"]
TEXTS = [
    ".mp-kicker",
    ".mp-contents a",
    ".mp-contents .mp-said",
    ".mp-verdict",
    ".mp-legend li",
    ".mp-figures dt",
    ".mp-figures dd",
    ".mp-gain",
    ".mp-finding .mp-note",
    ".mp-evidence li",
    ".mp-diff ins",
    ".mp-diff del",
    ".mp-diff .mp-line-number",
    ".mp-lines .mp-share",
    ".mp-lines code",
    ".mp-functions .mp-where",
    ".mp-code .hl-kn",
    ".mp-code .hl-c1",
    ".mp-code .hl-s2",
]
UNFOLD = "document.querySelectorAll('details').forEach(one => { one.open = true })"
HOSTILE = "<p>kept</p><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"


@pytest.fixture
def opened(page, tmp_path):
    """Open the report of a notebook offline; return what it asked of the network meanwhile."""
    asked = []

    def refuse(route):
        if route.request.url.startswith(("file:", "data:")):
            route.continue_()
        else:
            asked.append(route.request.url)
            route.abort()

    def open_report(made, name="one.ipynb"):
        path = tmp_path / name
        path.write_text(nbformat.writes(made) if isinstance(made, dict) else made, "utf-8")
        write_report(path, tmp_path / "report.html")
        page.route("**/*", refuse)
        page.goto((tmp_path / "report.html").as_uri())
        return asked

    return open_report


def draw_all(page):
    """Unfold everything, and bring each chart into sight until it is drawn."""
    page.evaluate(UNFOLD)
    for place in page.locator("[data-chart]").all():
        place.scroll_into_view_if_needed()
        expect(place.locator("canvas").first).to_be_attached()
    page.evaluate("scrollTo(0, 0)")


def two_profiles():
    again = replace(full_profile(), name="again", duration_s=3.1)
    return notebook(*(output(to_json(one)) for one in (full_profile(), again)))


def test_all_of_a_profile_is_there_without_network(page, opened):
    asked = opened(two_profiles())
    draw_all(page)
    first = page.locator(".mp-profile").first
    expect(first.locator(".mp-verdict")).to_have_text("78 % of 10.2 s waited for the DataLoader.")
    for chart in CHARTS:
        expect(first.locator(f".mp-chart-{chart} canvas").first).to_be_visible()
    expect(first.locator(".mp-diff ins")).to_contain_text("num_workers=4")
    expect(first.locator(".mp-lines tr").nth(2)).to_contain_text("8 s")
    expect(first.locator(".mp-holders")).to_contain_text("list of 300")
    expect(page.locator(".mp-markdown h1")).to_have_text("Training")
    expect(page.locator(".mp-code")).to_contain_text("import torch  # the framework")
    expect(page.locator(".mp-contents li")).to_have_count(2)
    page.locator(".mp-contents a").last.click()
    expect(page.locator(".mp-profile").last).to_be_in_viewport()
    assert asked == []


def test_charts_can_be_pointed_at_and_zoomed(page, opened):
    opened(dumps(full_profile()), "one.mlprof.json")
    draw_all(page)
    timeline = page.locator(".mp-chart-timeline")
    timeline.scroll_into_view_if_needed()
    timeline.hover(position={"x": 300, "y": 60})
    expect(page.locator(".bk-Tooltip").first).to_contain_text("kernel")

    width = "Bokeh.documents.map(d => d.get_model_by_name('x')).map(x => x.end - x.start)"
    flame = page.locator(".mp-chart-flame")
    flame.scroll_into_view_if_needed()
    before = page.evaluate(width)
    # The second row: `train` takes the first two of ten seconds.
    flame.click(position={"x": 60, "y": 56})
    page.wait_for_function(f"before => String({width}) !== String(before)", arg=before)
    flame.dblclick(position={"x": 600, "y": 56})
    page.wait_for_function(f"before => String({width}) === String(before)", arg=before)


def test_functions_are_sorted_by_a_click(page, opened):
    known = full_profile()
    quick = replace(known.functions[0], name="quick", self_s=0.5, calls=900)
    opened(dumps(replace(known, functions=(*known.functions, quick))), "one.mlprof.json")
    page.evaluate(UNFOLD)
    rows = page.locator(".mp-functions tbody tr")
    expect(rows.first).to_contain_text("train")
    page.get_by_role("button", name="Calls").click()
    expect(rows.first).to_contain_text("quick")


def test_it_can_be_read_in_light_and_dark_and_narrow(page, opened, screenshots):
    opened(two_profiles())
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1200, 600):
            page.set_viewport_size({"width": width, "height": 1000})
            draw_all(page)
            page.screenshot(path=screenshots / f"report-{scheme}-{width}.png", full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        ratios = {text: contrast(page.locator(text).first) for text in TEXTS}
        assert {text: ratio for text, ratio in ratios.items() if ratio < AA} == {}


def test_charts_take_the_colours_of_the_scheme(page, opened):
    opened(dumps(full_profile()), "one.mlprof.json")
    draw_all(page)
    colours = (
        "Bokeh.documents.map(d => d.get_model_by_name('steps_title')).filter(t => t)[0].text_color"
    )
    for scheme, colour in (("light", LIGHT.text), ("dark", DARK.text), ("light", LIGHT.text)):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"colour => String({colours}) === colour", arg=colour)


def test_nothing_in_a_notebook_is_run(page, opened):
    markdown = nbformat.v4.new_markdown_cell(HOSTILE + "\n\n[a](javascript:window.hacked=1)")
    html = nbformat.v4.new_output("display_data", data={"text/html": HOSTILE})
    svg = nbformat.v4.new_output(
        "display_data",
        data={"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' onload='hacked=1'></svg>"},
    )
    script = nbformat.v4.new_output(
        "display_data", data={"application/javascript": "window.hacked=1"}
    )
    stream = nbformat.v4.new_output("stream", name="stdout", text=MARKUP)
    cell = nbformat.v4.new_code_cell(MARKUP, outputs=[html, svg, script, stream])
    profile = with_markup(to_json(full_profile())) | {"outcome": "ok"}
    profile["findings"][0]["kind"] = "input-pipeline"
    made = notebook(output(profile))
    made.cells += [markdown, cell]
    asked = opened(made)
    draw_all(page)
    expect(page.locator(".mp-verdict")).to_contain_text(MARKUP)
    expect(page.locator(".mp-html")).to_contain_text("kept")
    # What points at a chart sees text, too.
    flame = page.locator(".mp-chart-flame")
    flame.scroll_into_view_if_needed()
    flame.hover(position={"x": 300, "y": 40})
    expect(page.locator(".bk-Tooltip").first).to_contain_text("onerror")
    held = page.locator("[onerror], [onload], iframe, [href^='javascript']")
    expect(held).to_have_count(0)
    assert page.evaluate("window.hacked") is None
    assert asked == []


def test_the_policy_of_the_page_runs_no_script_but_its_own(page, opened, tmp_path):
    opened(dumps(full_profile()), "one.mlprof.json")
    path = tmp_path / "report.html"
    broken = path.read_text("utf-8").replace(
        "</main>", "<script>window.hacked=1</script><img src=x onerror='window.hacked=1'></main>"
    )
    path.write_text(broken, "utf-8")
    page.goto(path.as_uri())
    draw_all(page)
    assert page.evaluate("window.hacked") is None


@pytest.mark.torch
@pytest.mark.slow
def test_a_training_that_was_run_is_told(page, report):
    page.goto(report.as_uri())
    draw_all(page)
    expect(page.locator(".mp-verdict")).to_contain_text("waited for the DataLoader")
    expect(page.locator(".mp-chart-steps canvas").first).to_be_attached()
