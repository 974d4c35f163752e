"""What was seen of one DataLoader."""

from dataclasses import dataclass
from typing import Literal

Unseen = Literal["started-before", "not-watched"]


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the cell's source: lines from 1, columns from 0 in code points, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class LoaderUse:
    """One DataLoader that the cell iterated over; the schema tells the meaning of each field."""

    name: str | None
    line: int | None
    built: Span | None
    dataset: str
    dataset_in_notebook: bool
    iterable: bool
    shared: str | None
    start_method: str | None
    on_gpu: bool
    batch_size: int | None
    batch_bytes: int | None
    workers: int
    persistent_workers: bool
    pin_memory: bool
    loaders: int
    epochs: int
    batches: int
    loop_s: float
    wait_s: float
    first_wait_s: float
    fetch_s: float | None
    fetch_cpu_s: float | None
    fetch_core_wait_s: float | None
    collate_s: float | None
    start_s: float = 0.0
    fetches: int | None = None
    prefetch: int | None = None
    unseen: Unseen | None = None
    in_thread: bool = False

    @property
    def load_s(self) -> float | None:
        """Seconds of loading, collation included, summed over workers; None if unseen."""
        return None if self.fetch_s is None else self.fetch_s + (self.collate_s or 0.0)

    @property
    def batch_load_s(self) -> float:
        """Seconds to load one batch; workers may have loaded more than the loop took."""
        return (self.load_s or 0.0) / (self.fetches or self.batches or 1)

    @property
    def cpu_share(self) -> float:
        """Part of the loading that computes, or would with a core; the rest waits for storage."""
        load_s = self.load_s
        computing = (self.fetch_cpu_s or 0.0) + (self.fetch_core_wait_s or 0.0)
        return min(1.0, computing / load_s) if load_s else 0.0

    @property
    def other_wait_s(self) -> float:
        """Seconds waited for what workers cannot take over: the sampler, or pinning memory."""
        return max(0.0, self.wait_s - (self.load_s or 0.0)) if self.workers == 0 else 0.0

    @property
    def compute_s(self) -> float:
        """Seconds in which the loop used its batches instead of waiting for them."""
        return max(0.0, self.loop_s - self.wait_s)
