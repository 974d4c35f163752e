"""The side panel, as its user sees it."""

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.browser.page import Notebook

OPEN = "Show the ML profile"
END = re.compile(r"over ([\d.]+) s")


DRAG_STEPS = 8
EDGE = "[data-orientation='horizontal'] > .lm-SplitPanel-handle:visible"
BELOW_TOP_PX = 40
TIME = re.compile(r"([\d.]+) (s|ms|µs)$")
UNITS = {"s": 1, "ms": 1e-3, "µs": 1e-6}
# The cell and the line, from 1, in which the cursor is; null where there is none.
CURSOR = """() => {
  const node = document.getSelection().anchorNode;
  const line = (node?.nodeType === 1 ? node : node?.parentElement)?.closest('.cm-line');
  const cell = line?.closest('.jp-Cell');
  if (!cell?.contains(document.activeElement)) {
    return null;
  }
  const place = (selector, within, one) => [...within.querySelectorAll(selector)].indexOf(one);
  const notebook = cell.closest('.jp-Notebook');
  return [place('.jp-Cell', notebook, cell), place('.cm-line', cell, line) + 1];
}"""


def seconds(text: str) -> float:
    """Read a time as the panel writes it; 0 for nothing."""
    told = TIME.search(text)
    return float(told[1]) * UNITS[told[2]] if told else 0.0


def wait_for_cursor(page: Page, cell: int, line: int) -> None:
    """Wait until the cursor is in that line of that cell."""
    page.wait_for_function(f"at => String(({CURSOR})()) === String(at)", arg=[cell, line])


@dataclass(frozen=True)
class Section:
    """A part of the panel that can be folded."""

    root: Locator

    @property
    def button(self) -> Locator:
        return self.root.locator("button[aria-expanded]")

    @property
    def body(self) -> Locator:
        """What is in it; not there at all while it is folded."""
        return self.root.locator(".jp-MlprofFold-body")

    @property
    def is_open(self) -> bool:
        return self.button.get_attribute("aria-expanded") == "true"

    def open(self) -> None:
        if not self.is_open:
            self.button.click()
        expect(self.body).to_be_visible()

    def close(self) -> None:
        if self.is_open:
            self.button.click()
        expect(self.body).to_have_count(0)


@dataclass(frozen=True)
class Chart:
    """A chart of the panel: one box, with a picture in it once it is drawn."""

    root: Locator

    @property
    def picture(self) -> Locator:
        """What screen readers are told of, by its name."""
        return self.root.get_by_role("img")

    @property
    def name(self) -> str:
        return self.picture.get_attribute("aria-label") or ""

    @property
    def canvases(self) -> Locator:
        return self.root.locator("canvas")

    @property
    def drawings(self) -> Locator:
        """What BokehJS put there: one, however often it was drawn."""
        return self.picture.locator("> * > *")

    def wait(self) -> None:
        """Wait until it is drawn."""
        expect(self.root).to_have_attribute("aria-busy", "false")
        expect(self.canvases.first).to_be_visible()

    def drag(self, from_share: float, to_share: float) -> None:
        """Drag over a part of the chart's width, near its top."""
        mouse = self.root.page.mouse
        mouse.move(*self._place(from_share))
        mouse.down()
        mouse.move(*self._place(to_share), steps=DRAG_STEPS)
        mouse.up()

    def click(self, share: float) -> None:
        """Click at a part of the chart's width, near its top."""
        self.root.page.mouse.click(*self._place(share))

    def _place(self, share: float) -> tuple[float, float]:
        self.root.scroll_into_view_if_needed()
        box = self.canvases.first.bounding_box()
        assert box
        return box["x"] + share * box["width"], box["y"] + BELOW_TOP_PX


