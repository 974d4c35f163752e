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

    def prompt(self, place: int) -> Locator:
        return self.cell(place).locator(".jp-InputPrompt")

    def edit(self, place: int) -> None:
        """Put the cursor into a cell."""
        self.cell(place).locator(".cm-content").click()

    def start(self, place: int) -> None:
        """Run a cell."""
        self.edit(place)
        self.page.keyboard.press("Shift+Enter")

    def run(self, place: int) -> None:
        """Run a cell and wait for its end."""
        before = self.prompt(place).inner_text()
        self.start(place)
        self.wait_for_run(place, before)

    def wait_for_run(self, place: int, before: str) -> None:
        """Wait for the end of a run; `before` is what the cell's prompt was."""
        expect(self.prompt(place)).not_to_have_text(before)
        expect(self.prompt(place)).to_have_text(RAN)

    def found_command(self, label: str) -> Locator:
        """Open the command palette and return the entry of this name."""
        self.page.keyboard.press("Control+Shift+C")
        palette = self.page.locator(".lm-CommandPalette:visible")
        palette.locator("input").fill(label)
        name = self.page.locator(".lm-CommandPalette-itemLabel").filter(
            has_text=re.compile(f"^{re.escape(label)}$")
        )
        return palette.locator(".lm-CommandPalette-item").filter(has=name).first

    def command(self, label: str) -> None:
        """Give a command of the palette."""
        self.found_command(label).click()

    def interrupt(self) -> None:
        self.press("notebook:interrupt-kernel")

    def restart_kernel(self) -> None:
        """Restart the kernel and wait for it."""
        self.press("notebook:restart-kernel")
        self.dialog.get_by_role("button", name="Confirm Kernel Restart").click()
        self.dialog.wait_for(state="detached")
        self.wait_for_kernel()

    def press(self, command: str) -> None:
        """Press a button of the notebook's toolbar."""
        toolbar = self.page.locator(".jp-NotebookPanel-toolbar:visible")
        toolbar.locator(f"[data-command='{command}']").click()

    def wait_for_kernel(self) -> None:
        """Wait until JupyterLab's status bar calls the kernel idle."""
        # The toolbar's indicator is of no use: it calls a kernel idle that is still starting.
        self.page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()

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
    notebook = Notebook(page)
    notebook.wait_for_kernel()
    return notebook


def open_in_notebook_7(page: Page, lab: Lab, path: Path) -> Notebook:
    """Open a notebook in Notebook 7 and wait for its kernel."""
    page.goto(lab.url(NOTEBOOK_7, path))
    page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for()
    # Until all is there, it takes the focus from whatever is opened.
    page.wait_for_load_state("networkidle")
    return Notebook(page)


def open_declining_a_kernel(page: Page, lab: Lab, path: Path, app: str = LAB) -> Notebook:
    """Open a notebook whose kernel does not exist, and decline the offer of another."""
    page.goto(lab.url(app, path))
    notebook = Notebook(page)
    notebook.dialog.get_by_role("button", name="No Kernel").click()
    notebook.dialog.wait_for(state="detached")
    return notebook


def open_without_kernel(page: Page, lab: Lab, path: Path, app: str = LAB) -> Notebook:
    """Do the same with a notebook that holds profiles."""
    notebook = open_declining_a_kernel(page, lab, path, app)
    notebook.cards.first.wait_for()
    return notebook
