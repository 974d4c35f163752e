"""Takes a process the right to write files or to connect, below Python, where Linux can (5.13+).

C libraries open files without asking Python's audit hooks: this stops them too. The numbers are
those of <linux/landlock.h>; a process gives its rights up for itself and its children, for good.
"""

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG = 1
PATH_BENEATH = 1
NO_NEW_PRIVS = 38  # prctl
WRITE_FILE, REMOVE_DIR, REMOVE_FILE = 1 << 1, 1 << 4, 1 << 5
MAKE_ANYTHING = sum(1 << bit for bit in range(6, 13))
REFER, TRUNCATE = 1 << 13, 1 << 14
BIND_AND_CONNECT_TCP = 3
ABI_REFER, ABI_TRUNCATE, ABI_NETWORK = 2, 3, 4


def version() -> int:
    """Return the version of Landlock that this system has; 0 for none."""
    try:
        found: int = _libc().syscall(CREATE_RULESET, None, 0, VERSION_FLAG)
    except (OSError, AttributeError):
        return 0
    return max(0, found)


def read_only(writable: Iterable[Path]) -> bool:
    """Let this process write below these folders and files only; False where that is impossible."""
    abi = version()
    # Before TRUNCATE a file that may not be written could still be emptied.
    if abi < ABI_TRUNCATE:
        return False
    libc = _libc()
    rights = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_ANYTHING | REFER | TRUNCATE
    network = BIND_AND_CONNECT_TCP if abi >= ABI_NETWORK else 0
    attributes = struct.pack("=QQ", rights, network) if network else struct.pack("=Q", rights)
    ruleset = libc.syscall(CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return False
    for path in writable:
        _allow(libc, ruleset, path, rights)
    done: bool = libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    done = done and libc.syscall(RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return done


def _allow(libc: ctypes.CDLL, ruleset: int, path: Path, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not path.is_dir():
        rights &= WRITE_FILE | TRUNCATE
    rule = struct.pack("=Qi", rights, place)
    libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0)
    os.close(place)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
