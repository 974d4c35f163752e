"""A kernel killed in the middle of a cell: what can be read afterwards, and what is left."""

import os
import random
import signal
import time

import pytest

from jupyter_mlprof.collect.sidecar_proc import started
from jupyter_mlprof.model.runfile import runs_folder
from jupyter_mlprof.model.runs import list_runs
from jupyter_mlprof.postmortem import post_mortem
from tests.integration.test_command_line import mlprof
from tests.kernel import Kernel
from tests.server import gone_within, sidecars

# A cell that calculates, one that waits, one that holds the interpreter, one that fills memory.
CELLS = {
    "busy": "%%mlprof\nn = 0\nwhile True:\n    n += 1\n",
    "idle": "%%mlprof\nimport time\ntime.sleep(60)\n",
    "held": "%%mlprof\nimport ctypes, time\ntime.sleep(0.3)\nctypes.PyDLL(None).usleep(10**8)\n",
    "full": "%%mlprof\nbatches = []\nfor n in range(10**9):\n"
    "    if n < 100:\n        batches.append(bytearray(1_000_000))\n",
}
LINES = {"busy": {3, 4}, "idle": {3}, "held": {3, 4}, "full": {3, 4, 5}}


def wait_for(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def running(runs):
    return next((run for run in list_runs(runs) if run.state == "running"), None)


def killed_in(kernel, cell, after_s, runs):
    """Run a cell, kill its kernel, and return its process id and the run's."""
    kernel.run("%load_ext jupyter_mlprof")
    pid = kernel.pid
    kernel.send(CELLS[cell], cell)
    wait_for(lambda: running(runs))
    time.sleep(after_s)
    run = running(runs)
    assert run is not None
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: started(pid) is None)
    return pid, run.id


@pytest.mark.parametrize("cell", [*CELLS, "full"])
def test_a_killed_cell_leaves_a_post_mortem(cell, tmp_path, monkeypatch):
    after_s = random.SystemRandom().uniform(1.6, 2.5)
    runs = runs_folder(tmp_path)
    with Kernel(tmp_path) as kernel:
        pid, run_id = killed_in(kernel, cell, after_s, runs)
        assert gone_within(pid, 20)
        profile = post_mortem(runs / run_id)
        assert profile is not None
        assert (profile.outcome, profile.cell.id) == ("killed", cell)
        assert profile.cell.source == CELLS[cell]
        assert profile.error is not None
        assert profile.error.line in LINES[cell]
        assert profile.memory is not None
        assert profile.verdict.rule == "killed/other"  # the counters tell: nobody ran out of memory
        (summary,) = list_runs(runs)
        assert (summary.state, summary.outcome) == ("killed", "killed")
        monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
        shown = mlprof("show", "--last")
        assert shown.returncode == 0
        assert "Killed after" in shown.stdout
        assert ("held the interpreter" in profile.verdict.text) == (cell == "held")


def test_a_kernel_killed_with_its_sidecar_is_known_by_its_process(tmp_path):
    runs = runs_folder(tmp_path)
    with Kernel(tmp_path) as kernel:
        kernel.run("%load_ext jupyter_mlprof")
        kernel.run("%%mlprof\nx = 1")
        for sidecar in sidecars(kernel.pid):
            os.kill(sidecar, signal.SIGSTOP)  # it neither sees the end nor tells of it
            stopped = sidecar
        _, run_id = killed_in(kernel, "busy", 0.5, runs)
        os.kill(stopped, signal.SIGKILL)
        wait_for(lambda: post_mortem(runs / run_id))
        profile = post_mortem(runs / run_id)
        assert profile is not None
        assert profile.error is not None
        assert profile.error.line in LINES["busy"]
        assert "nothing tells why" in profile.verdict.text


def test_the_kernel_that_comes_next_is_clean(tmp_path):
    runs = runs_folder(tmp_path)
    with Kernel(tmp_path) as kernel:
        pid, _ = killed_in(kernel, "busy", 0.5, runs)
        kernel.client.stop_channels()
        kernel.manager.restart_kernel(now=True, env=kernel.env)
        kernel.client = kernel.manager.blocking_client()
        kernel.client.start_channels()
        kernel.client.wait_for_ready(timeout=60)
        kernel.run("%load_ext jupyter_mlprof")
        profile = kernel.run("%%mlprof\nimport time\ntime.sleep(0.3)\n").profile
        assert profile.outcome == "ok"
        assert profile.previous is None
        assert [run.state for run in list_runs(runs)] == ["ended", "killed"]
        assert sidecars(pid) == []
        assert len(sidecars(kernel.pid)) == 1
