"""The wrappers around torch's methods through which loaders are seen.

Each passes the call through unchanged once the cell is over, in threads and processes that do not
count, and for a loader inside another one's dataset.
"""

import functools
import threading
import time
from collections.abc import Callable
from typing import Any

from jupyter_mlprof.collect.fetch_clock import timed_fetch
from jupyter_mlprof.collect.loader_register import Register
from jupyter_mlprof.collect.loader_sums import Pass, Use
from jupyter_mlprof.collect.worker_channel import Sender
from jupyter_mlprof.collect.worker_errors import leave_out
from jupyter_mlprof.collect.worker_probe import WorkerProbe

Method = Callable[..., Any]


class LoaderHooks:
    """Wrappers that write into one register; `leave` undoes all of them in a forked worker."""

    def __init__(self, register: Register, leave: Callable[[], None]) -> None:
        self._register = register
        self._leave = leave

    def built(self, original: Method) -> Method:
        """Wrap `DataLoader.__init__`."""

        @functools.wraps(original)
        def init(loader: Any, *args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            original(loader, *args, **kwargs)
            self._register.built(loader)

        return init

    def iterate(self, original: Method) -> Method:
        """Wrap `DataLoader.__iter__`: workers are started here."""

        @functools.wraps(original)
        def iterate(loader: Any) -> Any:
            __tracebackhide__ = True
            use = self._register.use_of(loader) if self._register.counts() else None
            if use is None:
                return original(loader)
            before = vars(loader).get("_iterator")
            start = time.monotonic()
            self._register.here.use = use
            try:
                iterator = original(loader)
            finally:
                self._register.here.use = None
            self._begun(use, iterator, start, before)
            return iterator

        return iterate

    def made(self, original: Method) -> Method:
        """Wrap `_BaseDataLoaderIter.__init__`: not every subclass asks `DataLoader.__iter__`."""

        @functools.wraps(original)
        def init(iterator: Any, loader: Any, *args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            start = time.monotonic()
            original(iterator, loader, *args, **kwargs)
            use = self._register.use_of(loader) if self._register.counts() else None
            if use is not None:
                self._begun(use, iterator, start, None)

        return init

    def started(self, original: Method) -> Method:
        """Wrap the `__init__` of an iterator with workers, which get a probe."""

        @functools.wraps(original)
        def init(iterator: Any, loader: Any, *args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            counts = self._register.counts()
            use = self._register.use_of(loader) if counts else self._register.loading(loader)
            probe = self._probe(use, loader)
            if use is None or probe is None:
                original(iterator, loader, *args, **kwargs)
                return
            start = time.monotonic()
            self._register.here.use = use
            # In the dict: a subclass may do something of its own when an attribute is set.
            vars(loader)["worker_init_fn"] = probe
            try:
                original(iterator, loader, *args, **kwargs)
            finally:
                vars(loader)["worker_init_fn"] = probe.original
                if vars(iterator).get("_worker_init_fn") is probe:
                    vars(iterator)["_worker_init_fn"] = probe.original
                if counts:
                    self._register.here.use = None
            if counts:
                self._begun(use, iterator, start, None)

        return init

    def following(self, original: Method) -> Method:
        """Wrap `_BaseDataLoaderIter.__next__`: it runs for each batch, so it is made quick."""
        register, known = self._register, self._register.by_iterator.get
        thread_id, in_cell, elsewhere = register.thread_id, register.in_cell, register.elsewhere
        get_ident, monotonic = threading.get_ident, time.monotonic

        @functools.wraps(original)
        def following(iterator: Any) -> Any:
            __tracebackhide__ = True
            here = in_cell if get_ident() == thread_id else elsewhere
            if not register.active or here.use is not None:
                return original(iterator)
            one = known(iterator) or register.adopted(iterator)
            if one is None:
                return original(iterator)
            if here is not in_cell:
                one.in_thread = one.use.in_thread = True  # the cell's wait is not known
            start = monotonic()
            here.use = one.use
            try:
                batch = original(iterator)
            except BaseException as error:
                self._ended(one, start, error)
                raise
            finally:
                here.use = None
            now = monotonic()
            if one.took(now - start, now):
                register.look(one.use, batch)
            return batch

        return following

    def fetch(self, original: Method) -> Method:
        """Wrap a fetcher's `fetch`, for loaders without workers."""
        register, get_ident = self._register, threading.get_ident
        thread_id, in_cell, elsewhere = register.thread_id, register.in_cell, register.elsewhere

        @functools.wraps(original)
        def fetch(fetcher: Any, index: Any) -> Any:
            __tracebackhide__ = True
            here = in_cell if get_ident() == thread_id else elsewhere
            use = here.use
            if use is None or here.fetching or not register.active or use.passes_over():
                return original(fetcher, index)
            here.fetching = True
            try:
                batch, times = timed_fetch(original, fetcher, index)
            finally:
                here.fetching = False
            use.fetched(times)
            return batch

        return fetch

    def _probe(self, use: Use | None, loader: Any) -> WorkerProbe | None:
        """Return what goes into the loader's workers; None where nothing can."""
        channel = self._register.channel
        if use is None or channel is None or not self._register.active:
            return None
        with self._register.contained():
            original = vars(loader)["worker_init_fn"]
            return WorkerProbe(original, Sender(use.number, channel.writing), self._leave)
        return None

    def _begun(self, use: Use, iterator: Any, start: float, before: object) -> None:
        now = time.monotonic()
        old = iterator is before and before is not None
        if old and not use.fetches:
            use.started_before = True
        started_s = now - start if use.facts.workers and not old else 0.0
        one = self._register.begin(use, iterator, start, started_s)
        if one is not None:
            one.waited(now - start, now)

    def _ended(self, one: Pass, start: float, error: BaseException) -> None:
        now = time.monotonic()
        one.waited(now - start, now)
        if isinstance(error, StopIteration):
            one.stopped(now - start)
        else:
            leave_out(error)
        self._register.drain()
        one.end(now)
