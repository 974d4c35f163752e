"""Times one fetch of a batch: wall, collation, and CPU wherever it was spent.

A dataset may compute in its own thread, in other threads or in child processes; only what is none
of these waits for storage or network. Workers that are started anew import this file: it is light.
"""

import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple


class Fetch(NamedTuple):
    """One call of a fetcher: wall seconds, those of collation, CPU seconds.

    CPU is told apart into that of the fetching thread and of child processes, and of other threads.
    """

    seconds: float
    collate_s: float
    cpu_s: float
    threads_s: float


class FetchClock:
    """Started on creation; `collating` wraps the collate function to time it apart."""

    def __init__(self) -> None:
        self._collate_s = 0.0
        self._wall = time.monotonic()
        self._thread, self._process, self._children = _cpu()

    def collating(self, collate: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return the collate function, timed."""

        def timed(items: Any) -> Any:
            __tracebackhide__ = True
            begun = time.monotonic()
            try:
                return collate(items)
            finally:
                self._collate_s = time.monotonic() - begun

        return timed

    def stop(self) -> Fetch:
        """Return what passed since the start."""
        seconds = time.monotonic() - self._wall
        thread, process, children = _cpu()
        own = thread - self._thread
        others = max(0.0, process - self._process - own)
        return Fetch(seconds, self._collate_s, own + children - self._children, others)


def timed_fetch(original: Callable[[Any, Any], Any], fetcher: Any, index: Any) -> tuple[Any, Fetch]:
    """Fetch with collation timed apart; the fetcher's own collate_fn is put back at once."""
    __tracebackhide__ = True
    collate, clock = fetcher.collate_fn, FetchClock()
    fetcher.collate_fn = clock.collating(collate)
    try:
        batch = original(fetcher, index)
    finally:
        fetcher.collate_fn = collate
    return batch, clock.stop()


def _cpu() -> tuple[float, float, float]:
    """CPU seconds of this thread, of this process, and of its children that have ended."""
    times = os.times()
    return (
        time.thread_time(),
        time.process_time(),
        times.children_user + times.children_system,
    )
