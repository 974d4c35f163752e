"""What the sidecar sees of a kernel and its child processes where there is no /proc: by psutil.

A sample costs more than on Linux, so there are five a second at most.
"""

import psutil

GONE = (psutil.NoSuchProcess, psutil.AccessDenied)


def started(pid: int) -> str | None:
    """Return when a process began, which tells it from a later one; None when it is gone."""
    try:
        process = psutil.Process(pid)
        return None if process.status() in _ENDED else str(process.create_time())
    except GONE:
        return None


_ENDED = (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)


class Reader:
    """The kernel and its child processes over one run."""

    least_s = 0.2  # between two samples

    def __init__(self, pid: int) -> None:
        self.kernel = psutil.Process(pid)
        self.children: dict[int, psutil.Process] = {}
        self.cpu: dict[int, float] = {}
        self.pids = frozenset({pid})
        self.available: int | None = None

    def sample(self) -> tuple[float, int] | None:
        """Return CPU seconds and resident bytes of the kernel, or None when it is gone."""
        return _cpu_and_rss(self.kernel)

    def family(self) -> tuple[int, float, int]:
        """Return resident bytes, CPU seconds and number of the child processes.

        Not every system tells a process what those used that it waited for: the time of one that
        has ended is what was seen of it last.
        """
        alive = 0
        rss = 0
        for pid, child in tuple(self.children.items()):
            seen = _cpu_and_rss(child)
            if seen is None:
                del self.children[pid]
                continue
            alive += 1
            self.cpu[pid] = max(seen[0], self.cpu.get(pid, 0.0))
            rss += seen[1]
        return rss, round(sum(self.cpu.values()), 2), alive

    def look(self) -> tuple[int | None, int | None, float | None]:
        """Look for new child processes and at the memory that is left.

        Returns the bytes that the kernel had read from and written to storage, and the seconds that
        all cores of the machine were busy.
        """
        try:
            found = self.kernel.children(recursive=True)
        except GONE:
            found = []
        own = psutil.Process().pid
        for one in found:
            if one.pid != own and one.pid not in self.children:
                self.children[one.pid] = one
        self.pids = frozenset({self.kernel.pid, *self.children})
        self.available = psutil.virtual_memory().available
        return *_read_and_written(self.kernel), _busy_seconds()

    def told(self) -> dict[str, int | None]:
        """Return what is known at the kernel's end: nobody counts kills here."""
        return {
            "oom_kills": None,
            "machine_oom_kills": None,
            "limit": None,
            "available": self.available,
        }

    def close(self) -> None:
        """Let all processes go."""
        self.children.clear()


def _cpu_and_rss(process: psutil.Process) -> tuple[float, int] | None:
    try:
        with process.oneshot():
            if process.status() in _ENDED:
                return None
            times = process.cpu_times()
            return times.user + times.system, process.memory_info().rss
    except GONE:
        return None


def _read_and_written(process: psutil.Process) -> tuple[int | None, int | None]:
    try:
        told = process.io_counters()
    except (AttributeError, NotImplementedError, *GONE):  # macOS does not tell
        return None, None
    return told.read_bytes, told.write_bytes


def _busy_seconds() -> float | None:
    times = psutil.cpu_times()
    idle = times.idle + getattr(times, "iowait", 0.0) + getattr(times, "guest", 0.0)
    return float(sum(times) - idle - getattr(times, "guest_nice", 0.0))
