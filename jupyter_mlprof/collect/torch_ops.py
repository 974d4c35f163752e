"""Which operators torch runs, seen through one short window of its profiler.

With an optimizer the window is a step of it, else a stretch of time. A probe of a few milliseconds
comes first where a step might cost too much. Nothing is hooked into modules.
"""

import contextlib
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

from jupyter_mlprof.collect.capture import undisturbed
from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.imports import ImportWatch
from jupyter_mlprof.collect.ledger import Ledger
from jupyter_mlprof.collect.ticker import Ticker
from jupyter_mlprof.collect.torch_window import TorchWindow, between_operators
from jupyter_mlprof.collect.window_budget import COST_PER_EVENT_S, PROBE_S, WindowBudget
from jupyter_mlprof.model.collectors import CollectorReport
from jupyter_mlprof.model.operators import OperatorWindow

if TYPE_CHECKING:
    from jupyter_mlprof.collect.operator_sums import OperatorSums

WARM_UP_STEPS = 3
LONGEST_S = 0.2  # of a window that is opened by time
SHORTEST_S = 0.02
PATIENCE_S = 0.5  # in which a longer one may come to be affordable
ASK_EVERY_S = 0.1
STEPLESS_AFTER_S = 0.5  # a loop that trains has made a step by then, or makes slow ones
LATE = 2.0  # times its expected length is the longest that a step is waited for
TOO_SHORT = "the cell was too short for what a window costs"

# Kineto's first start is dear, once in a process.
_started = False


@dataclass
class Taken:
    """What a window has given, not yet added up."""

    results: Any
    from_s: float
    to_s: float
    steps: int


