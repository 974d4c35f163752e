"""What was noticed, with its evidence, and the change that is offered."""

from dataclasses import dataclass
from typing import Literal

from jupyter_mlprof.model.trial import Trial

Kind = Literal[
    "vectorization",
    "batching",
    "input-pipeline",
    "per-item-io",
    "graph-rebuild",
    "autograd-waste",
    "host-conversion",
    "precision",
    "device-sync",
    "kernel-config",
    "dataframe",
    "parallelism",
    "logging-io",
    "serving",
]
Confidence = Literal["low", "medium", "high"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A measured value beside the threshold it was held against, and where that comes from."""

    name: str
    value: float | None
    unit: str
    threshold: float | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Gain:
    """The whole cell becomes `low` to `high` times faster, or its memory peak smaller."""

    metric: Literal["time", "memory"]
    low: float
    high: float
    basis: str


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace [start, end), in UTF-16 code units of the whole source, by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits, sorted and not overlapping, and the hash of the source they fit."""

    source_sha256: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One cause: what to do, why we think so, what it may win and what it costs."""

    rule: str
    kind: Kind
    title: str
    line: int | None
    evidence: tuple[Evidence, ...]
    gain: Gain
    confidence: Confidence
    costs: tuple[str, ...]
    fix: Fix | None
    advice: str
    trial: Trial | None = None
