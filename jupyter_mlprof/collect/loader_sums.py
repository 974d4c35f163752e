"""Sums over the iterations of one DataLoader."""

from collections.abc import Callable
from dataclasses import dataclass, field

from jupyter_mlprof.collect.fetch_clock import Fetch
from jupyter_mlprof.collect.loader_facts import Facts
from jupyter_mlprof.model.loader import Span

# Timing a fetch costs some 10 us: where batches come faster than this, one in so many is timed.
QUICK_S, QUICK_EVERY = 0.0005, 16
LOOK_EVERY = 64


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
    start_s: float = 0.0
    fetches: int = 0
    passed_over: int = 0
    fetch_s: float = 0.0
    fetch_cpu_s: float = 0.0
    fetch_threads_s: float = 0.0
    collate_s: float = 0.0
    batch_bytes: int | None = None
    on_gpu: bool = False
    in_thread: bool = False
    started_before: bool = False
    quick: bool = False
    passes: "dict[int, Pass]" = field(default_factory=dict)

    def passes_over(self) -> bool:
        """Tell whether this fetch is not to be timed, as most are where batches come fast."""
        if not self.quick or self.batches % QUICK_EVERY == 0:
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

    def ready(self, at: float) -> None:
        """A worker runs: the first of the newest iteration that it can belong to."""
        for one in reversed(tuple(self.passes.values())):
            if one.begun <= at:
                one.ready_at = min(at, one.ready_at or at)
                return

    def end(self) -> None:
        """The cell is over."""
        for one in tuple(self.passes.values()):
            one.end()

    def end_forgotten(self) -> None:
        """End the iterations that were left and whose iterators are gone."""
        for one in tuple(self.passes.values()):
            if one.iterator() is None:
                one.end()


@dataclass(slots=True)
class Pass:
    """One iteration over a loader.

    `started_s` is how long it took to start its workers' processes; they then import and unpickle,
    and are ready later. What another thread than the cell's waits is not the cell's waiting.
    """

    use: Use
    begun: float
    seen: float
    iterator: Callable[[], object]
    in_thread: bool
    started_s: float = 0.0
    ready_at: float | None = None
    first_wait_s: float = 0.0
    yielded: int = 0
    over: bool = False

    def waited(self, seconds: float, now: float) -> None:
        """The loop waited; what comes before a batch is its first wait."""
        self.seen = now
        if self.in_thread:
            return
        self.use.wait_s += seconds
        if self.yielded == 0:
            self.use.first_wait_s += seconds
            self.first_wait_s += seconds

    def took(self, seconds: float, now: float) -> bool:
        """Note that the loop waited and got a batch; tell whether it is time for a closer look."""
        use = self.use
        self.seen = now
        if not self.in_thread:
            use.wait_s += seconds
            if self.yielded == 0:
                use.first_wait_s += seconds
                self.first_wait_s += seconds
        self.yielded += 1
        use.batches += 1
        if use.batches % LOOK_EVERY == 0:
            use.quick = use.wait_s < use.batches * QUICK_S
            return True
        return self.yielded == 1

    def stopped(self, seconds: float) -> None:
        """The loader ended by itself; workers that do not persist were ended with it."""
        facts = self.use.facts
        ends = facts.workers and not facts.persistent_workers and not facts.iterable
        if ends and not self.in_thread:
            self.use.start_s += seconds

    def end(self, now: float | None = None) -> None:
        """The iteration is over now, or was left at the last batch that it gave."""
        if self.over:
            return
        self.over = True
        self.use.passes.pop(id(self), None)
        if self.in_thread:
            return
        self.use.loop_s += (self.seen if now is None else now) - self.begun
        if self.started_s:
            running = max(self.started_s, (self.ready_at or self.begun) - self.begun)
            self.use.start_s += min(self.first_wait_s, running)
