"""Time by function, and the call tree."""

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


def pruned(flame: Flame, least_s: float, most: int | None = None) -> Flame:
    """Return the tree without nodes below `least_s` seconds, and at most the dearest `most`.

    A node is never dearer than its parent, so no node loses its parent.
    """
    nodes = flame.nodes
    order = sorted(range(len(nodes)), key=lambda index: (-nodes[index][2], index))
    kept = sorted(index for index in order[:most] if nodes[index][2] >= least_s)
    place = {old: new for new, old in enumerate(kept)}
    used = {frame: new for new, frame in enumerate(sorted({nodes[index][1] for index in kept}))}
    return Flame(
        frames=tuple(flame.frames[frame] for frame in used),
        nodes=tuple(
            (place.get(parent, -1), used[frame], seconds)
            for parent, frame, seconds in (nodes[index] for index in kept)
        ),
    )
