"""Where the time went: the stacks of the cell's thread and of those that work for it.

They are looked at 50 times a second, less often where that costs too much.

Each sample weighs the time around it, halfway to its neighbours. After a long gap it weighs all of
it, since a C call that holds the GIL delays the sampler and would else be lost: unweighted counts
were wrong by 50 points. What the weight cannot
mend: after such a call another thread may get the GIL before the sampler, which then sees the cell
a line later. A line's time is the time while any thread was in it, that of a function and of the
call tree the sum over threads.
"""

import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import thread
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import NamedTuple

from jupyter_mlprof.collect.call_tree import CallTree, Stack
from jupyter_mlprof.collect.cell_code import CellCode, is_ours
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.frames import awaiting, callers
from jupyter_mlprof.collect.span_sums import SpanSums
from jupyter_mlprof.collect.threads import OtherThreads
from jupyter_mlprof.collect.ticker import INTERVAL_S, Ticker
from jupyter_mlprof.model.collectors import CollectorReport, State
from jupyter_mlprof.model.functions import Frame, FunctionTime, kept_nodes, places, pruned
from jupyter_mlprof.model.lines import LineTime

# All threads but the cell's, as one root of the call tree.
THREADS = Frame("other threads", "<threads>", 0)
THREADS_ROOT = 0  # no code object has this id
# What starts a thread's function, and is of no interest.
STARTERS = {threading.__file__, thread.__file__}
# A gap of more intervals is that of a call which held the GIL.
LONG_GAP = 4
DEPTH_KEPT = 200
FUNCTIONS_KEPT = 300
NODE_SHARE_KEPT = 0.001


class Seen(NamedTuple):
    """A stack from the cell to the leaf, the cell's lines on it, and the innermost of these."""

    stack: Stack = ()
    lines: frozenset[int] = frozenset()
    line: int | None = None


