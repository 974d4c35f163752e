"""The process that watches a kernel from outside: memory, CPU, I/O and children.

It sees through C calls that hold the kernel's GIL, and what it wrote outlives a killed kernel.
Started with `python -I -S`, so standard library only; it ends when the kernel does, which it knows
by process id and start time. Commands come as JSON lines on standard input:
{"start": folder, "header": {...}} and {"stop": true}.
Linux: all is read from /proc (a sample with psutil or smaps would cost 30 times as much).

A kernel that dies in a run leaves a last line, {"gone": t, ...}, with what tells a kill for want of
memory from another one: how many processes were killed for it meanwhile, in the kernel's control
group and on the machine, the group's limit, and what was available at the last look.
"""

import json
import os
import select
import sys
import time

FAST_S, SLOW_S, FAST_FOR_S = 0.04, 0.1, 60.0
IDLE_S = 1.0
RARELY_S = 0.2  # children, I/O, the machine's load and its free memory
KEPT_SHARE, KEPT_S = 1 / 600, 1.0  # rows are kept that far apart: a share of the run, and at most
RISE = 1.05  # memory so much above all before is written at once
DEATH_S = 1.0  # how long a kernel that has closed its end may take to be gone
COLUMNS = ("t", "rss", "cpu", "children_rss", "children_cpu", "children", "read", "write", "busy")
RSS = 1
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
CGROUPS = "/sys/fs/cgroup"
UNLIMITED = 1 << 60

Row = list[float | int | None]


def text(path: str) -> str:
    """Return the file's text; empty when it cannot be read, as when its process has ended."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:  # noqa: PTH123 - fast start
            return file.read()
    except OSError:
        return ""


def stat(pid: int) -> list[str]:
    """Return what /proc says of a process behind its name; nothing when it is gone."""
    # The name in brackets may hold spaces and brackets itself.
    fields = text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    gone = len(fields) < 22 or fields[0] in "ZX"  # noqa: PLR2004 - rss is the 22nd
    return [] if gone else fields


def started(pid: int) -> str | None:
    """Return the start of a process in ticks since boot, which tells it from a later one."""
    fields = stat(pid)
    return fields[19] if fields else None


def cpu_and_rss(pid: int) -> tuple[float, int] | None:
    """Return CPU seconds and resident bytes of a process, or None when it is gone."""
    fields = stat(pid)
    if not fields:
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS, int(fields[21]) * PAGE


def children(pid: int, depth: int = 4) -> list[int]:
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
                    found += children(child, depth - 1)
    return found


def read_and_written(pid: int) -> tuple[int | None, int | None]:
    """Return the bytes that the process had read from and written to storage."""
    lines = dict(line.split(": ", 1) for line in text(f"/proc/{pid}/io").splitlines())
    if "read_bytes" not in lines:
        return None, None
    return int(lines["read_bytes"]), int(lines["write_bytes"])


def busy_seconds() -> float | None:
    """Return the seconds that all cores of the machine were busy or taken by its host."""
    fields = text("/proc/stat").partition("\n")[0].split()
    if len(fields) < 9:  # noqa: PLR2004 - up to steal
        return None
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, fields[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS


def table(path: str) -> dict[str, int]:
    """Return the lines `name value` of a file that begin so."""
    words = (line.split() for line in text(path).splitlines())
    return {one[0].rstrip(":"): int(one[1]) for one in words if len(one) > 1 and one[1].isdigit()}


def memory_groups(pid: int) -> list[str]:
    """Return the folders of a process's memory control group and its parents, innermost first."""
    folders: list[str] = []
    for line in text(f"/proc/{pid}/cgroup").splitlines():
        number, names, path = [*line.split(":", 2), "", ""][:3]
        if "memory" in names.split(","):
            root = f"{CGROUPS}/memory"
        elif number == "0" and not names:
            root = CGROUPS
        else:
            continue
        parts = [part for part in path.split("/") if part]
        folders += ["/".join([root, *parts[:depth]]) for depth in range(len(parts), -1, -1)]
    return folders


