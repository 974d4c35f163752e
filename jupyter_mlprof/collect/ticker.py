"""One thread for all that is to be done regularly while a cell runs.

One and not several: when a C call gives the GIL back after a long while, the one that waits for it
must be the thread that samples the stack, or the cell is past the call when its turn comes.
"""

import threading
from collections.abc import Callable

INTERVAL_S = 0.02


class Ticker:
    """Calls its jobs, in the order they were added, 50 times a second."""

    def __init__(self) -> None:
        self._jobs: list[Callable[[], None]] = []
        self._end = threading.Event()
        self._thread: threading.Thread | None = None
        self.failure: str | None = None

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
        while not self._end.wait(INTERVAL_S):
            for job in tuple(self._jobs):
                try:
                    job()
                except Exception as error:  # noqa: BLE001 - a thread's error would be printed
                    self.failure = f"{type(error).__name__}: {error}"[:200]
                    self._jobs.remove(job)
