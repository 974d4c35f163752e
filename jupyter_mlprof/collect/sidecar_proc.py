"""What the sidecar reads of a kernel and its child processes on Linux: all of it from /proc.

A sample with psutil or smaps would cost 30 times as much. A file that stays open is read at a third
of the cost of opening it each time, and stays with its process when the id goes to another one.
"""

import os

from jupyter_mlprof.collect import cgroups
from jupyter_mlprof.collect.cgroups import table, text

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
# Places among what /proc/PID/stat has behind the name.
STATE, PARENT, CPU, WAITED_FOR, START, RSS = 0, 1, slice(11, 13), slice(13, 15), 19, 21
DEPTH = 8  # of the tree of child processes
STAT_BYTES = 2_048


class Process:
    """One process, from now to its end."""

    def __init__(self, pid: int) -> None:
        self.ticks = 0
        self.orphan = False
        try:
            self.file = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.file = -1

    def stat(self) -> list[bytes]:
        """Return what /proc says behind the name; nothing when the process is gone."""
        try:
            # The name in brackets may hold spaces and brackets itself.
            fields = os.pread(self.file, STAT_BYTES, 0).rpartition(b")")[2].split()
        except OSError:
            return []
        return fields if len(fields) > RSS else []

    def close(self) -> None:
        """Let it go."""
        if self.file >= 0:
            os.close(self.file)
            self.file = -1


def started(pid: int) -> str | None:
    """Return the start of a process in ticks since boot, which tells it from a later one."""
    process = Process(pid)
    fields = process.stat()
    process.close()
    return fields[START].decode() if fields and fields[STATE] not in b"ZX" else None


class Reader:
    """The kernel and its child processes over one run."""

    least_s = 0.0  # between two samples

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.kernel = Process(pid)
        self.children: dict[int, Process] = {}
        self.pids = frozenset({pid})
        self.forks = ""
        self.memory = Memory(pid)
        self.lost = 0  # ticks of those that nobody in the family waited for
        self.before = 0
        self.waited_for = 0

    def sample(self) -> tuple[float, int] | None:
        """Return CPU seconds and resident bytes of the kernel, or None when it is gone."""
        fields = self.kernel.stat()
        if not fields or fields[STATE] in b"ZX":
            return None
        self.waited_for = sum(map(int, fields[WAITED_FOR]))
        return sum(map(int, fields[CPU])) / TICKS, int(fields[RSS]) * PAGE

    def family(self) -> tuple[int, float, int]:
        """Return resident bytes, CPU seconds and number of the child processes.

        The CPU time of one that has ended is in that of who waited for it: it is counted on there.
        A sum that falls for a moment has met a process between its end and that account.
        """
        rss = ticks = count = 0
        for pid, child in tuple(self.children.items()):
            fields = child.stat()
            if not fields:
                self.forget(pid)
                continue
            child.ticks = sum(map(int, fields[CPU])) + sum(map(int, fields[WAITED_FOR]))
            child.orphan = int(fields[PARENT]) not in self.pids
            ticks += child.ticks
            if fields[STATE] not in b"ZX":
                rss += int(fields[RSS]) * PAGE
                count += 1
        self.before = max(self.before, self.waited_for + ticks + self.lost)
        return rss, round(self.before / TICKS, 2), count

    def forget(self, pid: int) -> None:
        """Let a child go that has ended; init waits for an orphan, and tells nobody."""
        child = self.children.pop(pid)
        child.close()
        if child.orphan:
            self.lost += child.ticks

    def look(self) -> tuple[int | None, int | None, float | None]:
        """Look for new child processes and at the memory that is left.

        Returns the bytes that the kernel had read from and written to storage, and the seconds that
        all cores of the machine were busy.
        """
        busy, forks = machine_load()
        if forks != self.forks or not forks:  # else no process has begun anywhere
            for pid in descendants(self.pid):
                if pid not in self.children:
                    self.children[pid] = Process(pid)
        self.forks = forks
        # Who was left by its parent is no descendant any more, and is counted on all the same.
        self.pids = frozenset({self.pid, *self.children})
        self.memory.look()
        return *read_and_written(self.pid), busy

    def told(self) -> dict[str, int | None]:
        """Return what is known at the kernel's end."""
        return self.memory.told()

    def close(self) -> None:
        """Let all processes go."""
        for process in (self.kernel, *self.children.values()):
            process.close()


class Memory:
    """What may be had of memory, and who was killed for want of it."""

    def __init__(self, pid: int) -> None:
        self.groups = cgroups.groups("memory", pid)  # not to be asked of a process that is gone
        self.before = self.kills()
        self.available: int | None = None

    def kills(self) -> tuple[int | None, int | None]:
        """Return the kills so far in the control group, and on the machine."""
        return cgroups.oom_kills(self.groups), table("/proc/vmstat").get("oom_kill")

    def look(self) -> None:
        """Note what can be had."""
        rooms = (cgroups.machine_available(), cgroups.memory_room(self.groups))
        self.available = min((one for one in rooms if one is not None), default=None)

    def told(self) -> dict[str, int | None]:
        """Return what is known at the kernel's end."""
        group, machine = (
            None if was is None or now is None else now - was
            for was, now in zip(self.before, self.kills(), strict=True)
        )
        return {
            "oom_kills": group,
            "machine_oom_kills": machine,
            "limit": cgroups.memory_limit(self.groups),
            "available": self.available,
        }


def descendants(pid: int, depth: int = DEPTH) -> list[int]:
    """Return the ids of all descendants but this process."""
    found: list[int] = []
    try:
        tasks = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - fast start
    except OSError:
        return found
    for task in tasks:
        for word in text(f"/proc/{pid}/task/{task}/children").split():
            child = int(word)
            if child != os.getpid():
                found.append(child)
                if depth:
                    found += descendants(child, depth - 1)
    return found


def read_and_written(pid: int) -> tuple[int | None, int | None]:
    """Return the bytes that the process had read from and written to storage."""
    known = table(f"/proc/{pid}/io")
    return known.get("read_bytes"), known.get("write_bytes")


def machine_load() -> tuple[float | None, str]:
    """Return the seconds that all cores were busy or taken by the host, and the count of forks."""
    told = text("/proc/stat")
    fields = told.partition("\n")[0].split()
    forks = told.partition("\nprocesses ")[2].partition("\n")[0]
    if len(fields) < 9:  # noqa: PLR2004 - up to steal
        return None, forks
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, fields[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS, forks