@dataclass(frozen=True)
class Panel:
    """The panel of a page."""

    page: Page

    @property
    def root(self) -> Locator:
        return self.page.locator(".jp-MlprofPanel")

    @property
    def head(self) -> Locator:
        return self.root.locator(".jp-MlprofPanel-head")

    @property
    def verdict(self) -> Locator:
        """The verdict of a run that has ended."""
        return self.root.locator(".jp-MlprofCard-verdict:not([role])")

    @property
    def note(self) -> Locator:
        return self.root.locator(".jp-MlprofPanel-note")

    @property
    def live(self) -> Locator:
        """What is there only while a cell runs, and until its profile has come."""
        return self.root.locator(".jp-MlprofLive-state")

    @property
    def elapsed(self) -> Locator:
        return self.live

    @property
    def line(self) -> Locator:
        """The line that runs."""
        return self.root.locator(".jp-MlprofPanel-body > .jp-MlprofLineButton")

    @property
    def so_far(self) -> Locator:
        return self.root.locator(".jp-MlprofCard-verdict[role=status]")

    @property
    def timeline(self) -> Locator:
        return self.root.locator("[data-chart=timeline] [role=img]")

    def curve_end(self) -> float:
        """Return how many seconds the timeline tells of."""
        expect(self.timeline).to_have_attribute("aria-label", END)
        told = END.search(self.timeline.get_attribute("aria-label") or "")
        assert told
        return float(told[1])

    def wait_for_curve_after(self, seconds: float) -> None:
        """Wait until the timeline tells of more than that."""
        grown = "([image, end]) => Number(/over ([\\d.]+) s/.exec(image.ariaLabel)?.[1]) > end"
        self.page.wait_for_function(grown, arg=[self.timeline.element_handle(), seconds])

    def open(self) -> None:
        """Show the panel, in whichever application."""
        if self.tab.count():
            self.tab.click()
        else:
            Notebook(self.page).command(OPEN)
        expect(self.root).to_be_visible()

    def close(self) -> None:
        """Hide the panel again, in JupyterLab."""
        self.tab.click()
        expect(self.root).to_be_hidden()

    def set_width(self, width: int) -> None:
        """Drag the edge of the panel until it is that wide."""
        handle = self.page.locator(EDGE).last.bounding_box()
        box = self.root.bounding_box()
        assert handle
        assert box
        x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + box["width"] - width, y, steps=DRAG_STEPS)
        self.page.mouse.up()
        self.page.mouse.move(0, 0)
        self.page.wait_for_function(
            "([panel, width]) => Math.abs(panel.offsetWidth - width) <= 2",
            arg=[self.root.element_handle(), width],
        )

    def switch_side(self) -> None:
        """Move the panel to the side bar of the other side, where it is shown again."""
        self.tab.click(button="right")
        self.page.get_by_role("menuitem", name="Switch Sidebar Side").click()
        if self.root.is_hidden():
            self.tab.click()
        expect(self.root).to_be_visible()

    @property
    def tab(self) -> Locator:
        """The tab in JupyterLab's side bar; Notebook 7 has none."""
        return self.page.get_by_role("tab", name="ML profile")

    @property
    def choice(self) -> Locator:
        """The list of runs."""
        return self.root.get_by_label("Run", exact=True)

    @property
    def runs(self) -> list[str]:
        """What the list says of each run."""
        return self.choice.locator("option").all_inner_texts()

    @property
    def compare(self) -> Locator:
        return self.root.locator(".jp-MlprofPanel-compare")

    @property
    def figures(self) -> Locator:
        return self.root.locator(".jp-MlprofPanel-body > .jp-MlprofCard-figures")

    @property
    def bar(self) -> Locator:
        return self.root.locator(".jp-MlprofPanel-body > .jp-MlprofBar")

    @property
    def sentence(self) -> Locator:
        """What is said where nothing can be shown."""
        return self.root.locator(".jp-MlprofPanel-sentence")

    @property
    def chip(self) -> Locator:
        """The span of time that is chosen."""
        return self.root.locator(".jp-MlprofChip")

    def section(self, name: str) -> Section:
        return Section(self.root.locator(f"[data-section='{name}']"))

    @property
    def sections(self) -> list[str]:
        """The names of the sections, from top to bottom."""
        found = self.root.locator("[data-section]").all()
        return [section.get_attribute("data-section") or "" for section in found]

    def chart(self, name: str) -> Chart:
        return Chart(self.root.locator(f"[data-chart='{name}']"))

    @property
    def line_times(self) -> dict[int, float]:
        """The seconds of each line that was seen."""
        rows = self.section("lines").body.locator(".jp-MlprofSource-time").all_inner_texts()
        return {line: seconds(text) for line, text in enumerate(rows, 1) if text.strip()}

    @property
    def function_times(self) -> dict[str, float]:
        """The seconds in each function itself."""
        rows = self.section("functions").body.locator("tbody tr")
        names = rows.locator(".jp-MlprofCalls-name").all_inner_texts()
        times = rows.locator("td:nth-child(2)").all_inner_texts()
        return dict(zip(names, map(seconds, times), strict=True))

    def line_row(self, line: int) -> Locator:
        """The row of a line of the cell."""
        return self.section("lines").body.locator(".jp-MlprofSource-line").nth(line - 1)
