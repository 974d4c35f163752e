"""What the kernel tells while the cell runs: its line, and what was seen so far.

It is written to the run's folder, where the server reads it and where it outlives a killed kernel.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.machine import resident_bytes
from jupyter_mlprof.collect.ticker import Ticker
from jupyter_mlprof.model.collectors import CollectorReport, State

ALIVE_EVERY_S = 0.5
LOOK_AT_S = (1.0, 2.0, 4.0, 8.0)
LOOK_EVERY_S = 15.0
GROWN_BYTES = 256_000_000
LOOK_AGAIN_S = 1.0


@dataclass
class Journal:
    """Appends rows to a run's `kernel.jsonl` until the cell ends.

    `line` gives the line that runs; `so_far` what is known after so many seconds. The latter costs
    more, so it is asked at growing intervals, and when memory has grown much.
    """

    file: Path
    ticker: Ticker
    line: Callable[[], int | None]
    so_far: Callable[[float], dict[str, object]]
    name: str = "journal"
    _stream: TextIO | None = None
    _begun: float = 0.0
    _line_told: tuple[float, int | None] = (0.0, None)
    _looked_at: float = 0.0
    _looks: int = 0
    _resident: int = 0
    _cost: float = 0.0
    _failure: str | None = None
    _ended: bool = False

    def available(self, cell: CellCode) -> str | None:
        return None

    def start(self, cell: CellCode) -> None:
        self._begun = self._looked_at = time.monotonic()
        self._resident = resident_bytes()
        self._stream = self.file.open("a", encoding="utf-8", buffering=1)
        self.ticker.add(self._tick)

    def stop(self) -> Parts:
        self._ended = True
        self.ticker.remove(self._tick)
        if self._stream is not None:
            self._stream.close()
        return {}

    def report(self) -> CollectorReport:
        state: State = "failed" if self._failure else "ran"
        return CollectorReport(self.name, state, self._failure, self._cost)

    def _tick(self) -> None:
        """Write what is due. What fails here, as on a full disk, ends the journal alone."""
        if self._failure is not None or self._ended:
            return
        before, now = time.thread_time(), time.monotonic()
        try:
            self._tell_line(now)
            if self._look_is_due(now):
                self._looked_at, self._resident = now, resident_bytes()
                self._looks += 1
                self._write({"t": now, "so_far": self.so_far(now - self._begun)})
        except Exception as error:  # noqa: BLE001 - the sampler must go on
            # A tick may be under way while the cell's thread closes the file.
            if not self._ended:
                self._failure = f"{type(error).__name__}: {error}"[:200]
        self._cost += time.thread_time() - before

    def _tell_line(self, now: float) -> None:
        told_at, told = self._line_told
        line = self.line()
        # At once, since what comes next may be a call that holds the GIL.
        if line != told or now - told_at >= ALIVE_EVERY_S:
            self._line_told = (now, line)
            self._write({"t": now, "line": line})

    def _look_is_due(self, now: float) -> bool:
        since = now - self._looked_at
        if since < LOOK_AGAIN_S:
            return False
        if now - self._begun >= self._next_look_s():
            return True
        return resident_bytes() - self._resident >= GROWN_BYTES

    def _next_look_s(self) -> float:
        if self._looks < len(LOOK_AT_S):
            return LOOK_AT_S[self._looks]
        return self._looked_at - self._begun + LOOK_EVERY_S

    def _write(self, row: dict[str, object]) -> None:
        assert self._stream is not None  # noqa: S101 - opened by start
        self._stream.write(json.dumps(row, separators=(",", ":")) + "\n")
