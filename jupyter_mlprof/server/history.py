"""The samples of a running cell, kept so that a page that comes later sees the whole curve."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from jupyter_mlprof.collect.kinds import SERIES
from jupyter_mlprof.collect.samples import Folding

if TYPE_CHECKING:
    from jupyter_mlprof.collect.kinds import Kind
    from jupyter_mlprof.collect.samples import Point, Row

MOST = 3_600
STEP_S = 0.2
LEAST_S = 0.1  # between two points: CPU time comes in ticks of 10 ms


class History:
    """Keeps one row a step; when there are too many, the steps are made twice as long."""

    def __init__(self, begun: float) -> None:
        self.kinds: tuple[Kind, ...] = SERIES
        self._begun = begun
        self._step_s = STEP_S
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        """Take the next row."""
        self._join(row)
        if len(self._rows) > MOST:
            self._step_s *= 2
            rows, self._rows = self._rows, []
            for one in rows:
                self._join(one)

    def points(self) -> list[Point]:
        """Return the whole curve."""
        folding = Folding(self._begun, self._step_s, LEAST_S, self.kinds)
        points = [point for row in self._rows if (point := folding.add(row))]
        last = folding.end() if folding.waiting_s >= LEAST_S else None
        return [*points, last] if last else points

    def _join(self, row: Row) -> None:
        if self._rows and self._number(self._rows[-1]) == self._number(row):
            self._rows[-1] = _joined(self._rows[-1], row)
        else:
            self._rows.append(row)

    def _number(self, row: Row) -> int:
        return int(((row[0] or 0.0) - self._begun) / self._step_s)


def _joined(before: Row, after: Row) -> Row:
    """Return one row for two: the later one, with the highest memory and what only one knows."""
    highest = [max(before[one] or 0, after[one] or 0) for one in (1, 3, 5)]
    joined = [old if new is None else new for old, new in zip_longest(before, after)]
    joined[1], joined[3], joined[5] = highest
    return joined