@dataclass
class TorchOps:
    """Watches operators once in a cell, when the ledger allows it."""

    ticker: Ticker
    ledger: Ledger
    name: str = "torch_ops"
    _cell: CellCode | None = None
    _begun: float = 0.0
    _window: TorchWindow | None = None
    _budget: WindowBudget | None = None
    _watches: list[ImportWatch] = field(default_factory=list)
    _handle: Any = None
    _steps: Counter[int] = field(default_factory=Counter)
    _last: dict[int, float] = field(default_factory=dict)
    _stepping: int | None = None
    _not_before: float = 0.0
    _timer: threading.Timer | None = None
    _taken: Taken | None = None
    _events: int = 0
    _added_up_s: float = 0.0
    _whole: bool = False
    _done: bool = False
    _failure: str | None = None
    _reason: str | None = TOO_SHORT

    def available(self, cell: CellCode) -> str | None:
        return None

    def start(self, cell: CellCode) -> None:
        self._cell, self._begun = cell, time.monotonic()
        self._budget = WindowBudget(self.ledger, started=_started)
        self._watches = [
            ImportWatch("torch.autograd.profiler", self._found_profiler),
            ImportWatch("torch.optim.optimizer", self._found_optimizer),
        ]
        for watch in self._watches:
            watch.start()

    def stop(self) -> Parts:
        for watch in self._watches:
            watch.stop()
        self.ticker.remove(self._tick)
        if self._handle is not None:
            self._handle.remove()
        if self._window is not None:
            with self._contained():
                self._end_window(steps=0)
            self._window.unwatch()
        self._done = True
        return self._parts()

    def report(self) -> CollectorReport:
        if "torch" not in sys.modules:
            return CollectorReport(self.name, "unavailable", "the kernel has not imported torch")
        if self._failure is not None:
            return CollectorReport(self.name, "failed", self._failure, self._cost())
        if self._taken is None:
            return CollectorReport(self.name, "off", self._reason, self._cost())
        reason = None if self._whole else "only a part of a step could be watched within the budget"
        return CollectorReport(self.name, "ran" if self._whole else "cut", reason, self._cost())

    def _cost(self) -> float:
        inside = self._window.cpu_s if self._window else 0.0
        # What recording took in the cell is not seen apart, nor what is yet to be added up.
        return max(inside + self._added_up_s, self._events * COST_PER_EVENT_S)

    def _found_profiler(self, module: ModuleType) -> None:
        assert self._cell  # noqa: S101 - set before the watch starts
        self._window = TorchWindow(module, self._cell.thread_id)
        self._window.watch()
        if self._cell.thread_id == threading.main_thread().ident:
            self.ticker.add(self._tick)

    def _found_optimizer(self, module: ModuleType) -> None:
        self._handle = module.register_optimizer_step_post_hook(self._after_step)

    def _after_step(self, optimizer: object, _args: object, _kwargs: object) -> None:
        cell = self._cell
        if self._done or cell is None or threading.get_ident() != cell.thread_id:
            return
        with self._contained():
            self._stepped(id(optimizer), time.monotonic())

    def _stepped(self, optimizer: int, now: float) -> None:
        self._steps[optimizer] += 1
        took, self._last[optimizer] = now - self._last.get(optimizer, now), now
        window = self._window
        if window is None:
            return
        if window.is_open:
            if self._stepping == optimizer:
                self._end_window(steps=1)
        elif self._steps[optimizer] >= WARM_UP_STEPS and now >= self._not_before:
            self._begin_at_step(optimizer, took)

    def _begin_at_step(self, optimizer: int, took: float) -> None:
        budget = self._budget
        if budget is None or self._is_blocked():
            return
        whole_s = budget.cost_s(took)
        if budget.affords(whole_s):
            self._begin_window(LATE * took + PROBE_S, optimizer)
        elif budget.events_per_s is None and took > PROBE_S and budget.affords(budget.probe_s):
            self._begin_window(PROBE_S, optimizer)
        else:
            first = min(whole_s, budget.probe_s) if budget.events_per_s is None else whole_s
            self._not_before = time.monotonic() + budget.wait_s(first)

    def _tick(self) -> None:
        """Ask for a window by time, where no optimizer steps; in the ticker's thread."""
        now, budget, window = time.monotonic(), self._budget, self._window
        if self._done or self._steps or budget is None or window is None or window.is_open:
            return
        if now < max(self._not_before, self._begun + STEPLESS_AFTER_S):
            return
        if budget.affords(cost := self._cost_by_time(now)):
            self._soon(self._begin_by_time)
        else:
            self._not_before = now + min(ASK_EVERY_S, budget.wait_s(cost))

    def _cost_by_time(self, now: float) -> float:
        budget, window = self._budget, self._window
        assert budget and window  # noqa: S101, PT018 - asked before
        if budget.events_per_s is None:
            return budget.probe_s
        patient = now - window.closed_at < PATIENCE_S
        return budget.cost_s(LONGEST_S if patient else SHORTEST_S)

    def _begin_by_time(self) -> None:
        budget, window = self._budget, self._window
        if budget is None or window is None or window.is_open or self._steps or self._done:
            return
        if self._is_blocked() or not between_operators(sys._getframe()):  # noqa: SLF001 - no public way
            return
        probing = budget.events_per_s is None
        self._begin_window(PROBE_S if probing else budget.longest_s(LONGEST_S), None)

    def _begin_window(self, most_s: float, optimizer: int | None) -> None:
        assert self._window and self._budget  # noqa: S101, PT018 - asked before
        self._stepping = optimizer
        self._budget.cuda = bool(sys.modules["torch"].cuda.is_initialized())
        self._window.open()
        self._end_after(most_s)

    def _end_after(self, seconds: float) -> None:
        """Close the window after a while, if the step has not done so."""
        self._timer = threading.Timer(seconds, self._soon, (self._end_late,))
        self._timer.daemon = True
        self._timer.start()

    def _end_late(self) -> None:
        window = self._window
        if window is None or not window.is_open:
            return
        if between_operators(sys._getframe()):  # noqa: SLF001 - no public way
            self._end_window(steps=0)
        else:
            self._end_after(PROBE_S)

    def _end_window(self, steps: int) -> None:
        """Close the window and judge what it has seen."""
        global _started  # noqa: PLW0603 - of the process, as kineto is
        window, budget = self._window, self._budget
        if window is None or budget is None or not window.is_open:
            return
        if self._timer is not None:
            self._timer.cancel()
        window.close()
        _started = True
        seconds = window.closed_at - window.opened_at
        results, window.results = window.results, None
        events = len(results.events())
        self._events += events
        budget.learn(events, seconds)
        from_s, to_s = window.opened_at - self._begun, window.closed_at - self._begun
        if events:
            self._taken = Taken(results, from_s, to_s, steps)
        self._whole = bool(events) and (steps > 0 or (not self._steps and seconds >= SHORTEST_S))
        self._reason = "no operator of torch ran while it was watched"
        # A second look at a cell that runs no operators would be no better.
        self._done = self._whole or (not events and not self._steps)

    def _is_blocked(self) -> bool:
        blocked = self._window.blocked() if self._window else "torch has no profiler"
        if blocked is not None:
            self._reason, self._not_before = blocked, time.monotonic() + STEPLESS_AFTER_S
        return blocked is not None

    def _soon(self, act: Callable[[], None]) -> None:
        """Have the cell's thread, which is the main one, do something between two instructions."""
        # Imported here, since ctypes takes a while.
        from jupyter_mlprof.collect.main_thread import soon

        def contained() -> None:
            with self._contained():
                act()

        soon(contained)

    @contextlib.contextmanager
    def _contained(self) -> Any:
        """Keep an error of ours from the cell, and look no more."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - the user's loop must go on
            self._failure = f"{type(error).__name__}: {error}"[:200]
            self._done = True

    def _parts(self) -> Parts:
        """Add up what was taken, after the cell."""
        taken, self_begun = self._taken, time.thread_time()
        if taken is None:
            return {}
        from jupyter_mlprof.collect.operator_sums import operator_sums

        events = taken.results.events()
        sums = operator_sums(events)
        window = OperatorWindow(
            taken.from_s,
            taken.to_s,
            taken.steps,
            len(events),
            sums.cpu_s,
            sums.device_s,
            sums.dense(),
            str(sys.modules["torch"].get_float32_matmul_precision()),
        )
        self._taken = Taken(None, taken.from_s, taken.to_s, taken.steps)
        self._added_up_s = time.thread_time() - self_begun
        if not sums.on_device:
            window = replace(window, bf16_speedup=self._bf16_speedup(sums, window.wall_s))
        return {"operators": sums.table(), "operator_window": window}

    def _bf16_speedup(self, sums: "OperatorSums", window_s: float) -> float | None:
        """Measure what bfloat16 would bring, within what is left of the budget."""
        from jupyter_mlprof.collect.bf16 import bf16_speedup

        begun, room_s = time.process_time(), self._budget.room_s if self._budget else 0.0
        speedup = None
        with contextlib.suppress(Exception), undisturbed():
            speedup = bf16_speedup(sums.sums, window_s, room_s)
        self._added_up_s += time.process_time() - begun
        return speedup
