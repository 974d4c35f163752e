"""Optimizer steps of the cell."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Steps:
    """Count and rhythm of the busiest optimizer; time inside the steps of all of them."""

    count: int
    seconds: tuple[float, ...]
    optimizer_s: float
