"""Memory, CPU, I/O and children over time, sampled by a process beside the kernel."""

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.machine import cores_allowed, memory_limit
from jupyter_mlprof.collect.samples import Row, as_row, timeline
from jupyter_mlprof.collect.sidecar_process import sidecar_process
from jupyter_mlprof.model.collectors import CollectorReport, State
from jupyter_mlprof.model.memory import Memory
from jupyter_mlprof.model.runfile import RunHeader, json_lines


@dataclass
class Sidecar:
    """Samples into the run's folder and reads the samples back at the end."""

    folder: Path
    header: RunHeader
    name: str = "sidecar"
    _begun: float = 0.0
    _start_bytes: int = 0
    _cost: float = 0.0
    _rows: list[Row] = field(default_factory=list)

    def available(self, cell: CellCode) -> str | None:
        if not sys.platform.startswith("linux"):
            return "memory and CPU over time are recorded on Linux only"
        return None

    def start(self, cell: CellCode) -> None:
        self._begun = time.monotonic()
        self._start_bytes = _resident_bytes()
        sidecar_process().start(self.folder, asdict(replace(self.header, source=None)))

    def stop(self) -> Parts:
        ended = time.monotonic()
        end_bytes = _resident_bytes()
        self._cost = sidecar_process().stop()
        rows = json_lines(self.folder / "sidecar.jsonl")
        self._rows = [row for row in map(as_row, rows) if row]
        parts: Parts = {
            "memory": self._memory(end_bytes, ended - self._begun),
            "sidecar_cpu_s": self._cost,
            "timeline": timeline(self._rows, self._begun, ended),
        }
        if self._rows:
            parts["children_cpu_s"] = (self._rows[-1][4] or 0.0) - (self._rows[0][4] or 0.0)
            parts["cores_busy_elsewhere"] = busy_elsewhere(self._rows)
        return parts

    def report(self) -> CollectorReport:
        # A cell may end before the process beside it has started.
        state: State = "ran" if self._rows else "failed"
        reason = None if self._rows else "no sample arrived before the cell ended"
        return CollectorReport(self.name, state, reason, self._cost)

    def _memory(self, end_bytes: int, duration: float) -> Memory:
        at = {0.0: self._start_bytes, duration: end_bytes}
        at |= {max(0.0, (row[0] or 0) - self._begun): int(row[1] or 0) for row in self._rows}
        peak_t = max(at, key=lambda t: at[t])
        return Memory(self._start_bytes, at[peak_t], peak_t, end_bytes, memory_limit())


def _resident_bytes() -> int:
    """Resident bytes of this process now."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def busy_elsewhere(rows: Sequence[Row]) -> float | None:
    """Mean cores that other processes kept busy, of those that this one may use.

    The load of a machine with more cores than ours is taken in proportion.
    """
    known = [row for row in rows if row[8] is not None]
    if len(known) < 2 or known[-1][0] == known[0][0]:  # noqa: PLR2004 - a difference needs two
        return None
    first, last = known[0], known[-1]
    spent = [(end or 0.0) - (begin or 0.0) for begin, end in zip(first, last, strict=True)]
    seconds, own, children, busy = spent[0], spent[2], spent[4], spent[8]
    elsewhere = max(0.0, (busy - own - max(0.0, children)) / seconds)
    return elsewhere * min(1.0, cores_allowed() / (os.cpu_count() or 1))
