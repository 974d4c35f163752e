"""What the sidecar sees by psutil, as on systems without /proc, looked at where there is one."""

import contextlib
import json
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from jupyter_mlprof.collect import sidecar, sidecar_process, sidecar_script
from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.run_samples import read_samples
from jupyter_mlprof.model.runfile import json_lines
from tests.run_files import header

psutil = pytest.importorskip("psutil", reason="psutil is not installed")
FOLDER = str(Path(psutil.__file__).parents[1])
CELL = CellCode("", "", thread_id=0)
FAMILY = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
block = bytearray(50_000_000)
time.sleep(99)
"""


@pytest.fixture
def family():
    with subprocess.Popen([sys.executable, "-c", FAMILY]) as process:
        parent = psutil.Process(process.pid)
        deadline = time.monotonic() + 20
        while not parent.children():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        every = [parent, *parent.children()]
        yield parent
        for one in every:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()


@pytest.fixture
def script(family, tmp_path):
    """The script as the kernel starts it where it finds psutil and no /proc."""
    command = [sys.executable, "-I", "-S", sidecar_script.__file__]
    identity = [str(family.pid), str(family.create_time()), FOLDER]
    with subprocess.Popen([*command, *identity], stdin=-1, stdout=-1) as process:
        yield process
        process.kill()


def order(script, **command):
    script.stdin.write(json.dumps(command).encode() + b"\n")
    script.stdin.flush()


def rows(folder, least):
    deadline = time.monotonic() + 20
    while True:
        found = read_samples(json_lines(folder / "sidecar.jsonl")).rows
        if len(found) >= least:
            return found
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_memory_cpu_and_children_are_seen_five_times_a_second(script, family, tmp_path):
    order(script, start=str(tmp_path), header={})
    found = rows(tmp_path, 6)
    order(script, stop=True)
    assert json.loads(script.stdout.readline())["cpu_s"] > 0
    gaps = [after[0] - before[0] for before, after in pairwise(found)]
    assert min(gaps) > 0.15
    last = found[-1]
    assert last[1] == pytest.approx(family.memory_info().rss, rel=0.1)
    (child,) = family.children()
    assert last[3] == pytest.approx(child.memory_info().rss, rel=0.1)
    assert last[5] == 1
    assert last[4] > found[0][4]
    assert last[4] <= sum(child.cpu_times()[:2])
    assert last[8] > found[0][8]  # the machine's cores


def test_the_time_of_a_child_that_ends_is_kept(script, family, tmp_path):
    order(script, start=str(tmp_path), header={})
    before = rows(tmp_path, 4)[-1]
    family.children()[0].kill()
    deadline = time.monotonic() + 20
    while (last := rows(tmp_path, 4)[-1])[5]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert last[4] >= before[4] > 0
    assert last[3] == 0


def test_a_death_is_noticed(script, family, tmp_path):
    order(script, start=str(tmp_path), header={})
    rows(tmp_path, 3)
    family.kill()
    assert script.wait(20) == 0
    *_, last = json_lines(tmp_path / "sidecar.jsonl")
    assert last["gone"] > 0
    assert last["available"] > 0
    assert last["oom_kills"] is None


def test_another_process_of_the_same_id_is_not_watched(family):
    command = [sys.executable, "-I", "-S", sidecar_script.__file__]
    command += [str(family.pid), str(family.create_time() - 5), FOLDER]
    assert subprocess.run(command, stdin=subprocess.PIPE, timeout=20, check=False).returncode == 0


@pytest.fixture
def without_proc(monkeypatch):
    for module in (sidecar, sidecar_process):
        monkeypatch.setattr(module, "reads_proc", lambda: False)


def test_the_kernel_starts_it_with_psutil_where_there_is_no_proc(without_proc, tmp_path):
    beside = sidecar_process.SidecarProcess()
    beside.start(tmp_path, {}, None)
    found = rows(tmp_path, 3)
    assert found[-1][1] == pytest.approx(psutil.Process().memory_info().rss, rel=0.2)
    assert beside.stop() > 0
    for pipe in (beside._process.stdin, beside._process.stdout):
        assert pipe is not None
        pipe.close()


def test_without_psutil_the_reason_is_told(without_proc, tmp_path, monkeypatch):
    one = sidecar.Sidecar(tmp_path, header())
    assert one.available(CELL) is None
    monkeypatch.setattr(sidecar, "module_path", lambda _: None)
    assert "pip install psutil" in (one.available(CELL) or "")
