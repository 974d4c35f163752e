"""The sidecar's rows, and how they become series over time.

The profile folds all rows of a cell at its end, the server those that have come since it last
looked: both by the same steps, so that a live curve and the final one agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from jupyter_mlprof.collect.kinds import SERIES, Kind, kinds
from jupyter_mlprof.model.timeline import Series, Timeline

POINTS = 600
STEP_S = 0.1  # CPU time comes in ticks of 10 ms: shorter spans would show noise
GAP_S = 0.5  # GPUs are asked less often than steps go by

Value = float | None
# Time and what the columns name; a row is shorter where nothing is new about the GPUs.
Row = Sequence[Value]
Point = tuple[float, tuple[Value, ...]]  # seconds from the start, a value for each series

COLUMNS = 9
MOST_COLUMNS = 1_000


def as_row(value: Any) -> Row | None:
    """Return the value of a line as a row, or None where it is none."""
    if not isinstance(value, list) or not COLUMNS <= len(value) <= MOST_COLUMNS:
        return None
    good = all(one is None or (type(one) in (int, float) and isfinite(one)) for one in value)
    return value if good and value[0] is not None else None


def as_columns(value: Any) -> tuple[str, ...] | None:
    """Return the names that a line gives to what rows hold, or None where it gives none."""
    names = value.get("columns") if isinstance(value, dict) else None
    if not isinstance(names, list) or not COLUMNS <= len(names) <= MOST_COLUMNS:
        return None
    return tuple(names) if all(isinstance(one, str) for one in names) else None


def at(row: Row, column: int) -> Value:
    """Return a value of a row; None where it is too short for that."""
    return row[column] if column < len(row) else None


@dataclass
class Folding:
    """Puts rows into steps of equal length: the highest memory, the mean rates.

    A step that would end less than `least` after the one before is joined to the next.
    """

    begun: float
    step: float
    least: float = 0.0
    kinds: tuple[Kind, ...] = SERIES
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
            self._rate(kind.column) if kind.fold == "rate" else self._joined(kind)
            for kind in self.kinds
        )
        self._rows = []
        return self._last_t - self.begun, values

    def _joined(self, kind: Kind) -> Value:
        """Return the mean or the highest; nothing of a GPU that others use."""
        known = [value for row in self._rows if (value := own(row, kind)) is not None]
        if kind.fold == "mean":
            return sum(known) / len(known) if known else None
        return max(known, default=0 if kind.used is None else None)

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


def own(row: Row, kind: Kind) -> Value:
    """Return the value of a series in a row, if the kernel has to do with it."""
    others = kind.used is not None and at(row, kind.used) == 0
    return None if others else at(row, kind.column)


def of_the_kernel(found: tuple[Kind, ...], rows: Sequence[Row]) -> tuple[Kind, ...]:
    """Leave out the GPUs of which it is known that the kernel's processes did not use them."""
    seen = {place: {at(row, place) for row in rows} for _, _, _, _, place in found if place}
    return tuple(
        kind
        for kind in found
        if kind.used is None or 1 in seen[kind.used] or 0 not in seen[kind.used]
    )


def timeline(
    rows: Sequence[Row], begun: float, ended: float, columns: Sequence[str] = ()
) -> Timeline:
    """Put the samples of a cell into at most `POINTS` equal steps."""
    inside = [row for row in rows if begun <= (row[0] or 0.0) <= ended]
    known = of_the_kernel(kinds(columns), inside)
    folding = Folding(begun, max(STEP_S, (ended - begun) / POINTS), kinds=known)
    points = [point for row in inside if (point := folding.add(row))]
    if last := folding.end():
        points.append(last)
    t_s = tuple(t for t, _ in points)
    values = list(zip(*(values for _, values in points), strict=True))
    series = (
        Series(kind.name, kind.unit, _filled(column, t_s, kind))
        for kind, column in zip(known, values, strict=bool(values))
    )
    return Timeline(t_s, tuple(one for one in series if _tells(one)))


def _tells(series: Series) -> bool:
    """Whether there is something to see; that a GPU does nothing is."""
    if series.name.startswith("gpu"):
        return any(value is not None for value in series.values)
    return any(series.values)


def _filled(values: Sequence[Value], t_s: Sequence[float], kind: Kind) -> tuple[Value, ...]:
    """Give a step without a value the next one's.

    A rate is the mean over both; of a GPU it is the nearest value, and only if it is near.
    """
    filled = list(values)
    next_t = float("inf")
    for place in range(len(filled) - 1, 0, -1):
        if filled[place] is not None:
            next_t = t_s[place]
        elif place + 1 < len(filled) and (kind.used is None or next_t - t_s[place] < GAP_S):
            filled[place] = filled[place + 1]
    return tuple(filled)
