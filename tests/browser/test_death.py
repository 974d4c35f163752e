"""A kernel that is killed in the middle of a cell, as the panel tells it."""

import os
import re
import signal

import pytest
from playwright.sync_api import expect

from jupyter_mlprof.model.runfile import read_header, runs_folder
from jupyter_mlprof.model.runs import list_runs
from jupyter_mlprof.notebook_file import write
from tests.browser import notebooks
from tests.browser.notebooks import ENDLESS, GROWING, LOAD
from tests.browser.page import open_notebook
from tests.browser.panel import Panel
from tests.browser.sockets import LiveSockets
from tests.server import gone_within

pytestmark = pytest.mark.slow

DIES, GROWS = 1, 2
SIDECAR_ENDS_S = 20


def pid_of_the_running_cell(lab, path):
    """Return the process that runs a profiled cell, as its run's header has it."""
    runs = runs_folder(lab.data_dir)
    (run,) = list_runs(runs, notebook=str(path))
    header = read_header(runs / run.id)
    assert header is not None
    return header.pid


def test_a_killed_cell_is_told_and_the_next_run_is_clean(page, lab, screenshots):
    path = lab.root / "killed.ipynb"
    write(notebooks.of_cells(LOAD, ENDLESS, GROWING), path)
    notebook = open_notebook(page, lab, path)
    sockets = LiveSockets(page)
    panel = Panel(page)
    panel.open()
    notebook.run(0)
    notebook.start(DIES)
    expect(panel.so_far).to_contain_text("line 7")
    pid = pid_of_the_running_cell(lab, path)
    os.kill(pid, signal.SIGKILL)
    expect(panel.verdict).to_have_text(re.compile(r"Killed after \d\.\d+ s in line [67]\b"))
    expect(panel.live).to_have_count(0)
    expect(panel.head).to_contain_text(re.compile(r"In \[2\] import time .* kernel died"))
    assert panel.curve_end() > 1
    assert gone_within(pid, SIDECAR_ENDS_S)
    notebook.dialog.get_by_role("button", name="Ok").click()
    page.screenshot(path=screenshots / "killed.png")

    # The server started the kernel anew.
    notebook.run(0)
    notebook.run(GROWS)
    card = notebook.cell(GROWS).locator(".jp-MlprofCard-verdict")
    expect(panel.verdict).to_have_text(card.inner_text())
    expect(panel.verdict).not_to_contain_text("Killed")
    assert len(sockets.open) == 1
