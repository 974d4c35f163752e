"""Time by function, and the call tree."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """A function: its qualified name, file (`<cell>` for the profiled cell) and first line."""

    name: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Caller:
    """A function that called another one, and how often."""

    name: str
    file: str
    line: int
    calls: int


@dataclass(frozen=True, slots=True)
class FunctionTime:
    """Sampled seconds in a function, alone and with all it called; exact calls where counted."""

    name: str
    file: str
    line: int
    self_s: float
    total_s: float
    calls: int | None = None
    callers: tuple[Caller, ...] | None = None


@dataclass(frozen=True, slots=True)
class CallSpan:
    """The span of the cell, in seconds from its start, in which calls were counted."""

    from_s: float
    to_s: float
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Flame:
    """Call tree: `nodes` are (parent index or -1, frame index, seconds with all below)."""

    frames: tuple[Frame, ...] = ()
    nodes: tuple[tuple[int, int, float], ...] = ()


def kept_nodes(flame: Flame, least_s: float, most: int | None = None) -> list[int]:
    """Return the nodes of at least `least_s` seconds, and at most the dearest `most`, in order.

    A node is never dearer than its parent, so no node loses its parent.
    """
    nodes = flame.nodes
    order = sorted(range(len(nodes)), key=lambda index: (-nodes[index][2], index))
    return sorted(index for index in order[:most] if nodes[index][2] >= least_s)


def places(flame: Flame, kept: Sequence[int]) -> list[int]:
    """Return for each node its place among the kept ones, or that of its nearest kept ancestor."""
    place = {old: new for new, old in enumerate(kept)}
    found: list[int] = []
    for node, (parent, _, _) in enumerate(flame.nodes):
        above = found[parent] if parent >= 0 else -1
        found.append(place.get(node, above))
    return found


def pruned(flame: Flame, kept: Sequence[int]) -> Flame:
    """Return the tree of the kept nodes only."""
    place = {old: new for new, old in enumerate(kept)}
    nodes = [flame.nodes[index] for index in kept]
    used = {frame: new for new, frame in enumerate(sorted({frame for _, frame, _ in nodes}))}
    return Flame(
        frames=tuple(flame.frames[frame] for frame in used),
        nodes=tuple(
            (place.get(parent, -1), used[frame], seconds) for parent, frame, seconds in nodes
        ),
    )