@dataclass
class Stacks:
    """Samples stacks from a thread; gives lines, functions and the call tree.

    Samples are folded as they come, and the tree is bounded, so that long cells stay cheap.
    """

    ticker: Ticker
    name: str = "stacks"
    _cell: CellCode | None = None
    _codes: dict[int, CodeType] = field(default_factory=dict)
    _own: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    _total: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    _tree: CallTree = field(default_factory=CallTree)
    _spans: SpanSums = field(default_factory=SpanSums)
    _lines: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    _samples: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    _begun: float = 0.0
    # When the last sample was taken, and up to when the time is given away.
    _sampled: float = 0.0
    _given: float = 0.0
    _last_seen: Seen = field(default_factory=Seen)
    _last_others: Sequence[Seen] = ()
    _others: OtherThreads | None = None
    _threads_s: float = 0.0
    _cost: float = 0.0

    def available(self, cell: CellCode) -> str | None:
        return None

    def start(self, cell: CellCode) -> None:
        self._cell = cell
        self._others = OtherThreads(cell)
        self._begun = self._sampled = self._given = time.monotonic()
        self.ticker.add(self._sample)

    def stop(self) -> Parts:
        ended = time.monotonic()
        self.ticker.remove(self._sample)
        self._give(max(ended, self._sampled))
        return {
            **self.peek(),
            "functions": self._function_times(),
            "threads_s": self._threads_s,
            **self._call_tree(),
        }

    @property
    def line(self) -> int | None:
        """The line of the cell that was seen running last."""
        return self._last_seen.line

    def peek(self) -> Parts:
        """Return the lines seen so far."""
        times = sorted(self._lines.copy().items())
        return {"lines": tuple(LineTime(line, s, self._samples[line]) for line, s in times)}

    def report(self) -> CollectorReport:
        state: State = "ran" if self.ticker.failure is None else "failed"
        slowest = self.ticker.slowest_s
        slowed = f"down to {1 / slowest:.0f} times a second, to keep within the budget"
        reason = self.ticker.failure or (slowed if slowest > INTERVAL_S else None)
        return CollectorReport(self.name, state, reason, self._cost)

    def _sample(self) -> None:
        assert self._cell is not None  # noqa: S101 - set by start
        assert self._others is not None  # noqa: S101 - likewise
        before = time.thread_time()
        frames = sys._current_frames()  # noqa: SLF001 - documented
        # This frame would hold itself, and the user's with all they refer to, until collected.
        frames.pop(threading.get_ident(), None)
        now = time.monotonic()
        seen = self._read(callers(frames.get(self._cell.thread_id)), self._cell.holds)
        if not seen.stack:
            seen = self._read(awaiting(self._cell.coroutine), self._cell.holds)
        others = [self._read(callers(one), _is_of_thread) for one in self._others.at_work(frames)]
        gap = now - self._sampled
        is_long = gap > LONG_GAP * self.ticker.interval_s
        self._give(self._sampled if is_long else now - gap / 2)
        self._sampled = now
        if seen.stack:
            self._last_seen = seen
        self._last_others = others
        self._cost += time.thread_time() - before

    def _read(self, frames: Iterable[FrameType], inside: Callable[[CodeType], bool]) -> Seen:
        """Walk a stack from the leaf out to the outermost frame that is `inside`."""
        assert self._cell is not None  # noqa: S101 - set by start
        codes: list[CodeType] = []
        lines: list[int] = []
        depth = 0
        for frame in frames:
            code = frame.f_code
            if not is_ours(code):
                codes.append(code)
            # f_lineno walks a table: ask for it in the cell's own frames only.
            if self._cell.holds(code):
                line = self._cell.line(code, frame.f_lineno)
                lines += () if line is None else (line,)
            if inside(code):
                depth = len(codes)
        kept = codes[:depth][::-1][:DEPTH_KEPT]
        self._codes.update(zip(map(id, kept), kept, strict=True))
        return Seen(tuple(map(id, kept)), frozenset(lines), lines[0] if lines else None)

    def _give(self, until: float) -> None:
        """Give the time up to `until` to the stacks that were seen last."""
        seen, others, before = self._last_seen, self._last_others, self._given
        if not seen.stack:
            return
        self._given = until
        seconds = until - before
        lines = seen.lines.union(*(one.lines for one in others))
        for line in lines:
            self._lines[line] += seconds
            self._samples[line] += 1
        self._add_stack(seen.stack, before, until, lines)
        for other in others:
            self._threads_s += seconds
            self._add_stack((THREADS_ROOT, *other.stack), before, until, frozenset())

    def _add_stack(self, stack: Stack, before: float, now: float, lines: frozenset[int]) -> None:
        seconds = now - before
        self._own[stack[-1]] += seconds
        for code in set(stack):
            self._total[code] += seconds
        node = self._tree.add(stack, seconds)
        self._spans.add(before - self._begun, now - self._begun, node, lines)

    def _frame(self, code: int) -> Frame:
        assert self._cell is not None  # noqa: S101 - set by start
        return THREADS if code == THREADS_ROOT else self._cell.function(self._codes[code])

    def _function_times(self) -> tuple[FunctionTime, ...]:
        own: dict[Frame, float] = defaultdict(float)
        total: dict[Frame, float] = defaultdict(float)
        for code, seconds in self._total.items():
            if code == THREADS_ROOT:
                continue
            own[self._frame(code)] += self._own.get(code, 0.0)
            total[self._frame(code)] += seconds
        dearest = sorted(total, key=lambda frame: (-own[frame], -total[frame]))[:FUNCTIONS_KEPT]
        return tuple(
            FunctionTime(frame.name, frame.file, frame.line, own[frame], total[frame])
            for frame in dearest
        )

    def _call_tree(self) -> Parts:
        """Return the dearer part of the tree, and when each part of it ran."""
        tree, merged = self._tree.by_function(self._frame)
        kept = kept_nodes(tree, NODE_SHARE_KEPT * sum(self._own.values()))
        place = places(tree, kept)
        spans = self._spans.spans([place[node] for node in merged])
        return {"flame": pruned(tree, kept), "spans": spans}


def _is_of_thread(code: CodeType) -> bool:
    return code.co_filename not in STARTERS
