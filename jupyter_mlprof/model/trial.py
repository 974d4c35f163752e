"""What came of trying a fix beside the original."""

from dataclasses import dataclass
from typing import Literal

TrialVerdict = Literal["pays", "does-not-pay", "cannot-tell", "refused"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A ratio of times, original over changed, and the interval of 95 % that holds it."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True)
class Drift:
    """The variable whose value differs most between original and changed cell.

    `relative` is the difference as a share of the value, `same_code` that between two runs of the
    original.
    """

    name: str
    relative: float
    same_code: float


@dataclass(frozen=True, slots=True)
class Trial:
    """The verdict in words, and the figures behind it.

    `speedup` is that of the whole cell, `steady` that of its later steps; `before_s` and `after_s`
    are seconds of the whole cell, worked out from `steps` steps where it was not run to its end.
    `memory_change_bytes` is of the process that ran the cell, without its workers. `compared` says
    how many variables of both were held against each other.
    """

    verdict: TrialVerdict
    text: str
    pairs: int = 0
    took_s: float = 0.0
    speedup: Interval | None = None
    steady: float | None = None
    before_s: float | None = None
    after_s: float | None = None
    steps: int | None = None
    memory_change_bytes: int | None = None
    compared: int = 0
    drift: Drift | None = None
