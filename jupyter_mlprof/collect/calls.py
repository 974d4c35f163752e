"""Exact call counts and callers, from cProfile.

Only counts are kept: cProfile's times charge small functions too much. A call costs 0.2-0.6 us;
Python 3.11 moreover interprets every instruction more slowly while it runs, by up to 1.7 in loops
that call nothing. Counting is cut off when the ledger says that it has cost enough, which on 3.11
is after some 50 ms, unless the user asks for counts to the end.
"""

import cProfile
import functools
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from jupyter_mlprof.collect.cell_code import CELL_FILE, CellCode, is_ours
from jupyter_mlprof.collect.collector import CallCount, Parts
from jupyter_mlprof.collect.ledger import Ledger
from jupyter_mlprof.collect.patch import Patches
from jupyter_mlprof.collect.ticker import Ticker
from jupyter_mlprof.model.collectors import CollectorReport, State
from jupyter_mlprof.model.functions import Caller, CallSpan, Frame

COST_PER_CALL_S = 0.4e-6
# Of the time in which it counts, what it costs besides: measured on loops of torch operators.
SLOWDOWN = 0.3 if sys.version_info < (3, 12) else 0.0
FIRST_LOOK_S = 0.02
CALLERS_KEPT = 5
PROFILER_ID = 2  # sys.monitoring.PROFILER_ID, from Python 3.12
LOOK_AT_LEAST_S = 0.04
LOOK_SHARE = 0.01
OTHER_PROFILERS = re.compile(
    r"%l?prun\b|%mprun\b|\bcProfile\b|\b[gs]et(?:_?trace|profile)\b|\bsys\.monitoring\b"
    r"|\bi?pdb\b|\bbreakpoint\("
    r"|\b(?:import|from|load_ext)\s+(?:profile|pyinstrument|viztracer|yappi|line_profiler|scalene)\b"
)


