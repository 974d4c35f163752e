"""One run of all collectors around one cell.

A collector that fails is reported as failed; it neither stops the others nor reaches the cell.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Collector, Parts
from jupyter_mlprof.model.collectors import CollectorReport


@dataclass(frozen=True, slots=True)
class Measured:
    """What a capture yields: wall and CPU seconds, the parts, and a report of each collector."""

    duration_s: float
    cpu_s: float
    parts: Parts
    reports: tuple[CollectorReport, ...]


@dataclass
class Capture:
    """Starts its collectors in order and stops them in reverse."""

    collectors: Sequence[Collector]
    _running: list[Collector] = field(default_factory=list)
    _reports: dict[str, CollectorReport] = field(default_factory=dict)
    _started: float = 0.0
    _cpu: float = 0.0

    def start(self, cell: CellCode) -> None:
        """Start what is available."""
        for collector in self.collectors:
            self._guard(collector, partial(self._start_one, collector, cell))
        self._cpu = _cpu_seconds()
        self._started = time.monotonic()

    def stop(self) -> Measured:
        """Stop everything and return what was seen."""
        duration = time.monotonic() - self._started
        cpu = _cpu_seconds() - self._cpu
        parts: Parts = {}
        for collector in reversed(self._running):
            self._guard(collector, partial(self._stop_one, collector, parts))
        self._running.clear()
        reports = tuple(self._report(collector) for collector in self.collectors)
        cpu += parts.get("children_cpu_s", 0.0)
        return Measured(duration, cpu, parts, reports)

    def _start_one(self, collector: Collector, cell: CellCode) -> None:
        reason = collector.available(cell)
        if reason is not None:
            self._reports[collector.name] = CollectorReport(collector.name, "unavailable", reason)
            return
        self._running.append(collector)
        collector.start(cell)

    @staticmethod
    def _stop_one(collector: Collector, parts: Parts) -> None:
        parts.update(collector.stop())

    def _guard(self, collector: Collector, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - nothing of ours may reach the user's cell
            reason = f"{type(error).__name__}: {error}"[:200]
            self._reports[collector.name] = CollectorReport(collector.name, "failed", reason)

    def _report(self, collector: Collector) -> CollectorReport:
        return self._reports.get(collector.name) or collector.report()


def _cpu_seconds() -> float:
    """CPU seconds of this process and of the children that have ended."""
    return sum(os.times()[:4])
