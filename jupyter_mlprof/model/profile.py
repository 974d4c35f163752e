"""The profile of one run of one cell, as it is stored and sent.

`profile.schema.json` beside this file is the wire contract and tells the meaning of each field;
a test holds the two together.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jupyter_mlprof.model.collectors import CollectorReport, Overhead
from jupyter_mlprof.model.finding import Finding
from jupyter_mlprof.model.functions import CallSpan, Flame, FunctionTime
from jupyter_mlprof.model.gpu import GpuUse
from jupyter_mlprof.model.lines import LineTime
from jupyter_mlprof.model.loader import LoaderUse
from jupyter_mlprof.model.memory import Memory
from jupyter_mlprof.model.operators import OperatorTime, OperatorWindow
from jupyter_mlprof.model.spans import Spans
from jupyter_mlprof.model.steps import Steps
from jupyter_mlprof.model.timeline import Timeline

SCHEMA_VERSION = 1
MIME_TYPE = "application/vnd.jupyter-mlprof.v1+json"

Outcome = Literal["ok", "error", "interrupted", "killed"]
PartName = Literal[
    "data", "forward", "backward", "optimizer", "transfer", "python", "idle", "other"
]


@dataclass(frozen=True, slots=True)
class CellError:
    """The exception that ended the cell, and the line of the cell that it came from."""

    type: str
    message: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Cell:
    """Which cell ran; `source` is the whole cell, empty when it was to be left out."""

    id: str | None
    execution_count: int | None
    source: str
    source_sha256: str
    truncated: bool = False
    notebook: str | None = None


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU that the process uses."""

    index: int
    name: str
    memory_bytes: int
    capability: float | None = None


@dataclass(frozen=True, slots=True)
class Machine:
    """What the process may use of the machine, and what was left of it during the cell."""

    python: str
    platform: str
    cores_allowed: float
    cores_busy_elsewhere: float | None = None
    memory_limit_bytes: int | None = None
    memory_available_bytes: int | None = None
    shm_free_bytes: int | None = None
    start_method: str | None = None
    gpus: tuple[Gpu, ...] = ()

    @property
    def cores_free(self) -> float:
        """Cores that this process and its children may count on."""
        return max(0.0, self.cores_allowed - (self.cores_busy_elsewhere or 0.0))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What bounds the cell, in one sentence, and the rule that says so."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the cell's wall time."""

    part: PartName
    seconds: float


@dataclass(frozen=True, slots=True)
class Previous:
    """The profile of the same cell before this one."""

    id: str
    duration_s: float
    peak_bytes: int | None
    verdict: str


@dataclass(frozen=True, slots=True)
class CellProfile:
    """One run of one cell."""

    id: str
    name: str | None
    mlprof_version: str
    started_at: str
    duration_s: float
    cpu_s: float
    outcome: Outcome
    cell: Cell
    machine: Machine
    overhead: Overhead
    error: CellError | None = None
    verdict: Verdict = Verdict("none", "")
    split: tuple[Part, ...] = ()
    lines: tuple[LineTime, ...] = ()
    functions: tuple[FunctionTime, ...] = ()
    calls: CallSpan | None = None
    flame: Flame = Flame()
    spans: Spans = Spans()
    timeline: Timeline = Timeline()
    memory: Memory | None = None
    gpus: tuple[GpuUse, ...] = ()
    loader: tuple[LoaderUse, ...] = ()
    steps: Steps | None = None
    operators: tuple[OperatorTime, ...] | None = None
    operator_window: OperatorWindow | None = None
    collectors: tuple[CollectorReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    previous: Previous | None = None
    dropped: tuple[str, ...] = ()
    schema_version: int = SCHEMA_VERSION

    def save(self, path: str | Path) -> None:
        """Write `NAME.mlprof.json`, which `jupyter_mlprof.load` reads.

        Raises:
            jupyter_mlprof.errors.ProfileError: the file cannot be written.
        """
        from jupyter_mlprof.model.save import save

        save(self, path)

    def export(self, path: str | Path) -> None:
        """Write the profile for another tool: `.pstats` or `.prof` for `pstats` and snakeviz.

        Raises:
            jupyter_mlprof.errors.ProfileError: the ending is another one, or writing failed.
        """
        from jupyter_mlprof.model.save import export

        export(self, path)
