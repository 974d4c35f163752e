"""What each collector did, and what the measuring cost."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ran", "cut", "off", "unavailable", "failed"]


@dataclass(frozen=True, slots=True)
class CollectorReport:
    """Whether a collector ran, why not or not to the end, and its CPU seconds."""

    name: str
    state: State
    reason: str | None = None
    cost_cpu_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Overhead:
    """CPU seconds that profiling took, in the kernel and beside it, and the wait after the cell."""

    budget_pct: float
    kernel_cpu_s: float
    sidecar_cpu_s: float
    after_cell_s: float
