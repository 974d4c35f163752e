"""The series that the sidecar's columns give: of the kernel's processes, and of each GPU."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

Fold = Literal["most", "mean", "rate"]

GPU_COLUMN = re.compile(r"gpu(\d{1,3})_(\w{1,20})")


class Kind(NamedTuple):
    """A series: the column it comes from, and what a step holds of it.

    The rate is that of a column that counts up. A GPU's `used` is the column that tells whether the
    kernel's processes use it: where that is 0, the value is others' and left out.
    """

    name: str
    unit: str
    column: int
    fold: Fold
    used: int | None = None


SERIES = (
    Kind("rss", "bytes", 1, "most"),
    Kind("cpu", "cores", 2, "rate"),
    Kind("children_rss", "bytes", 3, "most"),
    Kind("children_cpu", "cores", 4, "rate"),
    Kind("children", "count", 5, "most"),
    Kind("read", "bytes/s", 6, "rate"),
    Kind("write", "bytes/s", 7, "rate"),
)
GPU_SERIES: tuple[tuple[str, str, Fold], ...] = (
    ("util", "%", "mean"),
    ("memory", "bytes", "most"),
    ("own_memory", "bytes", "most"),
    ("power", "W", "mean"),
    ("temperature", "°C", "most"),
)


def kinds(columns: Sequence[str]) -> tuple[Kind, ...]:
    """Return the series of the kernel's processes, then those of each GPU that has columns."""
    found = list(SERIES)
    for gpu, places in gpu_columns(columns).items():
        found += (
            Kind(f"gpu{gpu}_{name}", unit, places[name], fold, places["used"])
            for name, unit, fold in GPU_SERIES
            if name in places and "used" in places
        )
    return tuple(found)


def gpu_columns(columns: Sequence[str]) -> dict[int, dict[str, int]]:
    """Return the place of each column of each GPU, by the GPU's index and the column's name."""
    found: dict[int, dict[str, int]] = {}
    for place, column in enumerate(columns):
        if match := GPU_COLUMN.fullmatch(column):
            found.setdefault(int(match[1]), {})[match[2]] = place
    return found
