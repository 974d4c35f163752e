"""A pipe through which the workers of a cell's loaders send what they measured.

Nothing waits for it: a full pipe drops what is written, and a worker that outlives the cell finds
the pipe closed. A dataset may close or replace any descriptor, so each end makes sure that it still
is this pipe before it is used.
"""

import contextlib
import os
import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from jupyter_mlprof.collect.fetch_clock import Fetch

RECORD = struct.Struct("=qqdddd")
READ_AT_ONCE = 2048


class Sent(NamedTuple):
    """A record of a worker: how long a fetch took, or when the worker was ready to fetch."""

    use: int
    ready_at: float | None
    fetch: Fetch | None


@dataclass(frozen=True, slots=True)
class End:
    """One end of the pipe, and the file it must still be."""

    descriptor: int
    inode: tuple[int, int]

    @classmethod
    def of(cls, descriptor: int) -> "End":
        """Take a descriptor that is known to be the pipe's."""
        status = os.fstat(descriptor)
        return cls(descriptor, (status.st_dev, status.st_ino))

    @property
    def is_ours(self) -> bool:
        """Whether the descriptor still is what it was."""
        try:
            status = os.fstat(self.descriptor)
        except OSError:
            return False
        same = (status.st_dev, status.st_ino) == self.inode
        return same and stat.S_ISFIFO(status.st_mode)

    def close(self) -> None:
        """Close it, once."""
        if self.is_ours:
            os.close(self.descriptor)


@dataclass(frozen=True, slots=True)
class Sender:
    """The worker's end; `use` is the number of the loader's use in the profiled process."""

    use: int
    end: End

    def ready(self, now: float) -> None:
        """Tell that this worker runs."""
        self._write(RECORD.pack(self.use, 1, now, 0.0, 0.0, 0.0))

    def fetched(self, fetch: Fetch) -> bool:
        """Send one fetch; False once nobody reads any longer."""
        return self._write(RECORD.pack(self.use, 0, *fetch))

    def _write(self, record: bytes) -> bool:
        if not self.end.is_ours:
            return False
        try:
            os.write(self.end.descriptor, record)
        except BlockingIOError:
            return True  # full: this one is lost
        except OSError:
            self.end.close()
            return False
        return True


@dataclass(frozen=True, slots=True)
class Channel:
    """The pipe, as the profiled process holds it."""

    reading: End
    writing: End

    @classmethod
    def open(cls) -> "Channel":
        """Make a pipe neither end of which ever waits."""
        ends = os.pipe()
        for end in ends:
            os.set_blocking(end, False)
        return cls(*map(End.of, ends))

    def close(self) -> None:
        """Close both ends."""
        self.reading.close()
        self.writing.close()

    def drain(self) -> Iterator[Sent]:
        """Yield what workers have sent since."""
        while self.reading.is_ours:
            data = b""
            with contextlib.suppress(BlockingIOError):
                data = os.read(self.reading.descriptor, RECORD.size * READ_AT_ONCE)
            if not data:
                return
            for use, ready, *times in RECORD.iter_unpack(data):
                yield Sent(use, times[0], None) if ready else Sent(use, None, Fetch(*times))
