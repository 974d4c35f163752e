"""Operators of a framework."""

from dataclasses import dataclass


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
