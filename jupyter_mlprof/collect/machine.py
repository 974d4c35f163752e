"""What this process may use of the machine: affinity, control groups, memory."""

import multiprocessing
import os
import platform
import sys

from jupyter_mlprof.collect import cgroups
from jupyter_mlprof.model.profile import Machine


def machine(cores_busy_elsewhere: float | None = None) -> Machine:
    """Describe the machine as it is now."""
    return Machine(
        python=platform.python_version(),
        platform=platform.platform(),
        cores_allowed=cores_allowed(),
        cores_busy_elsewhere=cores_busy_elsewhere,
        memory_limit_bytes=memory_limit(),
        memory_available_bytes=memory_available(),
        shm_free_bytes=_shm_free(),
        start_method=multiprocessing.get_start_method(allow_none=True)
        or multiprocessing.get_all_start_methods()[0],
    )


def cores_allowed() -> float:
    """Cores by affinity, or the CPU quota of the control group where that is less."""
    cores = float(
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    quota = cgroups.cpu_quota(cgroups.groups("cpu"))
    return cores if quota is None else min(cores, quota)


def memory_limit() -> int | None:
    """Bytes that the control group allows, or None without a limit."""
    return cgroups.memory_limit(cgroups.groups("memory"))


def resident_bytes() -> int:
    """Resident bytes of this process now; 0 where the system does not tell them so."""
    pages = cgroups.text("/proc/self/statm").split()
    if pages:
        return int(pages[1]) * os.sysconf("SC_PAGE_SIZE")
    psutil = sys.modules.get("psutil")  # ipykernel has it
    return int(psutil.Process().memory_info().rss) if psutil else 0


def memory_available() -> int | None:
    """Bytes that can still be had: of the machine, and of the control group."""
    rooms = (cgroups.machine_available(), cgroups.memory_room(cgroups.groups("memory")))
    return min((one for one in rooms if one is not None), default=None)


def _shm_free() -> int | None:
    try:
        room = os.statvfs("/dev/shm")  # noqa: S108 - only its free room is asked
    except (OSError, AttributeError):
        return None
    return room.f_bavail * room.f_frsize
