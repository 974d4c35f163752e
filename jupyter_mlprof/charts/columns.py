"""Columns of the data sources: numbers to draw, and the same numbers as text for tooltips."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, TypeGuard

from jupyter_mlprof.model import numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jupyter_mlprof.model.timeline import Timeline

    Values = Sequence[float | None]
    # Numbers or texts, by the name of the column.
    Columns = dict[str, list[Any]]

# A column, the series it is about, that of the child processes, and how its numbers are said.
STACKED: tuple[tuple[str, str, Callable[[float | None], str]], ...] = (
    ("cpu", "children_cpu", numbers.cores),
    ("rss", "children_rss", numbers.size),
)
FLOWS = ("read", "write")
# What is drawn of a GPU, and how it is said.
GPU_STRIPS: tuple[tuple[str, Callable[[float | None], str]], ...] = (
    ("util", numbers.percent),
    ("memory", numbers.size),
    ("power", numbers.power),
)
GPU_SERIES = re.compile(rf"gpu(\d{{1,3}})_(?:{'|'.join(name for name, _ in GPU_STRIPS)})")
MOST_GPUS = 8


def timeline_columns(timeline: Timeline) -> dict[str, list[float] | list[str]]:
    """Return the columns of a timeline: `rss_total` is with child processes, `rss_text` said."""
    times = timeline.t_s
    columns: dict[str, list[float] | list[str]] = {
        "t": list(times),
        "t_text": [numbers.seconds(time) for time in times],
    }
    for name, children, say in STACKED:
        own, others = _values(timeline, name), _values(timeline, children)
        columns[name] = [_number(value) for value in own]
        columns[f"{name}_total"] = [
            _number(value) + (other or 0.0) for value, other in zip(own, others, strict=True)
        ]
        columns[f"{name}_text"] = [say(value) for value in own]
        columns[f"{name}_children_text"] = [say(value) for value in others]
    for name in FLOWS:
        flow = _values(timeline, name)
        columns[name] = [_number(value) for value in flow]
        columns[f"{name}_text"] = [per_second(value) for value in flow]
    return columns


def gpus_of(timeline: Timeline) -> list[int]:
    """Return the indices of the GPUs that there are series of, as far as there are colours."""
    names = (GPU_SERIES.fullmatch(series.name) for series in timeline.series)
    return sorted({int(name[1]) for name in names if name})[:MOST_GPUS]


def gpu_columns(timeline: Timeline) -> dict[str, list[float] | list[str]]:
    """Return the columns of the GPUs: `util_0` of the first one there is, whatever its index."""
    times = timeline.t_s
    columns: dict[str, list[float] | list[str]] = {
        "t": list(times),
        "t_text": [numbers.seconds(time) for time in times],
    }
    for slot, index in enumerate(gpus_of(timeline)):
        for name, say in GPU_STRIPS:
            values = _values(timeline, f"gpu{index}_{name}")
            columns[f"{name}_{slot}"] = [_number(value) for value in values]
            columns[f"{name}_{slot}_text"] = [say(value) for value in values]
    return columns


def has(timeline: Timeline, *names: str) -> bool:
    """Tell whether any of the series holds more than zeros and gaps."""
    return any(value for name in names for value in _values(timeline, name))


def highest(*columns: Iterable[float | str]) -> float:
    """Return the highest number of some columns, 0 where there is none."""
    return max(
        (value for column in columns for value in column if is_finite(value)),
        default=0.0,
    )


def is_finite(value: float | str) -> TypeGuard[float]:
    """Tell a number from a gap or a text."""
    return isinstance(value, float | int) and math.isfinite(value)


def per_second(value: float | None) -> str:
    """1.2 MB/s."""
    return numbers.UNKNOWN if value is None else f"{numbers.size(value)}/s"


def _values(timeline: Timeline, name: str) -> Values:
    series = timeline.named(name)
    return [None] * len(timeline.t_s) if series is None else series.values


def _number(value: float | None) -> float:
    return math.nan if value is None else value
