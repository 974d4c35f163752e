"""The tree of calls that the sampler saw, bounded so that long cells stay cheap."""

from collections.abc import Callable
from dataclasses import dataclass, field

from jupyter_mlprof.model.functions import Flame, Frame

NODES_MOST = 20_000

# Code objects by id: hashing one walks its bytecode, which would make a sample cost a millisecond.
Stack = tuple[int, ...]


@dataclass
class CallTree:
    """Seconds by the path of calls from the cell to a function."""

    _nodes: dict[tuple[int, int], int] = field(default_factory=dict)
    _seconds: list[float] = field(default_factory=list)

    def add(self, stack: Stack, seconds: float) -> int:
        """Add the time of a stack; return its deepest node, which a full tree may cut short."""
        parent = -1
        for code in stack:
            node = self._nodes.get((parent, code))
            if node is None:
                if len(self._seconds) >= NODES_MOST:
                    return parent
                node = self._nodes[(parent, code)] = len(self._seconds)
                self._seconds.append(0.0)
            self._seconds[node] += seconds
            parent = node
        return parent

    def by_function(self, frame_of: Callable[[int], Frame]) -> tuple[Flame, list[int]]:
        """Return the tree by function, and for each of our nodes its index in it.

        A cell is compiled in several pieces, which become one.
        """
        frames: dict[Frame, int] = {}
        places: dict[tuple[int, int], int] = {}
        seconds_of: list[float] = []
        merged: list[int] = []
        for (parent, code), seconds in zip(self._nodes, self._seconds, strict=True):
            frame = frames.setdefault(frame_of(code), len(frames))
            place = (merged[parent] if parent >= 0 else -1, frame)
            node = places.setdefault(place, len(places))
            if node == len(seconds_of):
                seconds_of.append(0.0)
            seconds_of[node] += seconds
            merged.append(node)
        nodes = tuple((*place, seconds_of[node]) for place, node in places.items())
        return Flame(tuple(frames), nodes), merged
