"""Starts the sidecar of this kernel, once, and talks to it."""

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("sidecar_script.py")
REPLY_TIMEOUT_S = 0.5


class SidecarProcess:
    """A sampling process beside this one; it ends with it."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        # Its own session: an interrupt of the kernel's process group must not end it.
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(SCRIPT), str(self.owner)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )

    @property
    def alive(self) -> bool:
        """Whether it runs and belongs to this process, not to the parent of a fork."""
        return self.owner == os.getpid() and self._process.poll() is None

    def start(self, folder: Path, header: dict[str, object]) -> None:
        """Begin to sample into the folder."""
        self._send({"start": str(folder), "header": header})

    def stop(self) -> float:
        """End sampling; return the CPU seconds it took (0 when it did not answer in time)."""
        self._send({"stop": True})
        return float(self._reply().get("cpu_s", 0.0))

    def _send(self, command: dict[str, object]) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it is a pipe
        self._process.stdin.write(json.dumps(command).encode() + b"\n")

    def _reply(self) -> dict[str, Any]:
        assert self._process.stdout is not None  # noqa: S101 - it is a pipe
        handle = self._process.stdout.fileno()
        deadline = time.monotonic() + REPLY_TIMEOUT_S
        data = b""
        while not data.endswith(b"\n"):
            ready, _, _ = select.select([handle], [], [], max(0.0, deadline - time.monotonic()))
            chunk = os.read(handle, 4096) if ready else b""
            if not chunk:
                return {}
            data += chunk
        reply = json.loads(data.splitlines()[-1])
        return reply if isinstance(reply, dict) else {}


_process: SidecarProcess | None = None


def sidecar_process() -> SidecarProcess:
    """Return this kernel's sidecar, starting it when there is none."""
    global _process  # noqa: PLW0603 - one per kernel
    if _process is None or not _process.alive:
        _process = SidecarProcess()
    return _process
