"""What the kernel writes while the cell runs."""

import json
import threading
import time

import pytest

from jupyter_mlprof.advise.so_far import so_far
from jupyter_mlprof.collect import journal
from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.journal import GROWN_BYTES, Journal
from jupyter_mlprof.collect.ticker import Ticker
from jupyter_mlprof.model.lines import LineTime


class IdleTicker(Ticker):
    """Calls its job when the test does."""

    def add(self, job):
        self._jobs.append(job)

    def tick(self):
        for job in self._jobs:
            job()


class Told:
    """A journal of a made-up cell."""

    def __init__(self, folder, clock):
        self.line, self.clock, self.ticker = 1, clock, IdleTicker()
        self.journal = Journal(
            folder / "kernel.jsonl", self.ticker, lambda: self.line, lambda t: {"at": t}
        )
        self.journal.start(CellCode("", "<cell>", 0))

    def run(self, seconds, line=None, resident=None):
        """Let the cell run at 50 Hz; return the rows that are written meanwhile."""
        begun = len(self.rows())
        for _ in range(round(seconds * 50)):
            self.clock.now += 0.02
            self.line = line(self.clock.now) if line else 1
            self.clock.resident = resident(self.clock.now) if resident else 0
            self.ticker.tick()
        return self.rows()[begun:]

    def rows(self):
        return [json.loads(row) for row in self.journal.file.read_text().splitlines()]


@pytest.fixture
def clock(monkeypatch):
    """Time and memory as the test sets them."""

    class Clock:
        now, resident = 0.0, 0

    monkeypatch.setattr(time, "monotonic", lambda: Clock.now)
    monkeypatch.setattr(journal, "resident_bytes", lambda: Clock.resident)
    return Clock


@pytest.fixture
def told(tmp_path, clock):
    one = Told(tmp_path, clock)
    yield one
    one.journal.stop()


def looks(rows):
    return [row["so_far"]["at"] for row in rows if "so_far" in row]


def test_a_line_that_stays_is_told_twice_a_second(told):
    rows = [row for row in told.run(0.9) if "line" in row]
    assert [row["line"] for row in rows] == [1, 1]


def test_a_line_that_changes_is_told_at_once(told):
    rows = [row for row in told.run(1, line=lambda now: round(now / 0.1)) if "line" in row]
    assert [row["line"] for row in rows] == list(range(11))


def test_looks_grow_rare(told):
    assert looks(told.run(40)) == pytest.approx([1, 2, 4, 8, 23, 38], abs=0.05)


def test_memory_that_grows_is_looked_at_once_a_second(told):
    told.run(9)
    seen = looks(told.run(5, resident=lambda now: (now - 9) * GROWN_BYTES))
    assert len(seen) in (4, 5)


def test_a_full_disk_ends_the_journal_alone(told):
    told.run(0.5)
    told.journal._stream.close()
    told.run(2)
    told.journal._stream = told.journal.file.open("a")
    report = told.journal.report()
    assert (report.state, "ValueError" in report.reason) == ("failed", True)


SOURCE = "%%mlprof\nfor x in data:\n    step(x)"


@pytest.mark.parametrize(
    ("waited", "lines", "text"),
    [
        (7.0, (), "So far 70 % of 10 s waited for the DataLoader."),
        (
            0.0,
            (LineTime(2, 9.9, 500), LineTime(3, 9.0, 450)),
            "So far 90 % of 10 s went into line 3 (`step(x)`).",
        ),
        (0.0, (LineTime(2, 4.0, 200), LineTime(3, 5.0, 250)), None),
        (0.0, (), None),
    ],
)
def test_so_far_is_told_when_clear(waited, lines, text):
    assert so_far(10.0, waited, lines, SOURCE) == text


def test_so_far_shows_no_source_that_is_left_out():
    assert so_far(1.0, 0.0, [LineTime(3, 1.0, 50)], "") == "So far 100 % of 1 s went into line 3."


def test_a_tick_under_way_when_the_cell_ends_is_no_failure(told):
    told.line = None
    told.journal.line = lambda: told.journal.stop() or 2
    told.run(0.02)
    assert told.journal.report().state == "ran"


def test_a_job_that_fails_when_it_was_taken_out_does_not_stop_the_others():
    ticker, ran = Ticker(), threading.Event()

    def fails():
        ticker._jobs.remove(fails)
        raise ValueError("late")

    ticker.add(fails)
    ticker.add(ran.set)
    assert ran.wait(5)
    ticker.remove(ran.set)
    assert ticker.failure == "ValueError: late"
