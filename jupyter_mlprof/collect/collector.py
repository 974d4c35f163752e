"""The seam between a capture and what it measures."""

from dataclasses import dataclass
from typing import Protocol, TypedDict, runtime_checkable

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.model.collectors import CollectorReport
from jupyter_mlprof.model.functions import Caller, CallSpan, Flame, Frame, FunctionTime
from jupyter_mlprof.model.gpu import GpuUse
from jupyter_mlprof.model.lines import LineTime
from jupyter_mlprof.model.loader import LoaderUse
from jupyter_mlprof.model.memory import Holder, Memory
from jupyter_mlprof.model.operators import OperatorTime, OperatorWindow
from jupyter_mlprof.model.spans import Spans
from jupyter_mlprof.model.steps import Steps
from jupyter_mlprof.model.timeline import Timeline


@dataclass(frozen=True, slots=True)
class CallCount:
    """Exact calls of one function."""

    calls: int
    callers: tuple[Caller, ...]


class Parts(TypedDict, total=False):
    """The parts of a profile that collectors give; each gives its own."""

    lines: tuple[LineTime, ...]
    functions: tuple[FunctionTime, ...]
    flame: Flame
    spans: Spans
    threads_s: float
    calls: CallSpan
    call_counts: dict[Frame, CallCount]
    timeline: Timeline
    memory: Memory
    holders: tuple[Holder, ...]
    children_cpu_s: float
    cores_busy_elsewhere: float | None
    sidecar_cpu_s: float
    gpus: tuple[GpuUse, ...]
    loader: tuple[LoaderUse, ...]
    steps: Steps
    operators: tuple[OperatorTime, ...]
    operator_window: OperatorWindow


class Collector(Protocol):
    """Measures one thing between start and stop.

    `available` returns the reason why it cannot, or None. `stop` undoes all that `start` did,
    also after an error, and may be called without a start. `report` tells state and cost.
    """

    name: str

    def available(self, cell: CellCode) -> str | None: ...

    def start(self, cell: CellCode) -> None: ...

    def stop(self) -> Parts: ...

    def report(self) -> CollectorReport: ...


@runtime_checkable
class Peekable(Protocol):
    """A collector that can tell, from another thread, what it has seen so far."""

    def peek(self) -> Parts: ...
