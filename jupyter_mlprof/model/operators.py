"""Operators of a framework, and the short window of the cell in which they were watched."""

from dataclasses import dataclass
from typing import Literal

DenseKind = Literal["matmul", "convolution", "attention", "recurrent"]


@dataclass(frozen=True, slots=True)
class OperatorTime:
    """Time of one operator on CPU and device, with the line of the cell that issued it."""

    name: str
    line: int | None
    calls: int
    cpu_s: float
    device_s: float | None
    shapes: str
    dtype: str


@dataclass(frozen=True, slots=True)
class DenseTime:
    """Time in operators that matrix units could do, of one kind and one dtype."""

    kind: DenseKind
    dtype: str
    calls: int
    cpu_s: float
    device_s: float | None

    @property
    def busy_s(self) -> float:
        """Seconds where the work is done: on the device if there is one."""
        return self.cpu_s if self.device_s is None else self.device_s


@dataclass(frozen=True, slots=True)
class OperatorWindow:
    """When operators were watched, and what they were in all; the schema tells each meaning."""

    from_s: float
    to_s: float
    steps: int
    events: int
    cpu_s: float
    device_s: float | None
    dense: tuple[DenseTime, ...] = ()
    matmul_precision: str | None = None
    bf16_speedup: float | None = None

    @property
    def wall_s(self) -> float:
        """Seconds that the window was open."""
        return self.to_s - self.from_s

    def share(self, dtype: str) -> float:
        """Return the part of the window in which dense operators of the dtype were at work."""
        busy = sum(one.busy_s for one in self.dense if one.dtype == dtype)
        return min(1.0, busy / self.wall_s) if self.wall_s > 0 else 0.0
