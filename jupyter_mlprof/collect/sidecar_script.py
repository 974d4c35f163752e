"""The process that watches a kernel from outside: memory, CPU, I/O, child processes and GPUs.

It sees through C calls that hold the kernel's GIL, and what it wrote outlives a killed kernel.
Started with `python -I -S`, so standard library only; it ends when the kernel does, which it knows
by process id and start time. Commands come as JSON lines on standard input:
{"start": folder, "header": {...}, "pynvml": path or null} and {"stop": true}.

The file of a run begins with the header and the names of the columns; a later line {"columns": ...}
adds those of the GPUs, and rows are that long when something is known of them.

A kernel that dies in a run leaves a last line, {"gone": t, ...}, with what tells a kill for want of
memory from another one: how many processes were killed for it meanwhile, in the kernel's control
group and on the machine, the group's limit, and what was available at the last look.
"""

import contextlib
import json
import os
import queue
import sys
import threading
import time

TYPE_CHECKING = False  # to import typing would make every start slower
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from jupyter_mlprof.collect.nvml_script import Gpus

    class Reader(Protocol):
        """What can be seen of a kernel and its child processes over one run."""

        least_s: float
        pids: frozenset[int]

        def sample(self) -> tuple[float, int] | None: ...

        def family(self) -> tuple[int, float, int]: ...

        def look(self) -> tuple[int | None, int | None, float | None]: ...

        def told(self) -> dict[str, int | None]: ...

        def close(self) -> None: ...

    class Readers(Protocol):
        """A module that reads one kind of system."""

        def started(self, pid: int) -> str | None: ...

        @property
        def Reader(self) -> "Callable[[int], Reader]": ...  # noqa: N802 - a class


def _without_package() -> None:
    """Let the modules beside this one be imported without the package, which would cost more."""
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - fast start
    for name, folder in (
        ("jupyter_mlprof", os.path.dirname(here)),  # noqa: PTH120 - as above
        ("jupyter_mlprof.collect", here),
    ):
        package = type(sys)(name)
        package.__path__ = [folder]
        sys.modules[name] = package


if __name__ == "__main__":
    _without_package()

from jupyter_mlprof.collect.sidecar_rows import Row, Rows  # noqa: E402 - as above

FAST_S, SLOW_S, FAST_FOR_S = 0.04, 0.1, 60.0
IDLE_S = 1.0
RARELY_S = 0.2  # children, I/O, the machine's load, its free memory, GPUs
KEPT_SHARE, KEPT_S = 1 / 600, 1.0  # rows are kept that far apart: a share of the run, and at most
DEATH_S = 1.0  # how long a kernel that has closed its end may take to be gone
COLUMNS = ("t", "rss", "cpu", "children_rss", "children_cpu", "children", "read", "write", "busy")


class Watch:
    """Samples one kernel into one file."""

    def __init__(
        self, reader: "Reader", folder: str, header: dict[str, object], gpus: "Gpus | None" = None
    ) -> None:
        self.reader = reader
        self.gpus = gpus
        self.begun = time.monotonic()
        self.rarely_at = 0.0
        self.rows = Rows(
            os.path.join(folder, "sidecar.jsonl"),  # noqa: PTH118 - fast start
            {**header, "columns": COLUMNS},
        )
        self.columns: list[str] = []
        if gpus:
            gpus.begin(reader.pids)

    def interval(self) -> float:
        """Sample fast at first, then slower, which costs less."""
        fast = time.monotonic() - self.begun < FAST_FOR_S
        return max(self.reader.least_s, FAST_S if fast else SLOW_S)

    def sample(self) -> bool:
        """Take a row; False when the kernel is gone."""
        now = time.monotonic()
        seen = self.reader.sample()
        if seen is None:
            return False
        if not seen[1]:  # it is about to go, and has given its memory back
            return True
        apart = min(KEPT_S, KEPT_SHARE * (now - self.begun))
        row: Row = [round(now, 4), seen[1], seen[0], None, None, None, None, None, None]
        whole = now - self.rarely_at >= max(RARELY_S, apart)
        if whole:
            self.rarely_at = now
            row[6:9] = self.reader.look()
        row[3:6] = self.reader.family()
        if whole:
            row += self.gpu_values()
        self.rows.add(row, 0.0 if whole else apart)
        return True

    def gpu_values(self) -> Row:
        """Return what is new about the GPUs, and name it the first time."""
        values = self.gpus.taken(self.reader.pids) if self.gpus else []
        if values and self.gpus and not self.columns:
            self.columns = self.gpus.columns()
            self.rows.write({"columns": [*COLUMNS, *self.columns], "gpus": self.gpus.described()})
        return values

    def gone(self, cpu_s: float) -> None:
        """Write that the kernel is gone, and what watching it took, and end the file."""
        self.rows.keep()
        if self.gpus:
            self.rows.write({"nvml": self.gpus.end()})
        told = {"gone": round(time.monotonic(), 4), **self.reader.told(), "cpu_s": round(cpu_s, 3)}
        self.rows.write(told)
        self.reader.close()
        self.rows.close()

    def close(self) -> None:
        """End the file."""
        if self.gpus:
            told = self.gpus.end()
            self.rarely_at = 0.0
            self.sample()
            self.rows.keep()
            self.rows.write({"nvml": told})
        self.reader.close()
        self.rows.close()


