"""A cell that runs, as the panel tells it."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from jupyter_mlprof.notebook_file import write
from tests.browser import notebooks
from tests.browser.notebooks import ENDLESS, FLOODING, GROWING, HOLDING, LOAD
from tests.browser.page import open_notebook
from tests.browser.panel import Panel
from tests.browser.sockets import LiveSockets

pytestmark = pytest.mark.slow

CELLS = [LOAD, GROWING, HOLDING, FLOODING, ENDLESS]
GROWS, HOLDS, FLOODS, NEVER_ENDS = range(1, len(CELLS))
MB = 1_000_000
RUNNING = re.compile(r"Running for [1-4]\.\d+ s")


def written(lab, name):
    path = lab.root / f"{name}.ipynb"
    write(notebooks.of_cells(*CELLS), path)
    return path


def test_a_cell_is_told_while_it_runs_and_its_profile_takes_over(page, lab, screenshots):
    sockets = LiveSockets(page)
    notebook = open_notebook(page, lab, written(lab, "live"))
    notebook.run(0)
    sockets.settle()
    assert sockets.ever == 0

    panel = Panel(page)
    panel.open()
    expect(panel.root).to_contain_text("No profile yet: put %%mlprof on a cell and run it.")
    sockets.settle()
    assert len(sockets.open) == 1
    notebook.start(GROWS)
    expect(panel.elapsed).to_have_text(RUNNING)
    expect(panel.line).to_contain_text(re.compile(r"line [67]"))
    early = panel.curve_end()
    expect(panel.so_far).to_have_text(re.compile(r"^So far [\d.]+ % of [\d.]+ s went into line 7"))
    page.screenshot(path=screenshots / "live.png")
    panel.wait_for_curve_after(early)
    rss = [value for one in sockets.of("sample") for value in one["series"]["rss"]]
    assert max(rss) > min(rss) + 20 * MB
    expect(panel.live).to_have_count(0)
    expect(panel.verdict).to_have_text(
        notebook.cards.locator(".jp-MlprofCard-verdict").inner_text()
    )
    assert panel.curve_end() == pytest.approx(6, abs=2)

    # One socket for the kernel, whatever becomes of it, and none when nobody looks.
    notebook.restart_kernel()
    sockets.settle()
    assert len(sockets.open) == 1
    panel.close()
    sockets.settle()
    assert sockets.open == []
    panel.open()
    notebook.run(0)
    notebook.start(NEVER_ENDS)
    expect(panel.elapsed).to_have_text(RUNNING)
    assert len(sockets.open) == 1
    notebook.interrupt()
    expect(panel.live).to_have_count(0)
    expect(panel.verdict).to_contain_text("KeyboardInterrupt")


def test_nothing_that_a_cell_does_stops_the_view(page, lab):
    sockets = LiveSockets(page)
    notebook = open_notebook(page, lab, written(lab, "stubborn"))
    panel = Panel(page)
    panel.open()
    notebook.run(0)
    notebook.run(HOLDS)
    # Not all at once at the end: each message brings the curve on by less than a second.
    told = [one["t_s"][-1] for one in sockets.of("sample")]
    assert told[-1] > 3.5
    assert max(after - before for before, after in pairwise([0.0, *told])) < 1
    assert max(after - before for before, after in pairwise(sockets.times)) < 1
    expect(panel.verdict).to_have_text(
        notebook.cards.locator(".jp-MlprofCard-verdict").inner_text()
    )

    notebook.run(FLOODS)
    expect(notebook.cell(FLOODS)).to_contain_text("IOPub message rate exceeded")
    expect(notebook.cell(FLOODS).locator(".jp-MlprofCard")).to_have_count(0)
    expect(panel.live).to_have_count(0)
    expect(panel.verdict).to_contain_text("line 5 (`time.sleep(2)`)")
    assert len(sockets.open) == 1


def test_a_page_that_is_loaded_again_shows_the_curve_from_its_start(page, lab):
    notebook = open_notebook(page, lab, written(lab, "again"))
    panel = Panel(page)
    panel.open()
    notebook.run(0)
    notebook.start(NEVER_ENDS)
    expect(panel.so_far).to_contain_text("line 7")
    before = panel.curve_end()
    sockets = LiveSockets(page)
    page.reload()
    expect(panel.so_far).to_contain_text("line 7")
    panel.wait_for_curve_after(before)
    assert sockets.times[0] < 0.5
    assert max(after - before for before, after in pairwise(sockets.times)) < 1
    assert len(sockets.open) == 1
    notebook.interrupt()
    expect(panel.live).to_have_count(0)
    expect(panel.verdict).to_contain_text("KeyboardInterrupt")