@dataclass
class Calls:
    """Counts calls in the cell's thread until the cell ends or the ledger's share is used up.

    With `at_any_cost` it goes on to the end.
    """

    ticker: Ticker
    ledger: Ledger
    at_any_cost: bool = False
    name: str = "calls"
    _cell: CellCode | None = None
    _profile: cProfile.Profile | None = None
    _ended: bool = False
    _started: float = 0.0
    # CPU seconds of the cell's thread: when counting began, and since then.
    _cpu_before: float = 0.0
    _cpu_s: float = 0.0
    _looked: float = 0.0
    _pause: float = FIRST_LOOK_S
    _cut_at: float | None = None
    _reason: str | None = None
    _calls: int = 0
    _patches: Patches = field(default_factory=Patches)

    def available(self, cell: CellCode) -> str | None:
        if OTHER_PROFILERS.search(cell.source):
            return "the cell uses a profiler or debugger of its own"
        if _slot_taken():
            return "another profiler or debugger is active"
        if sys.version_info < (3, 12) and not self.at_any_cost and not _in_main_thread(cell):
            return "outside the main thread Python 3.11 could not stop counting; --calls counts"
        return None

    def start(self, cell: CellCode) -> None:
        self._cell = cell
        self._profile = cProfile.Profile(builtins=False)
        self._started = time.monotonic()
        self._looked = self._started
        self._cpu_before = _thread_cpu(cell.thread_id)
        if not self.at_any_cost:
            self.ticker.add(self._look)
        self._profile.enable(subcalls=True, builtins=False)
        if sys.version_info >= (3, 12):
            self._patches.wrap(sys.monitoring, "use_tool_id", self._give_way)
            self._patches.wrap(sys, "settrace", self._give_way_to_debugger)

    def stop(self) -> Parts:
        if self._profile is None or self._cell is None:
            return {}
        self._count_cpu()
        self._ended = True
        self.ticker.remove(self._look)
        self._patches.undo()
        if self._holds_slot():
            self._profile.disable()
        elif self._cut_at is None:
            self._cut_at, self._reason = time.monotonic(), "another profiler took over"
        ended = time.monotonic() if self._cut_at is None else self._cut_at
        stats = self._profile.getstats()
        self._calls = sum(entry.callcount for entry in stats)
        return {
            "calls": CallSpan(0.0, ended - self._started, self._reason),
            "call_counts": _counts(self._cell, stats),
        }

    def report(self) -> CollectorReport:
        state: State = "ran" if self._cut_at is None else "cut"
        return CollectorReport(self.name, state, self._reason, self._cost())

    def _cost(self) -> float:
        """Return the CPU seconds that counting has cost, by what it costs as a rule."""
        if self._profile is None:
            return 0.0
        return self._calls * COST_PER_CALL_S + SLOWDOWN * self._cpu_s

    def _look(self) -> None:
        """Look at what it cost, no more often than looking may cost."""
        now = time.monotonic()
        if now - self._looked < self._pause or self._profile is None or self._cut_at is not None:
            return
        self._calls = sum(entry.callcount for entry in self._profile.getstats())
        self._count_cpu()
        if self.ledger.overdrawn:
            self._reason = (
                f"counting had cost {1e3 * self._cost():.0f} ms, its share of the budget;"
                " --calls counts to the end"
            )
            if sys.version_info >= (3, 12):
                self._disable()
            else:
                # Imported here, since ctypes takes a while.
                from jupyter_mlprof.collect.main_thread import soon

                soon(self._disable)
        self._looked = now
        cost = time.monotonic() - now
        self._pause = max(LOOK_AT_LEAST_S, cost / LOOK_SHARE)

    def _count_cpu(self) -> None:
        if self._cell is not None and self._cut_at is None:
            self._cpu_s = _thread_cpu(self._cell.thread_id) - self._cpu_before

    def _disable(self) -> None:
        if self._profile is not None and self._cut_at is None and not self._ended:
            self._profile.disable()
            self._cut_at = time.monotonic()

    def _holds_slot(self) -> bool:
        """Tell whether Python still calls us: on 3.11 another profiler may have taken our place."""
        if sys.version_info >= (3, 12):
            return self._cut_at is None
        called: object = sys.getprofile()
        return called is self._profile

    def _give_way(self, original: Callable[..., None]) -> Callable[..., None]:
        """Leave the one slot that Python 3.12 has for profilers to whoever asks for it."""

        @functools.wraps(original)
        def use_tool_id(tool_id: int, name: str) -> None:
            if tool_id == PROFILER_ID and not self._ended:
                self._reason = "the cell started a profiler of its own"
                self._disable()
            original(tool_id, name)

        return use_tool_id

    def _give_way_to_debugger(self, original: Callable[..., None]) -> Callable[..., None]:
        """Stop before a debugger does, which would else come a line late on Python 3.13."""

        @functools.wraps(original)
        def settrace(function: object) -> None:
            if function is not None and not self._ended and self._cut_at is None:
                self._reason = "the cell started a debugger"
                self._disable()
            original(function)

        return settrace


def _thread_cpu(thread_id: int) -> float:
    """Return the CPU seconds of a thread; those of all threads where only they are told."""
    clock_of = getattr(time, "pthread_getcpuclockid", None)
    if clock_of is None:
        return time.process_time()
    seconds: float = time.clock_gettime(clock_of(thread_id))
    return seconds


def _in_main_thread(cell: CellCode) -> bool:
    return cell.thread_id == threading.main_thread().ident


def _slot_taken() -> bool:
    if sys.getprofile() is not None or sys.gettrace() is not None:
        return True
    if sys.version_info >= (3, 12):
        monitoring = sys.monitoring
        return monitoring.get_tool(monitoring.PROFILER_ID) is not None
    return False


def _counts(cell: CellCode, stats: list[Any]) -> dict[Frame, CallCount]:
    """Join cProfile's entries, which list callees, into calls and callers by function."""
    totals: dict[Frame, int] = {}
    callers: dict[Frame, list[Caller]] = {}
    for entry in stats:
        if isinstance(entry.code, CodeType) and not is_ours(entry.code):
            key = cell.function(entry.code)
            totals[key] = totals.get(key, 0) + entry.callcount
            for callee in entry.calls or ():
                if isinstance(callee.code, CodeType):
                    found = callers.setdefault(cell.function(callee.code), [])
                    found.append(Caller(key.name, key.file, key.line, callee.callcount))
    # A cell is compiled in pieces, one for each value it may show: their number says nothing.
    return {
        key: CallCount(
            calls,
            tuple(sorted(callers.get(key, ()), key=lambda one: -one.calls)[:CALLERS_KEPT]),
        )
        for key, calls in totals.items()
        if key.name != CELL_FILE
    }
