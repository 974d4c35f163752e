"""A profile in the format of Python's `pstats`, which snakeviz and others read too.

Times are those of the sampler. Calls are 0, which `pstats` leaves blank, where they were not
counted; where counting was cut, they are those up to then.
"""

import marshal
from collections import defaultdict
from collections.abc import Iterator

from jupyter_mlprof.model.functions import Frame
from jupyter_mlprof.model.profile import CellProfile

Key = tuple[str, int, str]
# Calls, calls that are not recursive, seconds in the function itself, and with what it called.
Row = tuple[int, int, float, float]
Callers = dict[Key, Row]


def pstats_bytes(profile: CellProfile) -> bytes:
    """Return what `pstats.Stats` loads from a file."""
    callers = _callers(profile)
    table: dict[Key, tuple[int, int, float, float, Callers]] = {}
    for one in profile.functions:
        key, calls = (one.file, one.line, one.name), one.calls or 0
        table[key] = (calls, calls, one.self_s, one.total_s, callers.pop(key, {}))
    # Those that the table of functions has no room for.
    for key, rows in callers.items():
        own, total = (sum(row[place] for row in rows.values()) for place in (2, 3))
        table[key] = (0, 0, own, total, rows)
    return marshal.dumps(table)


def _callers(profile: CellProfile) -> dict[Key, Callers]:
    """Return who called each function: seconds from the call tree, calls where counted."""
    counted = {
        ((one.file, one.line, one.name), (caller.file, caller.line, caller.name)): caller.calls
        for one in profile.functions
        for caller in one.callers or ()
    }
    seconds: dict[tuple[Key, Key | None], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for key, caller, own, total in _calls(profile):
        sums = seconds[key, caller]
        sums[0] += own
        sums[1] += total
    found: dict[Key, Callers] = {}
    for (key, caller), (own, total) in seconds.items():
        rows = found.setdefault(key, {})
        if caller is not None:
            calls = counted.get((key, caller), 0)
            rows[caller] = (calls, calls, own, total)
    return found


def _calls(profile: CellProfile) -> Iterator[tuple[Key, Key | None, float, float]]:
    """Yield function, caller, own and total seconds of each node of the call tree."""
    nodes = profile.flame.nodes
    inside = [0.0] * len(nodes)
    for parent, _, seconds in nodes:
        if parent >= 0:
            inside[parent] += seconds
    keys = [_key(frame) for frame in profile.flame.frames]
    for (parent, frame, seconds), below in zip(nodes, inside, strict=True):
        caller = keys[nodes[parent][1]] if parent >= 0 else None
        yield keys[frame], caller, max(0.0, seconds - below), seconds


def _key(frame: Frame) -> Key:
    return frame.file, frame.line, frame.name
