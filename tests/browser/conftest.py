"""One server, one browser and one run notebook for all tests of this folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from jupyter_mlprof.notebook_file import write
from tests.browser import notebooks
from tests.browser.lab import running_lab

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
CHROMIUMS = ["chromium", "chromium-browser", "google-chrome"]
# As root there is no sandbox; the rest keeps Chromium from the network.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
TIMEOUT_MS = 60_000


@pytest.fixture
def jp_asyncio_loop():
    """Not the loop that pytest-jupyter gives every test and closes: Playwright runs its own."""


@pytest.fixture
def jp_server_cleanup():
    """Nor its clean-up, which needs that loop; no server runs in this process."""


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    with running_lab(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="module")
def browser():
    """Chromium; not for the session, since tests that run after these need the event loop."""
    expect.set_options(timeout=TIMEOUT_MS)
    chromium = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    assert chromium, "The browser tests need Chromium: see `make chromium`."
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def page(browser, request):
    """A page of a fresh browser profile; errors thrown by our front end fail the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 1400})
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(error.stack or ""))
    failures = request.session.testsfailed
    yield page
    if request.session.testsfailed > failures:
        page.screenshot(path=SCREENSHOTS / f"failed-{request.node.name}.png")
    context.close()
    assert [error for error in errors if "mlprof" in error] == []


@pytest.fixture(scope="session")
def profiled(lab):
    """A notebook that was run with `jupyter mlprof run`; tests open copies of it."""
    path = lab.root / "profiled.ipynb"
    write(notebooks.training(), path)
    mlprof("run", path)
    return path


@pytest.fixture(scope="session")
def report(profiled, tmp_path_factory):
    """The page that `jupyter mlprof report` makes of that notebook."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    mlprof("report", profiled, "-o", path)
    return path


@pytest.fixture(scope="session")
def screenshots():
    """Where pictures go, for a person to look at."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


def mlprof(*arguments):
    command = [sys.executable, "-m", "jupyter_mlprof", *map(os.fspath, arguments)]
    subprocess.run(command, check=True, capture_output=True)
