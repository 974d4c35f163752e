"""What the side panel tells of a profile, and what can be done there."""

import re

import pytest
from playwright.sync_api import expect

from jupyter_mlprof.notebook_file import write
from tests.browser import notebooks
from tests.browser.notebooks import LOAD, QUICK, SLOW, TRAINED, TRAINING
from tests.browser.page import APPLIED, Suggestion, open_notebook, open_without_kernel
from tests.browser.panel import OPEN, Panel, seconds, wait_for_cursor

pytestmark = pytest.mark.slow

SECTIONS = ["findings", "timeline", "lines", "functions", "memory", "steps", "measurement"]
OPEN_AT_FIRST = ["findings", "timeline", "lines"]
# What screen readers are told of each chart.
CHARTS = {
    "timeline": r"^Timeline: over [\d.]+ s, CPU at most [\d.]+ cores, memory at most [\d.]+ MB",
    "flame": r"^Call tree: [\d.]+ s in all; the longest call is .+ \(\d+ %\)\.$",
    "memory": r"^Memory: [\d.]+ MB at the start, at most [\d.]+ MB \(after .+\), .+ at the end",
    "steps": r"^Steps: 14 times from step to step, half of them at most .+ ms, the longest ",
}
# Lines of the training cell.
LOOP, STEP = 3, 7
# Lines of the slow cell.
SLEEPS, CALLS = 6, 10
FOCUSED = """panel => {
  const one = document.activeElement;
  if (!panel.contains(one)) {
    return null;
  }
  // A radio button itself is not seen.
  const seen = one.type === 'radio' ? one.nextElementSibling : one;
  const { outlineStyle, outlineWidth } = getComputedStyle(seen);
  const name = one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText;
  return {
    name: name.replaceAll(/\\s+/g, ' ').trim(),
    section: one.getAttribute('aria-expanded') && one.closest('[data-section]').dataset.section,
    outlined: outlineStyle !== 'none' && outlineWidth !== '0px'
  };
}"""
MOST_STOPS = 60
MINUS = "\N{MINUS SIGN}"


@pytest.fixture
def notebook(page, lab, profiled, request):
    path = notebooks.without_kernel(profiled, lab.root / f"{request.node.name}.ipynb")
    lab.trust(path)
    return open_without_kernel(page, lab, path)


@pytest.fixture
def panel(page, notebook):
    panel = Panel(page)
    panel.open()
    return panel


@pytest.mark.torch
def test_a_profile_is_told_from_its_verdict_to_its_measurement(page, notebook, panel):
    card = notebook.cards
    assert panel.root.get_attribute("role") == "region"
    assert panel.root.get_attribute("aria-label") == "ML profile"
    expect(panel.verdict).to_have_text(card.locator(".jp-MlprofCard-verdict").inner_text())
    expect(panel.figures).to_have_text(card.locator(".jp-MlprofCard-figures").inner_text())
    expect(panel.bar).to_have_attribute("aria-label", re.compile("^Where the time went: data "))
    assert len(panel.runs) == 1
    assert panel.runs[0].startswith("In [2] loader = DataLoader(RemoteImages(),")

    # What is folded is not there at all.
    assert panel.sections == SECTIONS
    assert [name for name in SECTIONS if panel.section(name).is_open] == OPEN_AT_FIRST
    for name in set(SECTIONS) - set(OPEN_AT_FIRST):
        expect(panel.section(name).body).to_have_count(0)
        panel.section(name).open()

    times = panel.line_times
    assert max(times, key=times.__getitem__) == LOOP
    expect(panel.line_row(LOOP)).to_contain_text("for images, labels in loader:")
    own = panel.function_times
    assert max(own, key=own.__getitem__) == "RemoteImages.__getitem__"
    functions = panel.section("functions").body
    assert sorted(own.values(), reverse=True) == list(own.values())
    functions.get_by_role("button", name="Total").click()
    totals = functions.locator("tbody td:nth-child(3)").all_inner_texts()
    assert sorted(map(seconds, totals), reverse=True) == list(map(seconds, totals))
    expect(panel.section("memory").body).to_contain_text(re.compile(r"Peak [\d.]+ MB after"))
    expect(panel.section("memory").body).to_contain_text("Held by variables")
    expect(panel.section("steps").body).to_contain_text(re.compile(r"15 steps · .* median "))
    expect(panel.section("measurement").body).to_contain_text(re.compile(r"Python 3\.\d+"))

    functions.get_by_text("Flame").click()
    expect(functions.locator("table")).to_have_count(0)
    for name, words in CHARTS.items():
        panel.chart(name).wait()
        expect(panel.chart(name).picture).to_have_attribute("aria-label", re.compile(words))
        expect(panel.chart(name).root).to_have_role("group")
    functions.get_by_text("Table").click()
    expect(panel.chart("flame").root).to_have_count(0)

    # Applied, and taken back with one Ctrl+Z, as from the card.
    suggestion = Suggestion(panel.root)
    suggestion.button.click()
    expect(suggestion.status).to_have_text(APPLIED)
    assert "num_workers=" in notebook.source(TRAINED)
    notebook.edit(TRAINED)
    page.keyboard.press("Control+z")
    notebook.wait_for_source(TRAINED, TRAINING)
    expect(suggestion.status).to_be_empty()

    panel.line_row(STEP).click()
    wait_for_cursor(page, TRAINED, STEP)
    page.keyboard.press("Control+Home")
    wait_for_cursor(page, TRAINED, 1)


