"""What a trial may not do, told by Python's audit events in words that name it."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Refuse = Callable[[str], None]

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Of files and folders: the first one or two arguments are their names.
FILES = {
    "os.chmod": "changes the rights of",
    "os.chown": "changes the owner of",
    "os.link": "links",
    "os.mkdir": "makes the folder",
    "os.remove": "removes",
    "os.rename": "renames",
    "os.rmdir": "removes the folder",
    "os.symlink": "links",
    "os.truncate": "cuts",
    "shutil.move": "moves",
    "shutil.rmtree": "removes the folder",
    "sqlite3.connect": "opens the database",
}
PROGRAMS = {
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "subprocess.Popen",
}
# Their second argument is an address; workers meet at addresses that are files.
SOCKETS = {"socket.bind", "socket.connect", "socket.sendto", "socket.sendmsg"}
NAMES = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}


@dataclass(frozen=True)
class Guard:
    """An audit hook: calls `refuse` with what was tried, unless it is below an allowed folder."""

    allowed: Sequence[str]
    refuse: Refuse

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & WRITING and not self._is_ours(path):
                self.refuse(f"writes the file {_shown(path)}")
        elif event in FILES:
            paths = [one for one in arguments[:2] if isinstance(one, str | bytes | os.PathLike)]
            if not all(map(self._is_ours, paths)):
                self.refuse(f"{FILES[event]} {_shown(paths[0])}")
        elif event in PROGRAMS:
            self.refuse(f"starts the program {_shown(arguments[0])}")
        elif event in NAMES:
            self.refuse(f"asks the network for {_shown(arguments[0])}")
        elif event in SOCKETS and not self._is_ours(arguments[1]):
            self.refuse(f"opens a connection to {_shown(arguments[1])}")

    def _is_ours(self, path: object) -> bool:
        """Whether a file may be written: one that is open already, or in an allowed folder."""
        # None is the other end of a connection that stands: it was made here.
        if path is None or isinstance(path, int):
            return True
        if not isinstance(path, str | bytes | os.PathLike):
            return False
        name = os.fsdecode(path)
        if name in (os.devnull, ":memory:"):
            return True
        real = os.path.realpath(name)
        return any(real == folder or real.startswith(f"{folder}/") for folder in self.allowed)


def _shown(value: object) -> str:
    text = os.fsdecode(value) if isinstance(value, str | bytes | os.PathLike) else repr(value)
    return text if len(text) < 80 else f"...{text[-76:]}"  # noqa: PLR2004 - a line
