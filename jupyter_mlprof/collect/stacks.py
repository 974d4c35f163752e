"""Where the time went: the stack of the cell's thread, 50 times a second.

Each sample weighs the time since the last one, since a C call that holds the GIL delays the
sampler and would else be lost: unweighted counts were wrong by 50 points. What the weight cannot
mend: after such a call another thread may get the GIL before the sampler, which then sees the cell
a line later.
"""

import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from types import CodeType, FrameType

from jupyter_mlprof.collect.cell_code import CellCode, is_ours
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.ticker import Ticker
from jupyter_mlprof.model.collectors import CollectorReport, State
from jupyter_mlprof.model.functions import Flame, Frame, FunctionTime, kept_nodes, pruned
from jupyter_mlprof.model.lines import LineTime

DEPTH_KEPT = 200
FUNCTIONS_KEPT = 300
NODE_SHARE_KEPT = 0.001
NODES_MOST = 20_000

# Code objects by id: hashing one walks its bytecode, which would make a sample cost a millisecond.
Stack = tuple[int, ...]


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
    _nodes: dict[tuple[int, int], int] = field(default_factory=dict)
    _node_s: list[float] = field(default_factory=list)
    _lines: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    _samples: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    _last: float = 0.0
    _last_seen: tuple[Stack, frozenset[int]] = ((), frozenset())
    _cost: float = 0.0

    def available(self, cell: CellCode) -> str | None:
        return None

    def start(self, cell: CellCode) -> None:
        self._cell = cell
        self._last = time.monotonic()
        self.ticker.add(self._sample)

    def stop(self) -> Parts:
        self.ticker.remove(self._sample)
        # The rest since the last sample, as a rule less than an interval, goes to the last stack.
        self._add(*self._last_seen, time.monotonic() - self._last, samples=0)
        return {
            "lines": self._line_times(),
            "functions": self._function_times(),
            "flame": self._flame(),
        }

    def report(self) -> CollectorReport:
        state: State = "ran" if self.ticker.failure is None else "failed"
        return CollectorReport(self.name, state, self.ticker.failure, self._cost)

    def _sample(self) -> None:
        assert self._cell is not None  # noqa: S101 - set by start
        frame = sys._current_frames().get(self._cell.thread_id)  # noqa: SLF001 - documented
        now = time.monotonic()
        seen = self._read(self._cell, frame)
        if seen[0]:
            self._last_seen = seen
        # A cell that awaits is not on the stack: it waits in the line seen last.
        self._add(*self._last_seen, now - self._last, samples=1)
        self._last = now
        self._cost = time.thread_time()  # of the ticker's thread, which runs this

    def _read(self, cell: CellCode, frame: FrameType | None) -> tuple[Stack, frozenset[int]]:
        """Return the codes from the cell's outermost frame to the leaf, and the cell's lines."""
        codes: list[CodeType] = []
        lines: set[int] = set()
        depth = 0
        while frame is not None:
            code = frame.f_code
            if not is_ours(code):
                codes.append(code)
            # f_lineno walks a table: ask for it in the cell's own frames only.
            if code.co_filename == cell.filename:
                line = cell.line(code, frame.f_lineno)
                lines.update(() if line is None else (line,))
                depth = len(codes)
            frame = frame.f_back
        kept = codes[:depth][::-1][:DEPTH_KEPT]
        self._codes.update(zip(map(id, kept), kept, strict=True))
        return tuple(map(id, kept)), frozenset(lines)

    def _add(self, stack: Stack, lines: frozenset[int], seconds: float, *, samples: int) -> None:
        if not stack:
            return
        self._own[stack[-1]] += seconds
        for code in set(stack):
            self._total[code] += seconds
        for line in lines:
            self._lines[line] += seconds
            self._samples[line] += samples
        self._grow(stack, seconds)

    def _grow(self, stack: Stack, seconds: float) -> None:
        """Add the time to the tree; a full tree gives it to the deepest node it has."""
        parent = -1
        for code in stack:
            node = self._nodes.get((parent, code))
            if node is None:
                if len(self._node_s) >= NODES_MOST:
                    return
                node = self._nodes[(parent, code)] = len(self._node_s)
                self._node_s.append(0.0)
            self._node_s[node] += seconds
            parent = node

    def _line_times(self) -> tuple[LineTime, ...]:
        return tuple(
            LineTime(line, seconds, self._samples[line])
            for line, seconds in sorted(self._lines.items())
        )

    def _frame(self, code: int) -> Frame:
        assert self._cell is not None  # noqa: S101 - set by start
        return self._cell.function(self._codes[code])

    def _function_times(self) -> tuple[FunctionTime, ...]:
        own: dict[Frame, float] = defaultdict(float)
        total: dict[Frame, float] = defaultdict(float)
        for code, seconds in self._total.items():
            own[self._frame(code)] += self._own.get(code, 0.0)
            total[self._frame(code)] += seconds
        dearest = sorted(total, key=lambda frame: (-own[frame], -total[frame]))[:FUNCTIONS_KEPT]
        return tuple(
            FunctionTime(frame.name, frame.file, frame.line, own[frame], total[frame])
            for frame in dearest
        )

    def _flame(self) -> Flame:
        """Return the tree by function: a cell is compiled in several pieces, which become one."""
        frames: dict[Frame, int] = {}
        places: dict[tuple[int, int], int] = {}
        seconds_of: list[float] = []
        merged: list[int] = []
        for (parent, code), seconds in zip(self._nodes, self._node_s, strict=True):
            frame = frames.setdefault(self._frame(code), len(frames))
            place = (merged[parent] if parent >= 0 else -1, frame)
            node = places.setdefault(place, len(places))
            if node == len(seconds_of):
                seconds_of.append(0.0)
            seconds_of[node] += seconds
            merged.append(node)
        nodes = [(*place, seconds_of[node]) for place, node in places.items()]
        tree = Flame(tuple(frames), tuple(nodes))
        return pruned(tree, kept_nodes(tree, NODE_SHARE_KEPT * sum(self._own.values())))
