"""Memory, CPU, I/O and children over time, sampled by a process beside the kernel."""

import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.machine import cores_allowed, memory_limit, resident_bytes
from jupyter_mlprof.collect.module_path import module_path
from jupyter_mlprof.collect.run_samples import RunSamples, read_samples
from jupyter_mlprof.collect.samples import Row, timeline
from jupyter_mlprof.collect.sidecar_process import reads_proc, sidecar_process
from jupyter_mlprof.model.collectors import CollectorReport, State
from jupyter_mlprof.model.memory import Memory
from jupyter_mlprof.model.runfile import SIDECAR_FILE, RunHeader, json_lines

NO_PSUTIL = (
    "memory and CPU over time are read through psutil on this system:"
    " `pip install psutil` in the kernel's environment"
)


@dataclass
class Sidecar:
    """Samples into the run's folder and reads the samples back at the end."""

    folder: Path
    header: RunHeader
    name: str = "sidecar"
    begun: float = 0.0
    ended: float = 0.0
    samples: RunSamples = field(default_factory=RunSamples)
    _start_bytes: int = 0
    _cost: float = 0.0

    def available(self, cell: CellCode) -> str | None:
        return None if reads_proc() or module_path("psutil") else NO_PSUTIL

    def start(self, cell: CellCode) -> None:
        self.begun = time.monotonic()
        self._start_bytes = resident_bytes()
        header = asdict(replace(self.header, source=None))
        sidecar_process().start(self.folder, header, module_path("pynvml"))

    def stop(self) -> Parts:
        self.ended = time.monotonic()
        end_bytes = resident_bytes()
        self._cost = sidecar_process().stop()
        self.samples = read_samples(json_lines(self.folder / SIDECAR_FILE))
        rows = self.samples.rows
        parts: Parts = {
            "memory": self._memory(end_bytes),
            "sidecar_cpu_s": self._cost,
            "timeline": timeline(rows, self.begun, self.ended, self.samples.columns),
        }
        if rows:
            parts["children_cpu_s"] = (rows[-1][4] or 0.0) - (rows[0][4] or 0.0)
            parts["cores_busy_elsewhere"] = busy_elsewhere(rows)
        return parts

    def report(self) -> CollectorReport:
        # A cell may end before the process beside it has started.
        state: State = "ran" if self.samples.rows else "failed"
        reason = None if self.samples.rows else "no sample arrived before the cell ended"
        gpus = self.samples.nvml.cost_cpu_s if self.samples.nvml else 0.0
        return CollectorReport(self.name, state, reason, max(0.0, self._cost - gpus))

    def _memory(self, end_bytes: int) -> Memory:
        at = {0.0: self._start_bytes, self.ended - self.begun: end_bytes}
        for row in self.samples.rows:
            at[max(0.0, (row[0] or 0) - self.begun)] = int(row[1] or 0)
        peak_t = max(at, key=lambda t: at[t])
        return Memory(self._start_bytes, at[peak_t], peak_t, end_bytes, memory_limit())


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
