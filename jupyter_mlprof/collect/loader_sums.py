"""Sums over the iterations of one DataLoader."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from jupyter_mlprof.collect.loader_facts import Facts
from jupyter_mlprof.model.loader import LoaderUse, Span

SPIN_S = 0.005
# Timing a fetch costs some 10 us: where batches come faster than this, one in so many is timed.
QUICK_S, QUICK_AFTER, QUICK_EVERY = 0.0005, 64, 16


class Fetch(NamedTuple):
    """One call of a fetcher: wall seconds, those of collation, CPU seconds.

    CPU is told apart into that of the fetching thread and of child processes, and of other threads.
    """

    seconds: float
    collate_s: float
    cpu_s: float
    threads_s: float


@dataclass
class Use:
    """Sums over the iterations of one loader; `number` is its place among the cell's."""

    number: int
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
    passed_over: int = 0
    fetch_s: float = 0.0
    fetch_cpu_s: float = 0.0
    fetch_threads_s: float = 0.0
    collate_s: float = 0.0
    batch_bytes: int | None = None
    on_gpu: bool = False
    begun: float | None = None
    seen: float = 0.0
    yielded: int = 0

    def begin(self, now: float) -> None:
        """An iteration begins."""
        self.end()
        self.epochs += 1
        self.begun, self.seen, self.yielded = now, now, 0

    def end(self, now: float | None = None) -> None:
        """The iteration is over now, or was left at the last batch that it gave."""
        if self.begun is not None:
            self.loop_s += (self.seen if now is None else now) - self.begun
            self.begun = None

    def waited(self, seconds: float, now: float) -> None:
        """The loop waited; what comes before a batch is its first wait."""
        self.wait_s += seconds
        self.seen = now
        if self.yielded == 0:
            self.first_wait_s += seconds

    def passes_over(self) -> bool:
        """Tell whether this fetch is not to be timed, as most are where batches come fast."""
        quick = self.batches >= QUICK_AFTER and self.wait_s < self.batches * QUICK_S
        if not quick or self.batches % QUICK_EVERY == 0:
            return False
        self.passed_over += 1
        return True

    @property
    def weight(self) -> float:
        """How many fetches each timed one stands for."""
        return 1 + self.passed_over / self.fetches if self.fetches else 1.0

    def fetched(self, fetch: Fetch) -> None:
        """One batch was fetched, here or in a worker."""
        self.fetches += 1
        self.fetch_s += fetch.seconds - fetch.collate_s
        self.fetch_cpu_s += fetch.cpu_s
        self.fetch_threads_s += fetch.threads_s
        self.collate_s += fetch.collate_s


def loader_uses(
    uses: Sequence[Use], namespace: Mapping[str, object], waited_per_cpu_s: float
) -> tuple[LoaderUse, ...]:
    """Return one LoaderUse for each loader; those that the same call built count as one."""
    groups: dict[object, list[Use]] = {}
    for use in uses:
        groups.setdefault(use.built or use.number, []).append(use)
    return tuple(_loader_use(group, namespace, waited_per_cpu_s) for group in groups.values())


def _loader_use(
    uses: Sequence[Use], namespace: Mapping[str, object], waited_per_cpu_s: float
) -> LoaderUse:
    first = uses[0]
    seen = any(use.fetches for use in uses)
    cpu_s = sum(use.fetch_cpu_s * use.weight for use in uses) + _threads_s(uses)
    return LoaderUse(
        name=_variable(uses[-1].loader(), namespace),
        line=first.line,
        built=first.built,
        **asdict(first.facts),
        on_gpu=any(use.on_gpu for use in uses),
        batch_bytes=first.batch_bytes,
        loaders=len(uses),
        epochs=sum(use.epochs for use in uses),
        batches=sum(use.batches for use in uses),
        loop_s=sum(use.loop_s for use in uses),
        wait_s=sum(use.wait_s for use in uses),
        first_wait_s=sum(use.first_wait_s for use in uses),
        fetch_s=sum(use.fetch_s * use.weight for use in uses) if seen else None,
        fetch_cpu_s=cpu_s if seen else None,
        # Of the cell's thread, and taken to hold for its workers too.
        fetch_core_wait_s=cpu_s * waited_per_cpu_s if seen else None,
        collate_s=sum(use.collate_s * use.weight for use in uses) if seen else None,
    )


def _threads_s(uses: Sequence[Use]) -> float:
    """CPU seconds of other threads while batches were fetched, without OpenMP's spinning.

    OpenMP's threads spin for some milliseconds after torch has used them, which is the loop's
    computing and not the loading's; workers compute with one thread.
    """
    torch = sys.modules.get("torch")
    spinning = torch.get_num_threads() - 1 if torch is not None else 0
    fetches = sum(use.fetches * use.weight for use in uses if use.facts.workers == 0)
    threads_s = sum(use.fetch_threads_s * use.weight for use in uses)
    return max(0.0, threads_s - fetches * spinning * SPIN_S)


def _variable(loader: object, namespace: Mapping[str, object]) -> str | None:
    names = (name for name, value in namespace.items() if value is loader is not None)
    return next((name for name in names if not name.startswith("_")), None)
