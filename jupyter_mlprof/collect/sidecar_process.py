"""Starts the sidecar of this kernel, once, and talks to it."""

import json
import os
import queue
import select
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from jupyter_mlprof.collect.module_path import module_path

SCRIPT = Path(__file__).with_name("sidecar_script.py")
# What the kernel starts ends at once, and leaves the sidecar to init: a cell that waits for all of
# its children must not find one that is not its own.
LAUNCHER = """
import os, sys
if os.fork():
    os.write(1, b"\\n")
    os._exit(0)
os.execv(sys.argv[1], sys.argv[1:])
"""
REPLY_TIMEOUT_S = 0.5
START_TIMEOUT_S = 5.0


class SidecarProcess:
    """A sampling process beside this one; it ends with it."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        python = [sys.executable, "-I", "-S"]
        script = [*python, str(SCRIPT), str(self.owner), *_identity()]
        forks = hasattr(os, "fork")
        # Its own session: an interrupt of the kernel's process group must not end it.
        self._process = subprocess.Popen(
            [*python, "-c", LAUNCHER, *script] if forks else script,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            bufsize=0,
        )
        if forks:
            if not self._line(START_TIMEOUT_S):
                self._process.kill()
            self._process.wait()

    @property
    def alive(self) -> bool:
        """Whether it runs and belongs to this process, not to the parent of a fork."""
        return self.owner == os.getpid() and not self._hung_up()

    def _hung_up(self) -> bool:
        """Whether nobody is left to answer; there is no waiting for what is not our child."""
        if not hasattr(select, "poll"):
            return self._process.poll() is not None
        return bool(self._poll(0, 0.0))

    def start(self, folder: Path, header: dict[str, object], pynvml: str | None) -> None:
        """Begin to sample into the folder, GPUs too if there is a pynvml."""
        self._send({"start": str(folder), "header": header, "pynvml": pynvml})

    def stop(self) -> float:
        """End sampling; return the CPU seconds it took (0 when it did not answer in time)."""
        self._send({"stop": True})
        return float(self._reply().get("cpu_s", 0.0))

    def _send(self, command: dict[str, object]) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it is a pipe
        self._process.stdin.write(json.dumps(command).encode() + b"\n")

    def _reply(self) -> dict[str, Any]:
        line = self._line(REPLY_TIMEOUT_S)
        reply = json.loads(line.splitlines()[-1]) if line else {}
        return reply if isinstance(reply, dict) else {}

    def _line(self, timeout: float) -> bytes:
        """Read to the end of a line; nothing when it does not come in time."""
        if not hasattr(select, "poll"):  # Windows cannot wait for a pipe but by reading it
            return self._line_read_aside(timeout)
        deadline = time.monotonic() + timeout
        data = b""
        while not data.endswith(b"\n"):
            ready = self._poll(select.POLLIN, max(0.0, deadline - time.monotonic()))
            chunk = os.read(ready[0][0], 4096) if ready else b""
            if not chunk:
                return b""
            data += chunk
        return data

    def _line_read_aside(self, timeout: float) -> bytes:
        assert self._process.stdout is not None  # noqa: S101 - it is a pipe
        lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        read = self._process.stdout.readline
        threading.Thread(target=lambda: lines.put(read()), daemon=True).start()
        try:
            return lines.get(timeout=timeout)
        except queue.Empty:
            return b""

    def _poll(self, events: int, timeout: float) -> list[tuple[int, int]]:
        assert self._process.stdout is not None  # noqa: S101 - it is a pipe
        poll = select.poll()
        poll.register(self._process.stdout.fileno(), events)
        return poll.poll(timeout * 1000)


def reads_proc() -> bool:
    """Whether processes can be seen in /proc, as on Linux; elsewhere psutil tells of them."""
    return Path("/proc/self/stat").exists()


def _identity() -> list[str]:
    """Return when this process started, since a later one may get its id, and psutil's folder."""
    if reads_proc():
        stat = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace")
        return [stat.rpartition(")")[2].split()[19]]
    import psutil

    folder = Path(module_path("psutil") or "").parents[1]
    return [str(psutil.Process().create_time()), str(folder)]


_process: SidecarProcess | None = None


def sidecar_process() -> SidecarProcess:
    """Return this kernel's sidecar, starting it when there is none."""
    global _process  # noqa: PLW0603 - one per kernel
    if _process is None or not _process.alive:
        _process = SidecarProcess()
    return _process
