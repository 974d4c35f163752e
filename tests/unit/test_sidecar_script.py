"""The sidecar's script: which rows it keeps, and what it tells of a dead kernel."""

import json
import subprocess
import sys
import time

import pytest

from jupyter_mlprof.collect import sidecar_script
from jupyter_mlprof.collect.sidecar_script import Memory, Rows, memory_groups

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
    file = Rows(str(path), {"pid": 1})
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

    clock = Clock()
    monkeypatch.setattr(sidecar_script, "cpu_and_rss", lambda _: (1.0, 100 + clock.n % 7 * 10))
    monkeypatch.setattr(sidecar_script, "children", lambda _: [])
    monkeypatch.setattr(sidecar_script, "time", clock)
    watch = sidecar_script.Watch(1, str(tmp_path), {})
    monkeypatch.setattr(watch.memory, "look", lambda: None)
    for n in range(36_000):
        clock.n = n
        watch.sample()
    watch.close()
    assert 3_600 < len(lines(tmp_path)) < 9_000


def test_kills_are_counted_in_the_innermost_group_that_tells(tmp_path, monkeypatch):
    inner = tmp_path / "memory" / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.setattr(sidecar_script, "CGROUPS", str(tmp_path))
    monkeypatch.setattr(
        sidecar_script,
        "text",
        lambda path, text=sidecar_script.text: (
            "4:memory:/a/b\n0::/\n" if path.endswith("/cgroup") else text(path)
        ),
    )
    groups = [str(inner), str(inner.parent), str(tmp_path / "memory"), str(tmp_path)]
    assert memory_groups(1) == groups
    (inner / "memory.limit_in_bytes").write_text("9223372036854771712\n")
    (inner.parent / "memory.limit_in_bytes").write_text("8000000\n")
    (inner / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n")
    (inner.parent / "memory.oom_control").write_text("oom_kill 70\n")
    memory = Memory(1)
    (inner / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 1\noom_kill 4\n")
    (inner / "memory.usage_in_bytes").write_text("7000000\n")
    (inner / "memory.stat").write_text("cache 900\ntotal_inactive_file 500000\n")
    memory.look()
    told = memory.told()
    assert (told["oom_kills"], told["limit"], told["available"]) == (1, 8_000_000, 1_500_000)


def test_version_2_of_control_groups_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(sidecar_script, "CGROUPS", str(tmp_path))
    (tmp_path / "memory.events").write_text("low 0\noom 2\noom_kill 2\noom_group_kill 0\n")
    (tmp_path / "memory.max").write_text("max\n")
    monkeypatch.setattr(sidecar_script, "memory_groups", lambda _: [str(tmp_path)])
    memory = Memory(1)
    assert memory.kills()[0] == 2
    assert memory.told()["oom_kills"] == 0
    assert memory.told()["limit"] is None


def test_without_control_groups_nothing_is_known(tmp_path, monkeypatch):
    monkeypatch.setattr(sidecar_script, "memory_groups", lambda _: [])
    told = Memory(1).told()
    assert (told["oom_kills"], told["limit"]) == (None, None)


def start(process, tmp_path):
    """Start the script beside a process, sampling."""
    begun = str(sidecar_script.started(process.pid))
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
