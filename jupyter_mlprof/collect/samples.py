"""The sidecar's rows, and how they become series over time.

The profile folds all rows of a cell at its end, the server those that have come since it last
looked: both by the same steps, so that a live curve and the final one agree.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from jupyter_mlprof.model.timeline import Series, Timeline

POINTS = 600
STEP_S = 0.1  # CPU time comes in ticks of 10 ms: shorter spans would show noise

Value = float | None
Row = Sequence[Value]  # time and what sidecar_script.COLUMNS names
Point = tuple[float, tuple[Value, ...]]  # seconds from the start, a value for each of SERIES

COLUMNS = 9
# Name, unit, column, and whether the column counts up, so that its growth is what tells.
SERIES = (
    ("rss", "bytes", 1, False),
    ("cpu", "cores", 2, True),
    ("children_rss", "bytes", 3, False),
    ("children_cpu", "cores", 4, True),
    ("children", "count", 5, False),
    ("read", "bytes/s", 6, True),
    ("write", "bytes/s", 7, True),
)


def as_row(value: Any) -> Row | None:
    """Return the value of a line as a row, or None where it is none."""
    if not isinstance(value, list) or len(value) != COLUMNS or value[0] is None:
        return None
    good = all(one is None or (type(one) in (int, float) and isfinite(one)) for one in value)
    return value if good else None


@dataclass
class Folding:
    """Puts rows into steps of equal length: the highest memory, the mean rates.

    A step that would end less than `least` after the one before is joined to the next.
    """

    begun: float
    step: float
    least: float = 0.0
    _step: int = -1
    _rows: list[Row] = field(default_factory=list)
    _known: dict[int, Row] = field(default_factory=dict)
    _last_t: float = float("-inf")

    def add(self, row: Row) -> Point | None:
        """Take a row; return the point of the step before, if the row begins another one."""
        number = int(((row[0] or 0.0) - self.begun) / self.step)
        over = number != self._step and self.waiting_s >= self.least
        point = self.end() if over else None
        self._step = number
        self._rows.append(row)
        return point

    @property
    def waiting_s(self) -> float:
        """Seconds from the last point to the newest row."""
        return (self._rows[-1][0] or 0.0) - self._last_t if self._rows else 0.0

    def end(self) -> Point | None:
        """Return the point of the rows that were taken since the last one."""
        if not self._rows:
            return None
        self._last_t = self._rows[-1][0] or 0.0
        values = tuple(
            self._rate(column) if grows else max(row[column] or 0 for row in self._rows)
            for _, _, column, grows in SERIES
        )
        self._rows = []
        return self._last_t - self.begun, values

    def _rate(self, column: int) -> Value:
        """Return the growth per second since the value was last known."""
        known = [row for row in self._rows if row[column] is not None]
        if not known:
            return None
        before, after = self._known.get(column, known[0]), known[-1]
        self._known[column] = after
        seconds = (after[0] or 0.0) - (before[0] or 0.0)
        grown = (after[column] or 0.0) - (before[column] or 0.0)
        return max(0.0, grown / seconds) if seconds > 0 else None


def timeline(rows: Iterable[Row], begun: float, ended: float) -> Timeline:
    """Put the samples of a cell into at most `POINTS` equal steps."""
    folding = Folding(begun, max(STEP_S, (ended - begun) / POINTS))
    inside = (row for row in rows if begun <= (row[0] or 0.0) <= ended)
    points = [point for row in inside if (point := folding.add(row))]
    if last := folding.end():
        points.append(last)
    columns = list(zip(*(values for _, values in points), strict=True))
    series = (
        Series(name, unit, _filled(column) if grows else column)
        for (name, unit, _, grows), column in zip(SERIES, columns, strict=bool(columns))
    )
    return Timeline(tuple(t for t, _ in points), tuple(one for one in series if any(one.values)))


def _filled(rates: Sequence[Value]) -> tuple[Value, ...]:
    """Give a step without a value the next one's, which is the mean over both."""
    filled = list(rates)
    for place in range(len(filled) - 2, 0, -1):
        if filled[place] is None:
            filled[place] = filled[place + 1]
    return tuple(filled)
