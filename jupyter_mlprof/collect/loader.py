"""What a loop waited for: torch's DataLoader, its dataset and its collation.

Five methods are wrapped for the time of the cell. Forked workers inherit the wrappers and send
their times through a pipe that never blocks; workers started by spawn do not, and their fetch times
stay unknown. A loader that is used inside another one's dataset belongs to that one's loading.
"""

import contextlib
import functools
import os
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from weakref import ref

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.core_wait import CoreWait, core_wait
from jupyter_mlprof.collect.fetch_clock import FetchClock
from jupyter_mlprof.collect.identity import IdentityMap
from jupyter_mlprof.collect.imports import ImportWatch
from jupyter_mlprof.collect.loader_facts import batch_bytes, facts, on_gpu
from jupyter_mlprof.collect.loader_sums import Fetch, Use, loader_uses
from jupyter_mlprof.collect.patch import Patches
from jupyter_mlprof.model.collectors import CollectorReport
from jupyter_mlprof.model.loader import Span

COST_PER_BATCH_S = 6e-6  # measured on a loader of nothing
RECORD = struct.Struct("=qdddd")
DRAIN_EVERY = 64

Method = Callable[..., Any]


@dataclass
class Loader:
    """Times every DataLoader that the cell's thread iterates over."""

    name: str = "loader"
    _cell: CellCode | None = None
    _active: bool = False
    _pid: int = field(default_factory=os.getpid)
    _patches: Patches = field(default_factory=Patches)
    _watch: ImportWatch | None = None
    _pipe: tuple[int, int] | None = None
    _built: IdentityMap[Span] = field(default_factory=IdentityMap)
    _by_loader: IdentityMap[Use] = field(default_factory=IdentityMap)
    _by_iterator: IdentityMap[Use] = field(default_factory=IdentityMap)
    _uses: list[Use] = field(default_factory=list)
    # The use whose loader is at work. A worker is forked meanwhile and keeps it.
    _current: Use | None = None
    _fetching: bool = False
    _core_wait: CoreWait = field(default_factory=CoreWait)
    _waited_per_cpu_s: float = 0.0
    _failure: str | None = None

    def available(self, cell: CellCode) -> str | None:
        return None

    def start(self, cell: CellCode) -> None:
        self._cell = cell
        self._active = True
        self._core_wait = core_wait()
        self._watch = ImportWatch("torch.utils.data.dataloader", self._patch)
        self._watch.start()

    def stop(self) -> Parts:
        self._active = False
        self._waited_per_cpu_s = core_wait().per_cpu_second(self._core_wait)
        if self._watch:
            self._watch.stop()
        self._patches.undo()
        self._drain()
        for end in self._pipe or ():
            os.close(end)
        self._pipe = None
        for use in self._uses:
            use.end()
        return self.peek()

    def peek(self) -> Parts:
        namespace = self._cell.namespace if self._cell else {}
        return {"loader": loader_uses(self._uses, namespace, self._waited_per_cpu_s)}

    def report(self) -> CollectorReport:
        if "torch" not in sys.modules:
            return CollectorReport(self.name, "unavailable", "the kernel has not imported torch")
        if self._failure is not None:
            return CollectorReport(self.name, "failed", self._failure)
        cost = sum(use.batches for use in self._uses) * COST_PER_BATCH_S
        return CollectorReport(self.name, "ran", None, cost)

    def _patch(self, dataloader: ModuleType) -> None:
        self._pipe = os.pipe()
        for end in self._pipe:
            os.set_blocking(end, False)
        fetch = dataloader._utils.fetch  # noqa: SLF001 - where torch keeps its fetchers
        wrap = self._patches.wrap
        wrap(dataloader.DataLoader, "__init__", self._init)
        wrap(dataloader.DataLoader, "__iter__", self._iter)
        wrap(dataloader._BaseDataLoaderIter, "__next__", self._next)  # noqa: SLF001
        wrap(fetch._MapDatasetFetcher, "fetch", self._fetch)  # noqa: SLF001
        wrap(fetch._IterableDatasetFetcher, "fetch", self._fetch)  # noqa: SLF001

    def _init(self, original: Method) -> Method:
        @functools.wraps(original)
        def init(loader: Any, *args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            original(loader, *args, **kwargs)
            with self._contained():
                span = self._cell.calling_span() if self._active and self._cell else None
                if span is not None:
                    self._built.set(loader, span)

        return init

    def _iter(self, original: Method) -> Method:
        @functools.wraps(original)
        def iterate(loader: Any) -> Any:
            __tracebackhide__ = True
            use = self._begin(loader) if self._counts_here() else None
            if use is None:
                return original(loader)
            start = time.monotonic()
            self._current = use
            try:
                iterator = original(loader)
            finally:
                self._current = None
            now = time.monotonic()
            use.waited(now - start, now)  # workers are started here
            with self._contained():
                self._by_iterator.set(iterator, use)
            return iterator

        return iterate

    def _next(self, original: Method) -> Method:
        @functools.wraps(original)
        def following(iterator: Any) -> Any:
            __tracebackhide__ = True
            use = self._by_iterator.get(iterator) if self._counts_here() else None
            if use is None:
                return original(iterator)
            start = time.monotonic()
            self._current = use
            try:
                batch = original(iterator)
            except BaseException:
                use.end(time.monotonic())
                raise
            finally:
                self._current = None
                now = time.monotonic()
                use.waited(now - start, now)
            self._batch(use, batch)
            return batch

        return following

    def _fetch(self, original: Method) -> Method:
        """Time the dataset and its collation; the fetcher's own collate_fn is put back at once."""

        @functools.wraps(original)
        def fetch(fetcher: Any, index: Any) -> Any:
            __tracebackhide__ = True
            use = self._current
            if not self._active or use is None or self._fetching or use.passes_over():
                return original(fetcher, index)
            collate, clock = fetcher.collate_fn, FetchClock()
            fetcher.collate_fn = clock.collating(collate)
            self._fetching = True
            try:
                return original(fetcher, index)
            finally:
                self._fetching = False
                fetcher.collate_fn = collate
                self._fetched(clock.stop())

        return fetch

    def _begin(self, loader: Any) -> Use | None:
        """Return the use of a loader whose iteration begins; None when it cannot be read."""
        with self._contained():
            use = self._by_loader.get(loader)
            if use is None:
                line = self._cell.calling_line() if self._cell else None
                number = len(self._uses)
                use = Use(number, ref(loader), facts(loader), line, self._built.get(loader))
                self._by_loader.set(loader, use)
                self._uses.append(use)
            use.begin(time.monotonic())
            return use
        return None

    def _batch(self, use: Use, batch: Any) -> None:
        use.yielded += 1
        use.batches += 1
        if use.batches == 1 or use.batches % DRAIN_EVERY == 0:
            with self._contained():
                self._drain()
                if use.batch_bytes is None:
                    use.batch_bytes, use.on_gpu = batch_bytes(batch), on_gpu(batch)

    def _fetched(self, fetch: Fetch) -> None:
        use = self._current
        if use is None:
            return
        if os.getpid() == self._pid:
            use.fetched(fetch)
        elif self._pipe is not None:
            with contextlib.suppress(OSError):  # full, or the cell is over
                os.write(self._pipe[1], RECORD.pack(use.number, *fetch))

    def _drain(self) -> None:
        """Read what forked workers have sent."""
        with contextlib.suppress(BlockingIOError):
            while self._pipe and (data := os.read(self._pipe[0], RECORD.size * 2048)):
                for number, *times in RECORD.iter_unpack(data):
                    self._uses[number].fetched(Fetch(*times))

    @contextlib.contextmanager
    def _contained(self) -> Iterator[None]:
        """Keep what fails in us, as on an unusual loader, from the user's loop."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, it is ours
            self._failure = f"{type(error).__name__}: {error}"[:200]

    def _counts_here(self) -> bool:
        """Tell whether a loader is to be counted: in the cell's thread, and not inside another."""
        cell = self._cell
        if not self._active or cell is None or self._current is not None:
            return False
        return threading.get_ident() == cell.thread_id