def number(groups: list[str], *names: str) -> int | None:
    """Return the least number in the files of these names, one of version 2 and one of 1."""
    values = [text(f"{group}/{name}").strip() for group in groups for name in names]
    return min((int(one) for one in values if one.isdigit() and int(one) < UNLIMITED), default=None)


class Memory:
    """What may be had of memory, and who was killed for want of it."""

    def __init__(self, pid: int) -> None:
        self.groups = memory_groups(pid)  # not to be asked of a process that is gone
        self.before = self.kills()
        self.available: int | None = None

    def kills(self) -> tuple[int | None, int | None]:
        """Return the kills so far in the innermost group that counts them, and on the machine."""
        counted = (
            table(f"{group}/{name}").get("oom_kill")
            for group in self.groups
            for name in ("memory.events", "memory.oom_control")
        )
        known = next((one for one in counted if one is not None), None)
        return known, table("/proc/vmstat").get("oom_kill")

    def limit(self) -> int | None:
        """Return the bytes that the control group allows."""
        return number(self.groups, "memory.max", "memory.limit_in_bytes")

    def look(self) -> None:
        """Note what can be had; files that are only cached give way."""
        free = table("/proc/meminfo").get("MemAvailable")
        self.available = None if free is None else free * 1024
        limit, inner = self.limit(), self.groups[:1]
        used = number(inner, "memory.current", "memory.usage_in_bytes")
        if self.available is not None and limit is not None and used is not None:
            stat = table(f"{inner[0]}/memory.stat")
            cached = stat.get("total_inactive_file", stat.get("inactive_file", 0))
            self.available = max(0, min(self.available, limit - used + cached))

    def told(self) -> dict[str, int | None]:
        """Return what is known at the kernel's end."""
        group, machine = (
            None if was is None or now is None else now - was
            for was, now in zip(self.before, self.kills(), strict=True)
        )
        return {
            "oom_kills": group,
            "machine_oom_kills": machine,
            "limit": self.limit(),
            "available": self.available,
        }


class Rows:
    """The file of one run. A long run keeps fewer rows: those of the highest memory, and the last.

    What is not kept yet is written when the file ends, so that a dead kernel's last row is there.
    """

    def __init__(self, path: str, header: dict[str, object]) -> None:
        self.file = open(path, "w", encoding="ascii", buffering=1)  # noqa: PTH123, SIM115
        self.write({**header, "columns": COLUMNS})
        self.kept_at = 0.0
        self.kept_most = 0.0
        self.highest: Row | None = None
        self.last: Row | None = None

    def write(self, value: object) -> None:
        """Append a line; unbuffered, so that it survives a kill."""
        self.file.write(json.dumps(value, separators=(",", ":")) + "\n")

    def add(self, row: Row, apart: float) -> None:
        """Take a row, and keep it if the one before is so far away or if memory rises."""
        self.last = row
        if self.highest is None or (row[RSS] or 0) >= (self.highest[RSS] or 0):
            self.highest = row
        if (row[0] or 0) - self.kept_at >= apart or (row[RSS] or 0) > RISE * self.kept_most:
            self.keep()

    def keep(self) -> None:
        """Write what was taken since the last time."""
        if self.last is None or self.highest is None:
            return
        if self.highest is not self.last:
            self.write(self.highest)
        self.write(self.last)
        self.kept_at = self.last[0] or 0
        self.kept_most = max(self.kept_most, self.highest[RSS] or 0)
        self.highest = self.last = None

    def close(self) -> None:
        """End the file."""
        self.keep()
        self.file.close()