class Sidecar:
    """Obeys the kernel's commands until the kernel is gone."""

    def __init__(self, pid: int, start: str, readers: "Readers") -> None:
        self.pid = pid
        self.start = start
        self.readers = readers
        self.watch: Watch | None = None
        self.gpus: Gpus | None = None
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.cpu = time.process_time()

    @property
    def lives(self) -> bool:
        """Whether the kernel is there."""
        return self.readers.started(self.pid) == self.start

    def run(self) -> None:
        """Wait for commands, sample in between."""
        threading.Thread(target=self._read, daemon=True).start()
        # Workers that the kernel forked hold the other end of the input, which then has no end.
        while self.lives:
            try:
                line = self.lines.get(timeout=self.watch.interval() if self.watch else IDLE_S)
            except queue.Empty:
                line = b""
            if line is None:
                self.await_death()
                break
            if line:
                self.obey(json.loads(line))
            if not self.watched():
                break
        if self.watch and not self.lives:
            self.watch.gone(time.process_time() - self.cpu)
            self.watch = None
        self.end_watch()

    def _read(self) -> None:
        """Hand on the lines of the input, and None at its end; not every system can wait for it."""
        rest = b""
        while data := os.read(0, 65536):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self.lines.put(line)
        self.lines.put(None)

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
        watch, self.watch = self.watch, None
        if watch:
            with contextlib.suppress(OSError):
                watch.close()

    def obey(self, command: dict[str, object]) -> None:
        """Start or stop a run."""
        if self.watch and not self.watch.gpus:
            self.watched()  # the last sample of a run that was on
        self.end_watch()
        if "start" in command:
            self.cpu = time.process_time()
            try:
                self.watch = self.begun(command)
            except OSError:
                self.watch = None
        else:
            reply = {"cpu_s": time.process_time() - self.cpu}
            os.write(1, json.dumps(reply).encode() + b"\n")

    def begun(self, command: dict[str, object]) -> Watch:
        """Begin a run."""
        pynvml, header = command.get("pynvml"), command.get("header")
        if self.gpus is None and isinstance(pynvml, str):
            with contextlib.suppress(Exception):  # all else is seen without GPUs, too
                from jupyter_mlprof.collect.nvml_script import Gpus

                self.gpus = Gpus(pynvml)
        return Watch(
            self.readers.Reader(self.pid),
            str(command["start"]),
            header if isinstance(header, dict) else {},
            self.gpus,
        )


def readers(psutil: str | None = None) -> "Readers":
    """Return what reads this system: /proc, or psutil where its folder is given."""
    if psutil is not None:
        sys.path.append(psutil)
        from jupyter_mlprof.collect import sidecar_psutil

        return sidecar_psutil
    from jupyter_mlprof.collect import sidecar_proc

    return sidecar_proc


if __name__ == "__main__":
    kernel, start, *psutil = sys.argv[1:]
    Sidecar(int(kernel), start, readers(*psutil)).run()
