"""What the sidecar wrote of one run."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from jupyter_mlprof.collect.samples import Row, as_columns, as_row

MOST_GPUS = 64


@dataclass(frozen=True, slots=True)
class GpuFacts:
    """What a GPU is, whoever uses it."""

    index: int
    name: str
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class NvmlTold:
    """How it went with NVML; the GPUs that were lost, each with the time by the monotonic clock."""

    reason: str | None
    cost_cpu_s: float
    lost: dict[int, float]


@dataclass
class RunSamples:
    """The rows in the order of time, the names of their columns, and what the GPUs are."""

    rows: list[Row] = field(default_factory=list)
    columns: tuple[str, ...] = ()
    gpus: tuple[GpuFacts, ...] = ()
    nvml: NvmlTold | None = None


def read_samples(lines: Iterable[Any]) -> RunSamples:
    """Read the lines; what is none of ours is left out."""
    found = RunSamples()
    for value in lines:
        if row := as_row(value):
            found.rows.append(row)
        elif isinstance(value, dict):
            found.columns = as_columns(value) or found.columns
            found.gpus = _gpus(value.get("gpus")) or found.gpus
            found.nvml = _nvml(value.get("nvml")) or found.nvml
    return found


def _gpus(value: Any) -> tuple[GpuFacts, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        GpuFacts(one["index"], str(one.get("name"))[:200], int(_number(one.get("memory_bytes"))))
        for one in value[:MOST_GPUS]
        if isinstance(one, dict) and isinstance(one.get("index"), int)
    )


def _nvml(value: Any) -> NvmlTold | None:
    if not isinstance(value, dict):
        return None
    reason, lost = value.get("reason"), value.get("lost")
    return NvmlTold(
        reason=reason[:200] if isinstance(reason, str) else None,
        cost_cpu_s=_number(value.get("cost_cpu_s")),
        lost={int(index): _number(t) for index, t in lost.items() if index.isdigit()}
        if isinstance(lost, dict)
        else {},
    )


def _number(value: Any) -> float:
    return float(value) if type(value) in (int, float) else 0.0
