"""What this process may use of the machine: affinity, control groups, memory."""

import multiprocessing
import os
import platform
from pathlib import Path

from jupyter_mlprof.model.profile import Machine

CGROUPS = Path("/sys/fs/cgroup")
UNLIMITED = 1 << 60


def machine(cores_busy_elsewhere: float | None = None) -> Machine:
    """Describe the machine as it is now."""
    limit = memory_limit()
    return Machine(
        python=platform.python_version(),
        platform=platform.platform(),
        cores_allowed=cores_allowed(),
        cores_busy_elsewhere=cores_busy_elsewhere,
        memory_limit_bytes=limit,
        memory_available_bytes=memory_available(limit),
        shm_free_bytes=_shm_free(),
        start_method=multiprocessing.get_start_method(allow_none=True)
        or multiprocessing.get_all_start_methods()[0],
    )


def cores_allowed() -> float:
    """Cores by affinity, or the CPU quota of the control group where that is less."""
    cores = float(
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    for group in _groups("cpu"):
        cores = min(cores, _quota(group) or cores)
    return cores


def _quota(group: Path) -> float | None:
    quota, _, period = _text(group / "cpu.max").partition(" ")
    if not quota:
        quota = _text(group / "cpu.cfs_quota_us")
        period = _text(group / "cpu.cfs_period_us")
    if quota.isdigit() and period.isdigit() and int(period) > 0:
        return int(quota) / int(period)
    return None


def memory_limit() -> int | None:
    """Bytes that the control group allows, or None without a limit."""
    limits = [
        int(text)
        for group in _groups("memory")
        for text in (_text(group / "memory.max"), _text(group / "memory.limit_in_bytes"))
        if text.isdigit() and int(text) < UNLIMITED
    ]
    return min(limits, default=None)


def resident_bytes() -> int:
    """Resident bytes of this process now; 0 where the system does not tell them so."""
    pages = _text(Path("/proc/self/statm")).split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") if pages else 0


def memory_available(limit: int | None) -> int | None:
    """Bytes that can still be had: of the machine, and of the control group."""
    available = next(
        (
            int(line.split()[1]) * 1024
            for line in _text(Path("/proc/meminfo")).splitlines()
            if line.startswith("MemAvailable:")
        ),
        None,
    )
    used = [
        int(text)
        for group in _groups("memory")[:1]
        for text in (_text(group / "memory.current"), _text(group / "memory.usage_in_bytes"))
        if text.isdigit()
    ]
    if available is None or limit is None or not used:
        return available
    return max(0, min(available, limit - used[0]))


def _groups(controller: str) -> list[Path]:
    """Folders of this process's control group and its parents, version 2 or 1, innermost first."""
    folders: list[Path] = []
    for line in _text(Path("/proc/self/cgroup")).splitlines():
        number, names, path = [*line.split(":", 2), "", ""][:3]
        if number == "0" and not names:
            root = CGROUPS
        elif controller in names.split(","):
            root = CGROUPS / controller
        else:
            continue
        inner = root / path.lstrip("/")
        folders += [inner, *(up for up in inner.parents if up.is_relative_to(root))]
    return folders


def _shm_free() -> int | None:
    try:
        room = os.statvfs("/dev/shm")  # noqa: S108 - only its free room is asked
    except (OSError, AttributeError):
        return None
    return room.f_bavail * room.f_frsize


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
