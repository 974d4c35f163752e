"""The sidecar's script: which rows it keeps, and what it tells of a dead kernel."""

import json
import subprocess
import sys
import time

import pytest

from jupyter_mlprof.collect import cgroups, sidecar_script
from jupyter_mlprof.collect.sidecar_proc import Memory, started
from jupyter_mlprof.collect.sidecar_rows import Rows

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]


@pytest.fixture
def sleeper():
    with subprocess.Popen(SLEEPER) as process:
        yield process
        process.kill()


def row(t, rss):
    return [t, rss, 0.0, 0, 0.0, 0, None, None, None]


def kept(tmp_path, rows, apart):
    path = tmp_path / "sidecar.jsonl"
    file = Rows(str(path), {"columns": sidecar_script.COLUMNS})
    for one in rows:
        file.add(one, apart)
    file.close()
    header, *lines = map(json.loads, path.read_text().splitlines())
    assert header["columns"][:2] == ["t", "rss"]
    return [(line[0], line[1]) for line in lines]


def test_all_rows_of_a_short_run_are_kept(tmp_path):
    rows = [row(t, 100) for t in range(5)]
    assert kept(tmp_path, rows, 0.0) == [(t, 100) for t in range(5)]


def test_a_long_run_keeps_the_highest_row_of_each_span_and_the_last(tmp_path):
    rows = [row(t, rss) for t, rss in enumerate([100, 99, 104, 98, 97, 96, 95], 10)]
    assert kept(tmp_path, rows, 5) == [(10, 100), (12, 104), (15, 96), (16, 95)]
    flat = [row(t, 100) for t in range(10, 17)]
    assert kept(tmp_path, flat, 5) == [(10, 100), (15, 100), (16, 100)]


def test_memory_that_rises_is_written_at_once(tmp_path):
    rows = [row(t, rss) for t, rss in enumerate([100, 101, 150, 151, 120], 10)]
    assert kept(tmp_path, rows, 100) == [(10, 100), (12, 150), (13, 151), (14, 120)]


def test_the_rows_of_an_hour_stay_few(tmp_path, monkeypatch):
    """An hour of ten samples a second, with memory that goes up and down."""

    class Clock:
        n = 0

        def monotonic(self):
            return self.n / 10

    class Reader:
        least_s = 0.0
        pids = frozenset({1})

        def sample(self):
            return 1.0, 100 + clock.n % 7 * 10

        def family(self):
            return 0, 0.0, 0

        def look(self):
            return None, None, None

        def told(self):
            return {}

        def close(self):
            pass

    clock = Clock()
    monkeypatch.setattr(sidecar_script, "time", clock)
    watch = sidecar_script.Watch(Reader(), str(tmp_path), {})
    for n in range(36_000):
        clock.n = n
        watch.sample()
    watch.close()
    assert 3_600 < len(lines(tmp_path)) < 9_000


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Return the root of made-up control groups, in which every process is in /a/b of version 1."""
    membership = "4:memory:/a/b\n5:cpu,cpuacct:/a/b\n0::/\n"
    real = cgroups.text

    def text(path):
        return membership if path.endswith("/cgroup") else real(path)

    monkeypatch.setattr(cgroups, "CGROUPS", str(tmp_path))
    monkeypatch.setattr(cgroups, "text", text)
    (tmp_path / "memory" / "a" / "b").mkdir(parents=True)
    return tmp_path


def test_kills_are_counted_in_the_innermost_group_that_tells(tree):
    inner = tree / "memory" / "a" / "b"
    (inner / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n")
    (inner.parent / "memory.oom_control").write_text("oom_kill 70\n")
    (inner.parent / "memory.limit_in_bytes").write_text("8000000\n")
    (inner.parent / "memory.usage_in_bytes").write_text("7000000\n")
    (inner.parent / "memory.stat").write_text("cache 900\ntotal_inactive_file 500000\n")
    memory = Memory(1)
    (inner / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 1\noom_kill 4\n")
    memory.look()
    told = memory.told()
    assert (told["oom_kills"], told["limit"], told["available"]) == (1, 8_000_000, 1_500_000)


def test_without_control_groups_nothing_is_known(monkeypatch):
    monkeypatch.setattr(cgroups, "groups", lambda *_: [])
    told = Memory(1).told()
    assert (told["oom_kills"], told["limit"]) == (None, None)


def start(process, tmp_path):
    """Start the script beside a process, sampling."""
    begun = str(started(process.pid))
    command = [sys.executable, "-I", "-S", sidecar_script.__file__, str(process.pid), begun]
    sidecar = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert sidecar.stdin is not None
    order = {"start": str(tmp_path), "header": {"run_id": "x"}}
    sidecar.stdin.write(json.dumps(order).encode() + b"\n")
    sidecar.stdin.flush()
    return sidecar


def lines(tmp_path):
    path = tmp_path / "sidecar.jsonl"
    return path.read_text().splitlines() if path.exists() else []


def wait_for(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_killed_process_leaves_a_last_line(sleeper, tmp_path):
    with start(sleeper, tmp_path) as sidecar:
        wait_for(lambda: len(lines(tmp_path)) > 5)
        sleeper.kill()
        assert sidecar.wait(20) == 0
    *_, before, last = map(json.loads, lines(tmp_path))
    assert before[1] > 0
    assert last["gone"] >= before[0]
    assert last.keys() == {
        "gone",
        "oom_kills",
        "machine_oom_kills",
        "limit",
        "available",
        "cpu_s",
    }


def test_a_process_that_only_closes_its_end_is_not_called_dead(sleeper, tmp_path):
    with start(sleeper, tmp_path) as sidecar:
        wait_for(lambda: len(lines(tmp_path)) > 5)
        assert sidecar.stdin is not None
        sidecar.stdin.close()
        assert sidecar.wait(20) == 0
    assert "gone" not in lines(tmp_path)[-1]
