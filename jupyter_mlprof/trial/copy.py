"""Runs something in a forked copy of this process and returns what it reports.

The work runs in a thread of its own: OpenMP's threads do not survive a fork, and whoever used them
before waits for them for ever; a new thread gets new ones.
"""

import contextlib
import contextvars
import json
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from jupyter_mlprof.trial.isolation import isolate

Report = dict[str, Any]
# Ends the copy with what it has to report.
Finish = Callable[[Report], NoReturn]
Work = Callable[[Finish], None]

READ_BYTES = 65_536
SLOT = "mlprof-trial-"


def run(work: Work, limit_s: float) -> Report:
    """Run `work` in a copy; return what it finished with, or {"failed": why}.

    An interrupt ends the copy and goes on.
    """
    scratch = Path(tempfile.mkdtemp(prefix=SLOT))
    reader, writer = os.pipe()
    state = random.getstate()  # Python seeds it anew in each fork
    with warnings.catch_warnings():
        # Python warns of forks where threads run: nothing of theirs is used in the copy.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        _be_the_copy(work, writer, scratch, state)
    os.close(writer)
    try:
        return _first_line(reader, limit_s)
    finally:
        os.close(reader)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)
        shutil.rmtree(scratch, ignore_errors=True)


def _first_line(reader: int, limit_s: float) -> Report:
    """Return the first report; what comes after it is not of interest."""
    deadline = time.monotonic() + limit_s
    data = b""
    while b"\n" not in data:
        ready, _, _ = select.select([reader], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return {"failed": "took too long", "timeout": True}
        chunk = os.read(reader, READ_BYTES)
        if not chunk:
            return {"failed": "ended before it could tell anything"}
        data += chunk
    report: Report = json.loads(data.partition(b"\n")[0])
    return report


def _be_the_copy(work: Work, writer: int, scratch: Path, state: Any) -> NoReturn:
    def finish(report: Report) -> NoReturn:
        os.write(writer, json.dumps(report).encode() + b"\n")
        os._exit(0)

    def refuse(what: str) -> NoReturn:
        finish({"failed": f"the cell {what}", "refused": True})

    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        tempfile.tempdir = str(scratch)
        sys.setprofile(None)
        held = isolate(writer, scratch, refuse)
        random.setstate(state)
        context = contextvars.copy_context()
        failures: list[str] = []

        def working() -> None:
            try:
                context.run(work, finish)
            except BaseException as error:  # noqa: BLE001 - reported
                failures.append(f"{type(error).__name__}: {error}"[:200])

        thread = threading.Thread(target=working, name="mlprof-trial")
        thread.start()
        thread.join()
        finish({"failed": failures[0] if failures else "ended without a report", "held": held})
    except BaseException as error:  # noqa: BLE001 - nothing may leave this process
        with contextlib.suppress(BaseException):
            finish({"failed": f"{type(error).__name__}: {error}"[:200]})
    os._exit(1)
