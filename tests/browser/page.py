"""A notebook in the browser, as its user sees it."""

import re
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.lab import Lab

LAB, NOTEBOOK_7 = "lab/tree", "notebooks"
APPLIED = "Applied. Ctrl+Z in the cell undoes it."
STALE = "The cell has changed since this run: run it again for a new suggestion."
RAN = re.compile(r"\[\d+\]:")

SOURCE = "cell => [...cell.querySelectorAll('.cm-line')].map(l => l.textContent).join('\\n')"
SOURCE_IS = f"([cell, text]) => ({SOURCE})(cell) === text"


@dataclass(frozen=True)
class Notebook:
    """A notebook open in JupyterLab or Notebook 7, in a tab of its own."""

    page: Page

    @property
    def cards(self) -> Locator:
        return self.page.locator(".jp-MlprofCard:visible")

    @property
    def dialog(self) -> Locator:
        return self.page.locator(".jp-Dialog")

    def cell(self, place: int) -> Locator:
        return self.page.locator(".jp-Notebook:visible .jp-Cell").nth(place)

    def source(self, place: int) -> str:
        text: str = self.cell(place).evaluate(SOURCE)
        return text

    def wait_for_source(self, place: int, text: str) -> None:
        self.page.wait_for_function(SOURCE_IS, arg=[self.cell(place).element_handle(), text])

    def run(self, place: int) -> None:
        """Run a cell and wait for its end."""
        prompt = self.cell(place).locator(".jp-InputPrompt")
        before = prompt.inner_text()
        self.cell(place).locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")
        expect(prompt).not_to_have_text(before)
        expect(prompt).to_have_text(RAN)

    def save(self) -> None:
        """Save and wait until the server has the file."""
        with self.page.expect_response(lambda answer: answer.request.method == "PUT" and answer.ok):
            self.page.keyboard.press("Control+s")

    def paint(self, scheme: str) -> None:
        """Switch to the light or the dark theme."""
        self.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        light = "false" if scheme == "dark" else "true"
        self.page.locator(f"body[data-jp-theme-light='{light}']").wait_for(state="attached")
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")


@dataclass(frozen=True)
class Suggestion:
    """A card's first finding and its fix."""

    card: Locator

    @property
    def title(self) -> str:
        return self.card.locator(".jp-MlprofFinding-title").first.inner_text()

    @property
    def diff(self) -> Locator:
        return self.card.locator(".jp-MlprofDiff").first

    @property
    def status(self) -> Locator:
        return self.card.locator(".jp-MlprofFix-status").first

    @property
    def button(self) -> Locator:
        return self.card.get_by_role("button", name=f"Apply: {self.title}")


def open_notebook(page: Page, lab: Lab, path: Path) -> Notebook:
    """Open a notebook in JupyterLab and wait for its kernel."""
    page.goto(lab.url(LAB, path))
    # The toolbar's indicator is of no use: it calls a kernel idle that is still starting.
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()
    return Notebook(page)


def open_without_kernel(page: Page, lab: Lab, path: Path, app: str = LAB) -> Notebook:
    """Open a notebook whose kernel does not exist, and decline the offer of another."""
    page.goto(lab.url(app, path))
    page.locator(".jp-Dialog").get_by_role("button", name="No Kernel").click()
    notebook = Notebook(page)
    notebook.cards.first.wait_for()
    return notebook