class Watch:
    """Samples one kernel into one file."""

    def __init__(self, pid: int, folder: str, header: dict[str, object]) -> None:
        self.pid = pid
        self.begun = time.monotonic()
        self.rarely_at = 0.0
        self.descendants: list[int] = []
        self.rows = Rows(os.path.join(folder, "sidecar.jsonl"), header)  # noqa: PTH118 - fast start
        self.memory = Memory(pid)

    def interval(self) -> float:
        """Sample fast at first, then slower, which costs less."""
        return FAST_S if time.monotonic() - self.begun < FAST_FOR_S else SLOW_S

    def sample(self) -> bool:
        """Take a row; False when the kernel is gone."""
        now = time.monotonic()
        seen = cpu_and_rss(self.pid)
        if seen is None:
            return False
        if not seen[1]:  # it is about to go, and has given its memory back
            return True
        apart = min(KEPT_S, KEPT_SHARE * (now - self.begun))
        row: Row = [round(now, 4), seen[1], seen[0], None, None, None, None, None, None]
        whole = now - self.rarely_at >= max(RARELY_S, apart)
        if whole:
            self.rarely_at = now
            self.descendants = children(self.pid)
            self.memory.look()
            row[6:9] = [*read_and_written(self.pid), busy_seconds()]
        alive = [one for one in map(cpu_and_rss, self.descendants) if one]
        row[3:6] = [sum(r for _, r in alive), round(sum(c for c, _ in alive), 2), len(alive)]
        self.rows.add(row, 0.0 if whole else apart)
        return True

    def gone(self, cpu_s: float) -> None:
        """Write that the kernel is gone, and what watching it took."""
        self.rows.keep()
        told = {"gone": round(time.monotonic(), 4), **self.memory.told(), "cpu_s": round(cpu_s, 3)}
        self.rows.write(told)

    def close(self) -> None:
        """End the file."""
        self.rows.close()


class Sidecar:
    """Obeys the kernel's commands until the kernel is gone."""

    def __init__(self, pid: int, start: str) -> None:
        self.pid = pid
        self.start = start
        self.watch: Watch | None = None
        self.rest = b""
        self.cpu = time.process_time()

    @property
    def lives(self) -> bool:
        """Whether the kernel is there."""
        return started(self.pid) == self.start

    def run(self) -> None:
        """Wait for commands, sample in between."""
        # Workers that the kernel forked hold the other end of the input, which then has no end.
        while self.lives:
            wait = self.watch.interval() if self.watch else IDLE_S
            ready, _, _ = select.select([0], [], [], wait)
            if ready and not self.commands():
                self.await_death()
                break
            if not self.watched():
                break
        if self.watch and not self.lives:
            self.watch.gone(time.process_time() - self.cpu)
        self.end_watch()

    def await_death(self) -> None:
        """Wait for the kernel to be gone: it closes its files a little before."""
        deadline = time.monotonic() + DEATH_S
        while self.lives and time.monotonic() < deadline:
            time.sleep(FAST_S / 4)

    def watched(self) -> bool:
        """Sample if a run is on; False when the kernel is gone."""
        try:
            return self.watch is None or self.watch.sample()
        except OSError:  # the disk is full, or the folder was removed: go without
            self.watch = None
            return True

    def end_watch(self) -> None:
        """Stop sampling."""
        if self.watch:
            self.watch.close()
        self.watch = None

    def commands(self) -> bool:
        """Read commands; False at the end of the input."""
        data = os.read(0, 65536)
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            self.obey(json.loads(line))
        return bool(data)

    def obey(self, command: dict[str, object]) -> None:
        """Start or stop a run."""
        self.watched()  # the last sample of a run that was on
        self.end_watch()
        if "start" in command:
            header = command.get("header")
            self.cpu = time.process_time()
            try:
                self.watch = Watch(
                    self.pid, str(command["start"]), header if isinstance(header, dict) else {}
                )
            except OSError:
                self.watch = None
        else:
            reply = {"cpu_s": time.process_time() - self.cpu}
            os.write(1, json.dumps(reply).encode() + b"\n")


if __name__ == "__main__":
    Sidecar(int(sys.argv[1]), sys.argv[2]).run()
