"""A running cell as messages: what has happened since the last look, or all of it again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from jupyter_mlprof.collect.kinds import kinds
from jupyter_mlprof.collect.samples import Folding, as_columns, as_row, at
from jupyter_mlprof.model.kernel_process import same_boot
from jupyter_mlprof.model.runfile import KERNEL_FILE, SIDECAR_FILE, ended, gone, is_told
from jupyter_mlprof.model.runs import state
from jupyter_mlprof.model.title import title
from jupyter_mlprof.server.history import LEAST_S, STEP_S, History
from jupyter_mlprof.server.tail import Tail

if TYPE_CHECKING:
    from pathlib import Path

    from jupyter_mlprof.collect.samples import Point
    from jupyter_mlprof.model.runfile import RunHeader

Message = dict[str, Any]

BATCH = 500
QUIET_S = 1.0  # a run that tells nothing for so long is looked at: its kernel may be dead


class Story:
    """Reads the files of one run as they grow."""

    def __init__(self, run: Path, header: RunHeader) -> None:
        self.run = run
        self.header = header
        self.over = False
        self._told = False
        self._kernel = Tail(run / KERNEL_FILE)
        self._sidecar = Tail(run / SIDECAR_FILE)
        self._folding = Folding(header.monotonic, STEP_S, LEAST_S)
        self._history = History(header.monotonic)
        self._line: Message = {}
        self._heard_at = time.monotonic()
        self._t_s = 0.0

    def news(self) -> list[Message]:
        """Return what has happened since the last call."""
        kernel, sidecar = self._kernel.read(), self._sidecar.read()
        messages = [] if self._told else [self._started()]
        self._told = True
        messages += [*self._samples(self._points(sidecar)), *self._lines(kernel)]
        messages += self._end(kernel, sidecar)
        return messages

    def replay(self) -> list[Message]:
        """Return all that has happened until the last call of `news`, as long as it goes on."""
        line = [self._line] if self._line else []
        return [self._started(), *self._samples(self._history.points()), *line]

    def overtaken(self, newer: RunHeader) -> list[Message]:
        """End the story of a run whose kernel has begun a newer one, and is another one or not."""
        mine = self.header
        same = (mine.pid, mine.pid_start) == (newer.pid, newer.pid_start)
        return [self._untold() if same else self._gone(self._t_s)]

    def _message(self, kind: str, **values: Any) -> Message:
        return {"type": kind, "run_id": self.header.run_id, **values}

    def _started(self) -> Message:
        header = self.header
        here = same_boot(header.wall_clock, header.monotonic)
        since = time.monotonic() - header.monotonic if here else time.time() - header.wall_clock
        return self._message(
            "started",
            cell_id=header.cell_id,
            execution_count=header.execution_count,
            name=header.name,
            title=title(header.source),
            started_at=header.wall_clock,
            elapsed_s=round(max(0.0, since), 3),
        )

    def _points(self, values: list[Any]) -> list[Point]:
        points = []
        for value in values:
            if columns := as_columns(value):
                self._folding.kinds = self._history.kinds = kinds(columns)
            elif row := as_row(value):
                self._history.add(row)
                if point := self._folding.add(row):
                    points.append(point)
        if self._folding.waiting_s >= LEAST_S and (point := self._folding.end()):
            points.append(point)
        if points:
            self._t_s = max(self._t_s, points[-1][0])
        return points

    def _samples(self, points: list[Point]) -> list[Message]:
        batches = [points[begin : begin + BATCH] for begin in range(0, len(points), BATCH)]
        return [
            self._message(
                "sample",
                t_s=[round(t, 3) for t, _ in batch],
                series={
                    kind.name: [_short(at(values, place)) for _, values in batch]
                    for place, kind in enumerate(self._folding.kinds)
                },
            )
            for batch in batches
        ]

    def _lines(self, rows: list[Any]) -> list[Message]:
        """Return one message for all that the kernel told; what is None has not changed."""
        told = [row for row in rows if is_told(row)]
        lines = [row for row in told if "line" in row]
        so_far = [row for row in told if isinstance(row.get("so_far"), dict)]
        if not lines and not so_far:
            return []
        t_s = max(row["t"] for row in [*lines[-1:], *so_far[-1:]]) - self.header.monotonic
        known = so_far[-1]["so_far"] if so_far else {}
        message = self._message(
            "line",
            t_s=round(t_s, 3),
            line=lines[-1]["line"] if lines else self._line.get("line"),
            so_far=known.get("text"),
            lines=known.get("lines"),
        )
        self._t_s = max(self._t_s, t_s)
        kept = {name: self._line.get(name) for name in ("so_far", "lines")}
        self._line = {**message, **{k: v for k, v in kept.items() if message[k] is None}}
        return [message]

    def _end(self, kernel: list[Any], sidecar: list[Any]) -> list[Message]:
        """Return the end of the run, if it has come."""
        if row := next(filter(None, map(ended, reversed(kernel))), None):
            self.over = True
            known = {"outcome": row.get("outcome"), "duration_s": row.get("duration_s")}
            return [self._message("ended", **known)]
        if row := next(filter(None, map(gone, reversed(sidecar))), None):
            return [self._gone(row["gone"] - self.header.monotonic)]
        if not self.run.exists():  # the kernel took it back, as that of a cell that did not run
            return [self._untold()]
        if kernel or sidecar:
            self._heard_at = time.monotonic()
        elif time.monotonic() - self._heard_at >= QUIET_S:
            self._heard_at = time.monotonic()
            return self._looked_at()
        return []

    def _looked_at(self) -> list[Message]:
        """Ask how a quiet run stands."""
        now = state(self.run, self.header)
        if now == "killed":
            return [self._gone(self._t_s)]
        return [self._untold()] if now == "ended" else []

    def _untold(self) -> Message:
        """Say that the run has ended, nobody told how."""
        self.over = True
        return self._message("ended", outcome=None, duration_s=None)

    def _gone(self, t_s: float) -> Message:
        self.over = True
        return self._message("gone", t_s=round(t_s, 3))


def _short(value: float | None) -> float | int | None:
    """Leave out digits that mean nothing, for messages that are sent five times a second."""
    return value if value is None or isinstance(value, int) else round(value, 3)
