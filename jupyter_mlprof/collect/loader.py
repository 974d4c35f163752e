"""What a loop waited for: torch's DataLoader, its dataset and its collation.

Five methods are wrapped for the time of the cell, at about 2.2 us a batch on a bare loader. Forked
workers inherit the wrappers and send their times through a pipe that never blocks; workers started
by spawn do not, and their fetch times stay unknown.
"""

import contextlib
import functools
import os
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary, ref

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.core_wait import CoreWait, core_wait
from jupyter_mlprof.collect.imports import ImportWatch
from jupyter_mlprof.collect.loader_facts import batch_bytes, facts
from jupyter_mlprof.collect.loader_sums import Use
from jupyter_mlprof.collect.patch import Patches
from jupyter_mlprof.model.collectors import CollectorReport
from jupyter_mlprof.model.loader import LoaderUse, Span

COST_PER_BATCH_S = 2.2e-6
RECORD = struct.Struct("=qddd")
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
    _built: WeakKeyDictionary[object, Span | None] = field(default_factory=WeakKeyDictionary)
    _by_loader: WeakKeyDictionary[object, Use] = field(default_factory=WeakKeyDictionary)
    _by_iterator: WeakKeyDictionary[object, Use] = field(default_factory=WeakKeyDictionary)
    _by_dataset: dict[int, Use] = field(default_factory=dict)
    _uses: list[Use] = field(default_factory=list)
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
        return {"loader": self._loader_uses()}

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
            original(loader, *args, **kwargs)
            if self._active and self._cell is not None:
                with self._contained():
                    self._built[loader] = self._cell.calling_span()

        return init

    def _iter(self, original: Method) -> Method:
        @functools.wraps(original)
        def iterate(loader: Any) -> Any:
            if not self._counts_here():
                return original(loader)
            start = time.monotonic()
            with self._contained():
                self._use(loader).begin(start)
            iterator = original(loader)
            with self._contained():
                now = time.monotonic()
                use = self._by_iterator[iterator] = self._by_loader[loader]
                use.waited(now - start, now)  # workers are started here
            return iterator

        return iterate

    def _next(self, original: Method) -> Method:
        @functools.wraps(original)
        def following(iterator: Any) -> Any:
            use = self._by_iterator.get(iterator) if self._counts_here() else None
            if use is None:
                return original(iterator)
            start = time.monotonic()
            try:
                batch = original(iterator)
            except BaseException:
                now = time.monotonic()
                use.waited(now - start, now)
                use.end()
                raise
            now = time.monotonic()
            use.waited(now - start, now)
            use.yielded += 1
            use.batches += 1
            if use.batches == 1 or use.batches % DRAIN_EVERY == 0:
                with self._contained():
                    self._drain()
                    use.batch_bytes = use.batch_bytes or batch_bytes(batch)
            return batch

        return following

    def _fetch(self, original: Method) -> Method:
        """Time the dataset and its collation; the fetcher's own collate_fn is put back at once."""

        @functools.wraps(original)
        def fetch(fetcher: Any, index: Any) -> Any:
            if not self._active:
                return original(fetcher, index)
            collate, collate_s = fetcher.collate_fn, 0.0

            def timed(items: Any) -> Any:
                nonlocal collate_s
                begun = time.monotonic()
                try:
                    return collate(items)
                finally:
                    collate_s = time.monotonic() - begun

            fetcher.collate_fn = timed
            start, cpu = time.monotonic(), time.thread_time()
            try:
                return original(fetcher, index)
            finally:
                fetcher.collate_fn = collate
                times = time.monotonic() - start, time.thread_time() - cpu, collate_s
                self._fetched(id(fetcher.dataset), *times)

        return fetch

    def _fetched(self, dataset: int, seconds: float, cpu_s: float, collate_s: float) -> None:
        if os.getpid() != self._pid:
            if self._pipe is not None:
                with contextlib.suppress(OSError):  # full, or the cell is over
                    os.write(self._pipe[1], RECORD.pack(dataset, seconds, cpu_s, collate_s))
        elif use := self._by_dataset.get(dataset):
            use.fetched(seconds, cpu_s, collate_s)

    def _drain(self) -> None:
        """Read what forked workers have sent."""
        with contextlib.suppress(BlockingIOError):
            while self._pipe and (data := os.read(self._pipe[0], RECORD.size * 2048)):
                for dataset, seconds, cpu_s, collate_s in RECORD.iter_unpack(data):
                    if use := self._by_dataset.get(dataset):
                        use.fetched(seconds, cpu_s, collate_s)

    @contextlib.contextmanager
    def _contained(self) -> Iterator[None]:
        """Keep what fails in us, as on an unusual loader, from the user's loop."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, it is ours
            self._failure = f"{type(error).__name__}: {error}"[:200]

    def _counts_here(self) -> bool:
        cell = self._cell
        return self._active and cell is not None and threading.get_ident() == cell.thread_id

    def _use(self, loader: Any) -> Use:
        assert self._cell is not None  # noqa: S101 - set by start
        use = self._by_loader.get(loader)
        if use is None:
            line = self._cell.calling_line()
            use = Use(ref(loader), facts(loader), line, self._built.get(loader))
            self._by_loader[loader] = use
            self._uses.append(use)
        self._by_dataset[id(loader.dataset)] = use
        return use

    def _loader_uses(self) -> tuple[LoaderUse, ...]:
        """Sum the uses; a loader built anew in each epoch counts as one."""
        groups: dict[tuple[object, ...], list[Use]] = {}
        for use in self._uses:
            anew = use.built or id(use)
            groups.setdefault((anew, use.line, use.facts), []).append(use)
        return tuple(self._loader_use(uses) for uses in groups.values())

    def _loader_use(self, uses: list[Use]) -> LoaderUse:
        first = uses[0]
        seen = any(use.fetches for use in uses)
        cpu_s = sum(use.fetch_cpu_s for use in uses)
        return LoaderUse(
            name=self._variable(uses[-1].loader()),
            line=first.line,
            built=first.built,
            **asdict(first.facts),
            batch_bytes=first.batch_bytes,
            loaders=len(uses),
            epochs=sum(use.epochs for use in uses),
            batches=sum(use.batches for use in uses),
            loop_s=sum(use.loop_s for use in uses),
            wait_s=sum(use.wait_s for use in uses),
            first_wait_s=sum(use.first_wait_s for use in uses),
            fetch_s=sum(use.fetch_s for use in uses) if seen else None,
            fetch_cpu_s=cpu_s if seen else None,
            # Of the cell's thread, and taken to hold for its workers too.
            fetch_core_wait_s=cpu_s * self._waited_per_cpu_s if seen else None,
            collate_s=sum(use.collate_s for use in uses) if seen else None,
        )

    def _variable(self, loader: object) -> str | None:
        namespace = self._cell.namespace if self._cell else {}
        names = (name for name, value in namespace.items() if value is loader is not None)
        return next((name for name in names if not name.startswith("_")), None)
