"""Time by line of the cell."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineTime:
    """Seconds with a line of the cell on the stack, whatever it called.

    A line that calls a function of the same cell holds that function's time too,
    so the lines of a cell may add up to more than the cell.
    """

    line: int
    wall_s: float
    samples: int
