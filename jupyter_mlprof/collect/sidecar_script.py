"""The process that watches a kernel from outside: memory, CPU, I/O and children.

It sees through C calls that hold the kernel's GIL, and what it wrote outlives a killed kernel.
Started with `python -I -S`, so standard library only; it ends when the kernel does, which it knows
by process id and start time. Commands come as JSON lines on standard input:
{"start": folder, "header": {...}} and {"stop": true}.
Linux: all is read from /proc (a sample with psutil or smaps would cost 30 times as much).
"""

import json
import os
import select
import sys
import time

FAST_S, SLOW_S, FAST_FOR_S = 0.04, 0.1, 60.0
IDLE_S = 1.0
RARELY_S = 0.2  # children, I/O and the machine's load
COLUMNS = ("t", "rss", "cpu", "children_rss", "children_cpu", "children", "read", "write", "busy")
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")

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


class Watch:
    """Samples one kernel into one file."""

    def __init__(self, pid: int, folder: str, header: dict[str, object]) -> None:
        self.pid = pid
        self.begun = time.monotonic()
        self.rarely_at = 0.0
        self.descendants: list[int] = []
        path = os.path.join(folder, "sidecar.jsonl")  # noqa: PTH118 - fast start
        self.file = open(path, "w", encoding="ascii", buffering=1)  # noqa: PTH123, SIM115
        self.write({**header, "columns": COLUMNS})

    def write(self, value: object) -> None:
        """Append a line; unbuffered, so that it survives a kill."""
        self.file.write(json.dumps(value, separators=(",", ":")) + "\n")

    def interval(self) -> float:
        """Sample fast at first, then slower, so that long cells keep small files."""
        return FAST_S if time.monotonic() - self.begun < FAST_FOR_S else SLOW_S

    def sample(self) -> bool:
        """Write a row; False when the kernel is gone."""
        now = time.monotonic()
        seen = cpu_and_rss(self.pid)
        if seen is None:
            return False
        row: Row = [round(now, 4), seen[1], seen[0], None, None, None, None, None, None]
        if now - self.rarely_at >= RARELY_S:
            self.rarely_at = now
            self.descendants = children(self.pid)
            row[6:9] = [*read_and_written(self.pid), busy_seconds()]
        alive = [one for one in map(cpu_and_rss, self.descendants) if one]
        row[3:6] = [sum(r for _, r in alive), round(sum(c for c, _ in alive), 2), len(alive)]
        self.write(row)
        return True

    def close(self) -> None:
        """End the file."""
        self.file.close()


class Sidecar:
    """Obeys the kernel's commands until the kernel is gone."""

    def __init__(self, pid: int, start: str) -> None:
        self.pid = pid
        self.start = start
        self.watch: Watch | None = None
        self.rest = b""
        self.cpu = time.process_time()

    def run(self) -> None:
        """Wait for commands, sample in between."""
        # Workers that the kernel forked hold the other end of the input, which then has no end.
        while started(self.pid) == self.start:
            wait = self.watch.interval() if self.watch else IDLE_S
            ready, _, _ = select.select([0], [], [], wait)
            if ready and not self.commands():
                break
            if not self.watched():
                break
        if self.watch:
            self.watch.write({"gone": round(time.monotonic(), 4)})

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
