"""Run folders made up for tests, written as a kernel and its sidecar write them."""

import json
import os
import time
from pathlib import Path
from typing import Any

from jupyter_mlprof.model.runfile import SIDECAR_FILE, RunHeader, append, create

SOURCE = "%%mlprof\n# load\nimport time\nbatches = []\nfill(batches)\n"
BEGUN = 1000.0
NOBODY = 2**22 + 1  # beyond the largest process id of Linux


def header(number: int = 1, **changes: Any) -> RunHeader:
    """Tell of a run of an earlier boot, so that nothing can be seen of its kernel."""
    known: dict[str, Any] = {
        "run_id": f"{number:032x}",
        "pid": NOBODY,
        "pid_start": 2,
        "kernel_id": "k-1-2-3-4",
        "cell_id": "c1",
        "notebook": "/nowhere/a.ipynb",
        "source_sha256": "0" * 64,
        "wall_clock": 1000.0 + number,
        "monotonic": BEGUN,
        "source": SOURCE,
    }
    return RunHeader(**{**known, **changes})


def own_header(number: int = 1, **changes: Any) -> RunHeader:
    """Tell of a run that began now in this process."""
    stat = Path("/proc/self/stat").read_text("ascii", "replace")
    mine = {
        "pid": os.getpid(),
        "pid_start": int(stat.rpartition(")")[2].split()[19]),
        "wall_clock": time.time(),
        "monotonic": time.monotonic(),
    }
    return header(number, **{**mine, **changes})


def sample(t: float, rss: float, cpu: float = 0.0, **more: Any) -> list[Any]:
    """Return a row of the sidecar, `t` seconds after the start."""
    others = ("children_rss", "children_cpu", "children", "read", "write", "busy")
    none: dict[str, Any] = {"children_rss": 0, "children_cpu": 0.0, "children": 0}
    return [BEGUN + t, rss, cpu, *((none | more).get(name) for name in others)]


class MadeRun:
    """A run's folder, and what is added to it."""

    def __init__(self, runs: Path, head: RunHeader) -> None:
        self.header = head
        self.path = create(runs, head)

    def kernel(self, t: float, **row: Any) -> None:
        append(self.path, {"t": self.header.monotonic + t, **row})

    def ended(self, t: float = 1.0, outcome: str = "ok", verdict: str = "Fine.") -> None:
        self.kernel(t, ended={"outcome": outcome, "duration_s": t, "verdict": verdict})

    def sidecar(self, *rows: Any) -> None:
        """Add rows of `sample`, put to the time of this run's start."""
        shift = self.header.monotonic - BEGUN
        moved = [[row[0] + shift, *row[1:]] if _is_sample(row) else row for row in rows]
        with (self.path / SIDECAR_FILE).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in moved)

    def gone(self, t: float, **told: Any) -> None:
        self.sidecar({"gone": self.header.monotonic + t, **told})

    def silent(self, seconds: float) -> None:
        """Make the files as old as that."""
        then = time.time() - seconds
        for file in self.path.iterdir():
            os.utime(file, (then, then))


def _is_sample(row: Any) -> bool:
    return isinstance(row, list) and isinstance(row[0], float)
