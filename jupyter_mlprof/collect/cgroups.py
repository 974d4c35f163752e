"""Control groups, version 1 and 2: what they allow a process, and what it uses of that.

Standard library only and light to import: the process beside the kernel uses it, too. A group may
be nested in others whose limits hold as well, and all of their files may be out of sight.
"""

import os

CGROUPS = "/sys/fs/cgroup"
UNLIMITED = 1 << 60
TEXT_BYTES = 1 << 18


def text(path: str) -> str:
    """Return the beginning of a file; empty when it cannot be read, as of an ended process."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return ""
    data = b""
    try:
        # The system gives some files in pieces of a page.
        while len(data) < TEXT_BYTES and (more := os.read(file, TEXT_BYTES)):
            data += more
    except OSError:
        return ""
    finally:
        os.close(file)
    return data.decode("ascii", "replace")


def table(path: str) -> dict[str, int]:
    """Return the lines `name value` of a file that begin so."""
    words = (line.split() for line in text(path).splitlines())
    return {one[0].rstrip(":"): int(one[1]) for one in words if len(one) > 1 and one[1].isdigit()}


def groups(controller: str, pid: int | str = "self") -> list[str]:
    """Return the folders of a process's group and its parents, innermost first.

    Inside of a container the path may be the host's: of its folders only the root is there then.
    """
    folders: list[str] = []
    for line in text(f"/proc/{pid}/cgroup").splitlines():
        number, names, path = [*line.split(":", 2), "", ""][:3]
        if controller in names.split(","):
            root = f"{CGROUPS}/{controller}"
        elif number == "0" and not names:
            root = CGROUPS
        else:
            continue
        parts = [part for part in path.split("/") if part]
        if ".." in parts:  # the group lies above what this namespace shows
            parts = []
        folders += ["/".join([root, *parts[:depth]]) for depth in range(len(parts), -1, -1)]
    return folders


def memory_limit(folders: list[str]) -> int | None:
    """Return the least number of bytes that any of the groups allows; None without a limit."""
    limits = (_limit(folder) for folder in folders)
    return min((one for one in limits if one is not None), default=None)


def memory_room(folders: list[str]) -> int | None:
    """Return the bytes that can still be had; files that are only cached give way."""
    rooms = (_room(folder) for folder in folders)
    return min((one for one in rooms if one is not None), default=None)


def machine_available() -> int | None:
    """Return the bytes of the machine's memory that can be had."""
    fields = text("/proc/meminfo").partition("MemAvailable:")[2].split(maxsplit=1)
    return int(fields[0]) * 1024 if fields else None


def cpu_quota(folders: list[str]) -> float | None:
    """Return the least number of cores that any of the groups allows; None without a quota."""
    quotas = (_quota(folder) for folder in folders)
    return min((one for one in quotas if one is not None), default=None)


def oom_kills(folders: list[str]) -> int | None:
    """Return the kills for want of memory so far in the innermost group that counts them."""
    counted = (
        table(f"{folder}/{name}").get("oom_kill")
        for folder in folders
        for name in ("memory.events", "memory.oom_control")
    )
    return next((one for one in counted if one is not None), None)


def _limit(folder: str) -> int | None:
    limit = _number(folder, "memory.max", "memory.limit_in_bytes")
    return limit if limit is not None and limit < UNLIMITED else None


def _room(folder: str) -> int | None:
    limit = _limit(folder)
    used = _number(folder, "memory.current", "memory.usage_in_bytes")
    if limit is None or used is None:
        return None
    stat = table(f"{folder}/memory.stat")
    cached = stat.get("total_inactive_file", stat.get("inactive_file", 0))
    return max(0, min(limit, limit - used + cached))


def _quota(folder: str) -> float | None:
    quota, _, period = text(f"{folder}/cpu.max").strip().partition(" ")
    if not quota:
        quota = text(f"{folder}/cpu.cfs_quota_us").strip()
        period = text(f"{folder}/cpu.cfs_period_us").strip()
    if quota.isdigit() and period.isdigit() and int(period) > 0:
        return int(quota) / int(period)
    return None


def _number(folder: str, *names: str) -> int | None:
    """Return the number in the first of these files that holds one: version 2's and 1's."""
    values = (text(f"{folder}/{name}").strip() for name in names)
    return next((int(one) for one in values if one.isdigit()), None)
