"""The side panel, as its user sees it."""

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.browser.page import Notebook

OPEN = "Show the ML profile"
END = re.compile(r"over ([\d.]+) s")


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

    @property
    def tab(self) -> Locator:
        """The tab in JupyterLab's side bar; Notebook 7 has none."""
        return self.page.get_by_role("tab", name="ML profile")
