"""Goes into a DataLoader's workers, in place of their `worker_init_fn`, and times what they fetch.

However a worker is started, its `worker_init_fn` runs in it before the first fetch. A forked worker
gets this object itself. One that is started by spawn or forkserver gets it pickled, and the end of
the pipe with it; where this package cannot be imported there, it gets what the user gave instead.
"""

import contextlib
import functools
import sys
import time
from collections.abc import Callable
from multiprocessing import context, reduction
from typing import Any

from jupyter_mlprof.collect.fetch_clock import timed_fetch
from jupyter_mlprof.collect.patch import Patches
from jupyter_mlprof.collect.worker_channel import End, Sender
from jupyter_mlprof.collect.worker_errors import without_ours

InitFn = Callable[[int], Any] | None
Method = Callable[..., Any]

# Only this text and what it names are pickled, so that unpickling cannot fail for want of us.
_UNPICKLE = """
result = original
try:
    from jupyter_mlprof.collect.worker_probe import received
    result = received(original, *sent)
except Exception:
    pass
"""


class WorkerProbe:
    """Called with a worker's number, as a `worker_init_fn` is."""

    def __init__(
        self, original: InitFn, sender: Sender, leave: Callable[[], None] | None = None
    ) -> None:
        self.original = original
        self._sender = sender
        self._leave = leave  # what else a forked worker inherits is left behind
        self._patches = Patches()

    def __call__(self, worker: int) -> Any:
        with contextlib.suppress(Exception):
            self._begin()
        return None if self.original is None else self.original(worker)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        names = {"original": self.original, "sent": self._sent(), "text": _UNPICKLE}
        return eval, ("exec(text) or result", names)

    def _sent(self) -> tuple[object, ...] | None:
        """Return what a worker needs; None when this is pickled for another purpose."""
        if context.get_spawning_popen() is None:
            return None
        try:
            return self._sender.use, reduction.DupFd(self._sender.end.descriptor)
        except Exception:  # noqa: BLE001 - a way to start processes that we do not know
            return None

    def _begin(self) -> None:
        if self._leave is not None:
            self._leave()
        fetch = sys.modules["torch.utils.data._utils.fetch"]
        wrap = self._patches.wrap
        wrap(fetch._MapDatasetFetcher, "fetch", self._fetch)  # noqa: SLF001 - where torch
        wrap(fetch._IterableDatasetFetcher, "fetch", self._fetch)  # noqa: SLF001 - keeps them
        wrap(sys.modules["torch._utils"].ExceptionWrapper, "__init__", without_ours)
        self._sender.ready(time.monotonic())

    def _fetch(self, original: Method) -> Method:
        @functools.wraps(original)
        def fetch(fetcher: Any, index: Any) -> Any:
            batch, times = timed_fetch(original, fetcher, index)
            if not self._sender.fetched(times):
                self._patches.undo()
            return batch

        return fetch


def received(original: InitFn, use: int, handle: Any) -> WorkerProbe:
    """Return the probe in the worker that it was sent to."""
    return WorkerProbe(original, Sender(use, End.of(handle.detach())))