@pytest.mark.torch
def test_all_can_be_reached_and_used_with_the_keyboard(page, notebook):
    panel = Panel(page)
    notebook.cell(0).click()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Shift+C")
    page.keyboard.insert_text(OPEN)
    expect(page.locator(".lm-CommandPalette-item.lm-mod-active")).to_contain_text(OPEN)
    page.keyboard.press("Enter")
    expect(panel.root).to_be_visible()
    # The palette gives the focus back to the notebook; ours comes after it.
    expect(panel.choice).to_be_focused()

    stops: list[dict[str, str]] = []
    while (stop := panel.root.evaluate(FOCUSED)) and len(stops) < MOST_STOPS:
        stops.append(stop)
        if name := stop["section"]:
            toggle_with_enter(page, panel.section(name))
        page.keyboard.press("Tab")
    assert [stop["section"] for stop in stops if stop["section"]] == SECTIONS
    assert [stop["name"] for stop in stops if not stop["outlined"]] == []
    names = " | ".join(stop["name"] for stop in stops)
    for expected in ("Apply: Load with", "Timeline. The arrow keys", "line 1", "Table", "Self"):
        assert expected in names
    # Nowhere twice, and out again at the end.
    assert len({stop["name"] for stop in stops}) == len(stops)

    # The charts and the lines have keys of their own.
    panel.chart("timeline").root.focus()
    page.keyboard.press("ArrowRight")
    expect(panel.chip).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel.chip).to_have_count(0)
    everything = panel.root.get_by_role("button", name="Show all", exact=True)
    page.keyboard.press("+")
    expect(everything).to_be_visible()
    page.keyboard.press("-")
    expect(everything).to_have_count(0)
    panel.line_row(1).focus()
    for _ in range(STEP - 1):
        page.keyboard.press("ArrowDown")
    expect(panel.line_row(STEP)).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_cursor(page, TRAINED, STEP)


def toggle_with_enter(page, section):
    """Press Enter on the button of a section, and once more if that closed it."""
    was_open = section.is_open
    page.keyboard.press("Enter")
    expect(section.button).to_have_attribute("aria-expanded", str(not was_open).lower())
    if was_open:
        page.keyboard.press("Enter")
    expect(section.body).to_be_visible()
    for chart in section.body.locator("[data-chart]").all():
        expect(chart).to_have_attribute("aria-busy", "false")


@pytest.mark.torch
def test_a_span_dragged_on_the_timeline_filters_lines_and_functions(panel):
    panel.section("functions").open()
    lines, functions = panel.line_times, panel.function_times
    timeline = panel.chart("timeline")
    timeline.wait()
    timeline.drag(0.5, 0.75)
    expect(panel.chip).to_be_visible()
    told = re.search(r"([\d.]+ m?s) to ([\d.]+ m?s) of ([\d.]+ s)", panel.chip.inner_text())
    assert told
    begin, end, whole = map(seconds, told.groups())
    assert 0 < begin < end < whole
    for before, after in ((lines, panel.line_times), (functions, panel.function_times)):
        assert set(after) <= set(before)
        assert sum(after.values()) == pytest.approx(end - begin, rel=0.25)
        assert sum(before.values()) == pytest.approx(whole, rel=0.25)
    # A share is of the span.
    share = panel.line_row(LOOP).locator(".jp-MlprofSource-share").text_content()
    expected = 100 * panel.line_times[LOOP] / (end - begin)
    assert int(share.split()[0]) == pytest.approx(expected, abs=1)
    panel.section("functions").body.get_by_text("Flame").click()
    in_all = re.compile(r"Call tree: ([\d.]+ m?s) in all")
    expect(panel.chart("flame").picture).to_have_attribute("aria-label", in_all)
    (seen,) = in_all.findall(panel.chart("flame").name)
    assert seconds(seen) == pytest.approx(end - begin, rel=0.25)
    panel.section("functions").body.get_by_text("Table").click()

    # Another drag takes the place of the first; all is back when the span is cleared.
    timeline.drag(0.9, 0.6)
    expect(panel.chip).not_to_contain_text(told[0])
    panel.chip.get_by_role("button", name="Show the whole cell").click()
    expect(panel.chip).to_have_count(0)
    assert panel.line_times == lines
    assert panel.function_times == functions
    timeline.drag(0.5, 0.75)
    expect(panel.chip).to_be_visible()
    timeline.click(0.3)
    expect(panel.chip).to_have_count(0)


