"""Cuts a forked copy of the kernel off from the world: files, connections, shared memory.

Files that were open are read from a place of their own, since a forked process shares the position
in them; other connections lead nowhere; shared memory becomes private. Landlock, where there is
one, stops what C libraries would write.
"""

import contextlib
import ctypes
import fcntl
import mmap
import os
import signal
import stat
import sys
from pathlib import Path

from jupyter_mlprof.trial import landlock
from jupyter_mlprof.trial.guard import Guard, Refuse

DEATH_SIGNAL = 1  # prctl
SHARED_MOST = 2_000_000_000
# Worker processes hand their batches over there; nothing of it is the user's.
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - no file of ours


def isolate(keep: int, scratch: Path, refuse: Refuse) -> bool:
    """Isolate this process, a fork; return whether C libraries are held, too.

    `keep` is the file descriptor that stays, `scratch` the folder that may be written; `refuse` is
    called with what was tried, and must not return.

    Raises:
        OSError: something cannot be cut off, so nothing may be run here.
    """
    os.setsid()
    ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    _cut_off_files(keep)
    _unshare_memory()
    held = landlock.read_only([scratch, SHARED_MEMORY, Path(os.devnull)])
    sys.addaudithook(Guard([str(scratch), str(SHARED_MEMORY)], refuse))
    return held


def _cut_off_files(keep: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - names are numbers
        number = int(name)
        if number in (keep, nothing):
            continue
        with contextlib.suppress(OSError):  # that of the listing is closed by now
            _cut_off(number, nothing)
    os.close(nothing)


def _cut_off(number: int, nothing: int) -> None:
    mode = os.fstat(number).st_mode
    if stat.S_ISDIR(mode) or (stat.S_ISCHR(mode) and not os.isatty(number)):
        return
    flags = fcntl.fcntl(number, fcntl.F_GETFL)
    if not stat.S_ISREG(mode) or flags & os.O_ACCMODE != os.O_RDONLY:
        os.dup2(nothing, number)
        return
    own = os.open(f"/proc/self/fd/{number}", os.O_RDONLY)
    os.lseek(own, os.lseek(number, 0, os.SEEK_CUR), os.SEEK_SET)
    os.dup2(own, number)
    os.close(own)


def _unshare_memory() -> None:
    """Replace memory that is shared with other processes by a copy at the same place."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    spans = list(_shared_memory())
    total = sum(end - start for start, end in spans)
    if total > SHARED_MOST:
        raise OSError(f"{total / 1e9:.1f} GB of memory are shared with other processes or a file")
    for start, end in spans:
        content = ctypes.string_at(start, end - start)
        protection, kind = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        place = libc.mmap(start, end - start, protection, kind | MAP_FIXED, -1, 0)
        if place != start:
            raise OSError("memory that is shared with other processes cannot be copied")
        ctypes.memmove(start, content, end - start)


MAP_FIXED = 0x10


def _shared_memory() -> list[tuple[int, int]]:
    """Return the spans of memory that may be written and are shared."""
    spans = []
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines():
        span, rights, *_ = line.split()
        if rights == "rw-s":
            start, _, end = span.partition("-")
            spans.append((int(start, 16), int(end, 16)))
    return spans
