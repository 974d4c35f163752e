"""One run of all collectors around one cell.

A collector that fails is reported as failed; it neither stops the others nor reaches the cell.
"""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Collector, Parts, Peekable
from jupyter_mlprof.model.collectors import CollectorReport


@dataclass(frozen=True, slots=True)
class Measured:
    """What a capture yields: wall and CPU seconds, the parts, and a report of each collector.

    `own_cpu_s` is what starting and stopping took in the cell's thread.
    """

    duration_s: float
    cpu_s: float
    own_cpu_s: float
    parts: Parts
    reports: tuple[CollectorReport, ...]


@dataclass
class Capture:
    """Starts its collectors in order and stops them in reverse.

    An interrupt waits until all are started, or all are stopped: what is half done stays on.
    """

    collectors: Sequence[Collector]
    _running: list[Collector] = field(default_factory=list)
    _reports: dict[str, CollectorReport] = field(default_factory=dict)
    _parts: Parts = field(default_factory=Parts)
    _begun: tuple[float, float, float] = (0.0, 0.0, 0.0)
    _spent: tuple[float, float, float] | None = None
    _own_cpu_s: float = 0.0

    def start(self, cell: CellCode) -> None:
        """Start what is available."""
        with undisturbed(), self._booked():
            for collector in self.collectors:
                self._guard(collector, partial(self._start_one, collector, cell))
            self._begun = _clocks()

    def end(self) -> None:
        """Stop everything; what comes later is not the cell's. Only the first call counts."""
        with undisturbed(), self._booked():
            self._spent = self._spent or self._since_begun()
            while self._running:
                collector = self._running.pop()
                self._guard(collector, partial(self._stop_one, collector))

    @property
    def duration_s(self) -> float:
        """Wall seconds of the cell, to its end or so far."""
        return (self._spent or self._since_begun())[0]

    def peek(self) -> Parts:
        """Return what the collectors that can tell have seen so far; called while the cell runs."""
        seen = Parts()
        for collector in tuple(self._running):
            if isinstance(collector, Peekable):
                seen.update(collector.peek())
        return seen

    def stop(self) -> Measured:
        """Stop what is not stopped yet and return what was seen."""
        self.end()
        reports = tuple(self._report(collector) for collector in self.collectors)
        wall, own_cpu, waited_for = self._spent or (0.0, 0.0, 0.0)
        cpu = own_cpu + self._parts.get("children_cpu_s", waited_for)
        return Measured(wall, cpu, self._own_cpu_s, self._parts, reports)

    @contextlib.contextmanager
    def _booked(self) -> Iterator[None]:
        """Count what the block costs as ours."""
        before = time.thread_time()
        yield
        self._own_cpu_s += time.thread_time() - before

    def _since_begun(self) -> tuple[float, float, float]:
        wall, own, waited_for = (
            now - before for now, before in zip(_clocks(), self._begun, strict=True)
        )
        return wall, own, waited_for

    def _start_one(self, collector: Collector, cell: CellCode) -> None:
        reason = collector.available(cell)
        if reason is not None:
            self._reports[collector.name] = CollectorReport(collector.name, "unavailable", reason)
            return
        self._running.append(collector)
        collector.start(cell)

    def _stop_one(self, collector: Collector) -> None:
        self._parts.update(collector.stop())

    def _guard(self, collector: Collector, act: Callable[[], None]) -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - nothing of ours may reach the user's cell
            reason = f"{type(error).__name__}: {error}"[:200]
            self._reports[collector.name] = CollectorReport(collector.name, "failed", reason)

    def _report(self, collector: Collector) -> CollectorReport:
        return self._reports.get(collector.name) or collector.report()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Put an interrupt off to the end of the block."""
    handler = signal.getsignal(signal.SIGINT)
    # Python runs handlers in the main thread only, so another one is never interrupted.
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    missed: list[tuple[Any, ...]] = []
    signal.signal(signal.SIGINT, lambda *given: missed.append(given))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if missed:
            handler(*missed[0])


def _clocks() -> tuple[float, float, float]:
    """Return the time, and the CPU seconds of this process and of its children that have ended."""
    times = os.times()
    return time.monotonic(), sum(times[:2]), sum(times[2:4])