def test_the_panel_follows_the_active_cell_and_compares_runs(page, lab):
    path = lab.root / "follows.ipynb"
    write(notebooks.of_cells(LOAD, SLOW, QUICK), path)
    notebook = open_notebook(page, lab, path)
    panel = Panel(page)
    panel.open()
    notebook.run(0)
    verdicts = {}
    for cell in (1, 2):
        notebook.run(cell)
        verdicts[cell] = notebook.cell(cell).locator(".jp-MlprofCard-verdict").inner_text()
        expect(panel.verdict).to_have_text(verdicts[cell])
    assert verdicts[1] != verdicts[2]
    assert [run.partition(" · ")[0] for run in panel.runs] == [
        "In [3] quickly = sum(range(3_000_000))",
        "In [2] import time",
    ]

    notebook.edit(1)
    expect(panel.verdict).to_have_text(verdicts[1])
    notebook.edit(0)
    expect(panel.verdict).to_have_text(verdicts[2])
    expect(panel.head).to_contain_text("The active cell has no profile: this is the newest")
    panel.choice.select_option(index=1)
    expect(panel.verdict).to_have_text(verdicts[1])
    panel.head.get_by_role("button", name="Follow the active cell").click()
    expect(panel.verdict).to_have_text(verdicts[2])

    # From a function to its place in the cell.
    notebook.edit(1)
    expect(panel.verdict).to_have_text(verdicts[1])
    expect(panel.compare).to_be_disabled()
    panel.section("functions").open()
    panel.section("functions").body.get_by_role("button", name="wait", exact=True).click()
    wait_for_cursor(page, 1, SLEEPS - 1)

    compare_with_a_faster_run(page, notebook, panel)

    # All of it is as it was when the page is loaded again.
    panel.section("lines").close()
    with page.expect_response(is_of_workspace):
        panel.section("memory").open()
    verdict = panel.verdict.inner_text()
    notebook.save()
    page.reload()
    notebook.edit(1)
    expect(panel.verdict).to_have_text(verdict)
    expect(panel.choice.locator("option")).to_have_count(3)
    opened = [name for name in SECTIONS if panel.section(name).is_open]
    assert opened == ["findings", "timeline", "functions", "memory"]


def compare_with_a_faster_run(page, notebook, panel):
    """Run the slow cell anew; the run before is only on the server then."""
    notebook.edit(1)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(SLOW.replace("0.4", "0.1"))
    notebook.run(1)
    expect(panel.choice.locator("option")).to_have_count(3)
    newest = panel.choice.locator("option").first
    expect(newest).to_have_text(re.compile(r"^In \[4\] import time"))
    panel.compare.click()
    expect(panel.compare).to_have_attribute("aria-pressed", "true")
    expect(panel.root.get_by_label("compared with").locator("option")).to_have_count(1)
    wall = panel.root.locator("tr", has_text="Wall time").locator("td").all_inner_texts()
    before, after = map(seconds, wall[:2])
    assert before == pytest.approx(1.2, abs=0.4)
    assert after == pytest.approx(0.3, abs=0.25)
    assert float(wall[2].removesuffix("x")) == pytest.approx(after / before, rel=0.06)
    lines = panel.section("compare-lines").body
    changed = lines.locator("tr", has_text=f"line {SLEEPS}").locator("td").all_inner_texts()
    slept, sleeps = map(seconds, changed[1:3])
    assert slept == pytest.approx(1.2, abs=0.2)
    assert sleeps == pytest.approx(0.3, abs=0.2)
    assert changed[3].startswith(MINUS)
    assert seconds(changed[3]) == pytest.approx(slept - sleeps, abs=0.01)
    lines.get_by_role("button", name="wait(0.1)").click()
    wait_for_cursor(page, 1, CALLS)
    # Nothing told where the time of these went.
    expect(panel.section("compare-split").root).to_have_count(0)
    panel.chart("compare").wait()
    expect(panel.chart("compare").picture).to_have_attribute("aria-label", re.compile("before"))
    panel.compare.click()
    expect(panel.section("lines").root).to_be_visible()


def is_of_workspace(response):
    """Whether JupyterLab has stored where everything stands, which it does a little later."""
    return "/api/workspaces/" in response.url and response.request.method == "PUT"
