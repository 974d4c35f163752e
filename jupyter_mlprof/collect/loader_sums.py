"""Sums over the iterations of one DataLoader."""

from collections.abc import Callable
from dataclasses import dataclass

from jupyter_mlprof.collect.loader_facts import Facts
from jupyter_mlprof.model.loader import Span


@dataclass
class Use:
    """Sums over the iterations of one loader."""

    loader: Callable[[], object]
    facts: Facts
    line: int | None
    built: Span | None
    epochs: int = 0
    batches: int = 0
    loop_s: float = 0.0
    wait_s: float = 0.0
    first_wait_s: float = 0.0
    fetches: int = 0
    fetch_s: float = 0.0
    fetch_cpu_s: float = 0.0
    collate_s: float = 0.0
    batch_bytes: int | None = None
    begun: float | None = None
    seen: float = 0.0
    yielded: int = 0

    def begin(self, now: float) -> None:
        """An iteration begins."""
        self.end()
        self.epochs += 1
        self.begun, self.seen, self.yielded = now, now, 0

    def end(self) -> None:
        """The iteration is over, or was left at the last batch that it gave."""
        if self.begun is not None:
            self.loop_s += self.seen - self.begun
            self.begun = None

    def waited(self, seconds: float, now: float) -> None:
        """The loop waited; what comes before a batch is its first wait."""
        self.wait_s += seconds
        self.seen = now
        if self.yielded == 0:
            self.first_wait_s += seconds

    def fetched(self, seconds: float, cpu_s: float, collate_s: float) -> None:
        """One batch was fetched, here or in a worker."""
        self.fetches += 1
        self.fetch_s += seconds - collate_s
        self.fetch_cpu_s += cpu_s
        self.collate_s += collate_s
