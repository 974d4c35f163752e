"""What the cell made of a GPU."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GpuUse:
    """One GPU over the cell; busy and energy are of the whole GPU, others' work included.

    `own_peak_bytes` is what the kernel's processes had. What is not known is None.
    """

    index: int
    name: str
    busy_pct: float | None = None
    energy_j: float | None = None
    peak_bytes: int | None = None
    own_peak_bytes: int | None = None
    peak_temperature_c: float | None = None
    lost_at_s: float | None = None
