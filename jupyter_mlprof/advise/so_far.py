"""What bounds a cell that still runs, where that is clear already."""

from collections.abc import Sequence

from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.lines import LineTime
from jupyter_mlprof.model.source import shown_line

CLEAR_DATA = 0.25
CLEAR_LINE = 0.6


def so_far(elapsed_s: float, waited_s: float, lines: Sequence[LineTime], source: str) -> str | None:
    """Return a sentence about the first `elapsed_s` seconds of a cell, or None.

    `waited_s` is what it waited for its loaders.
    """
    if waited_s >= CLEAR_DATA * elapsed_s:
        share = numbers.share(waited_s, elapsed_s)
        return f"So far {share} of {numbers.seconds(elapsed_s)} waited for the DataLoader."
    # Of lines that call one another, the one that holds least of what is clear is the deepest.
    clear = [line for line in lines if line.wall_s >= CLEAR_LINE * elapsed_s]
    if not clear:
        return None
    line = min(clear, key=lambda one: (one.wall_s, -one.line))
    share = numbers.share(line.wall_s, elapsed_s)
    where = f"line {line.line}{shown_line(source, line.line)}"
    return f"So far {share} of {numbers.seconds(elapsed_s)} went into {where}."
