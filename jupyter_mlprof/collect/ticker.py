"""One thread for all that is to be done regularly while a cell runs.

One and not several: when a C call gives the GIL back after a long while, the one that waits for it
must be the thread that samples the stack, or the cell is past the call when its turn comes.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

INTERVAL_S, SLOWEST_S = 0.02, 0.1
# Of the target for all that is measured; below the lower one it may go faster again.
SLOW_SHARE, FAST_SHARE = 0.4, 0.1
TARGET_SHARE = 0.03
LOOK_EVERY = 16


@dataclass
class Ticker:
    """Calls its jobs, in the order they were added, 50 times a second at most.

    It slows down to 10 where they cost more than a part of `target_share`, the CPU seconds that
    measuring may cost for each second of the cell.
    """

    target_share: float = TARGET_SHARE
    failure: str | None = None
    cpu_s: float = 0.0
    slowest_s: float = INTERVAL_S
    _interval: float = INTERVAL_S
    _jobs: list[Callable[[], None]] = field(default_factory=list)
    _end: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _looked: tuple[float, float] = (0.0, 0.0)

    @property
    def interval_s(self) -> float:
        """Seconds between two calls of a job, at present."""
        return self._interval

    def add(self, job: Callable[[], None]) -> None:
        """Begin to call a job."""
        self._jobs.append(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="mlprof-ticker", daemon=True)
            self._thread.start()

    def remove(self, job: Callable[[], None]) -> None:
        """Stop calling a job. The last one ends the thread."""
        if job in self._jobs:
            self._jobs.remove(job)
        if self._thread is not None and not self._jobs:
            self._end.set()
            self._thread.join(timeout=1)

    def _run(self) -> None:
        self._looked = (time.monotonic(), 0.0)
        ticks = 0
        while not self._end.wait(self._interval):
            for job in tuple(self._jobs):
                self._call(job)
            self.cpu_s = time.thread_time()
            ticks += 1
            if ticks % LOOK_EVERY == 0:
                self._pace()

    def _call(self, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:  # noqa: BLE001 - a thread's error would be printed
            self.failure = f"{type(error).__name__}: {error}"[:200]
            with suppress(ValueError):  # it was taken out meanwhile
                self._jobs.remove(job)

    def _pace(self) -> None:
        """Choose the interval by what the last ticks cost."""
        now, (then, spent) = time.monotonic(), self._looked
        self._looked = (now, self.cpu_s)
        share = (self.cpu_s - spent) / max(now - then, INTERVAL_S) / self.target_share
        if share > SLOW_SHARE:
            self._interval = min(SLOWEST_S, 2 * self._interval)
        elif share < FAST_SHARE:
            self._interval = max(INTERVAL_S, self._interval / 2)
        self.slowest_s = max(self.slowest_s, self._interval)
