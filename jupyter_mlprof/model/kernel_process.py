"""Whether the kernel that a run's header names still lives, as far as this process can see.

Process ids come again, and a data folder may be shared with other hosts or earlier boots: a kernel
is known by id and start time, on a machine that was booted when the kernel's clock says.
"""

import time
from pathlib import Path

PROC = Path("/proc")
ADJUSTED_S = 5.0  # how far the wall clock may be set meanwhile
PID_START = 19  # among what follows the name in brackets


def is_alive(pid: int, pid_start: int | None, wall_clock: float, monotonic: float) -> bool | None:
    """Return whether the process lives, or None where that cannot be seen from here.

    The clocks are those of the process, read at one moment.
    """
    if not (PROC / "self" / "stat").exists() or not same_boot(wall_clock, monotonic):
        return None
    try:
        stat = (PROC / str(pid) / "stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    fields = stat.rpartition(")")[2].split()
    if len(fields) <= PID_START or fields[0] in "ZX":
        return False
    return pid_start is None or fields[PID_START] == str(pid_start)


def same_boot(wall_clock: float, monotonic: float) -> bool:
    """Tell whether clocks that were read elsewhere or earlier are those of this machine as it runs.

    The monotonic clock stands still while the machine sleeps.
    """
    shift = (time.time() - time.monotonic()) - (wall_clock - monotonic)
    return -ADJUSTED_S < shift < ADJUSTED_S + _asleep_s()


def _asleep_s() -> float:
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return 0.0 if clock is None else max(0.0, time.clock_gettime(clock) - time.monotonic())
