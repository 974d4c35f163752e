"""Which threads work for the cell besides its own."""

import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType

from jupyter_mlprof.collect.cell_code import CellCode, is_ours
from jupyter_mlprof.collect.frames import callers

# A thread whose innermost function is one of these modules' waits for work or for another thread.
WAITING = {
    "concurrent.futures.thread",
    "multiprocessing.connection",
    "multiprocessing.pool",
    "multiprocessing.queues",
    "queue",
    "selectors",
    "threading",
}


@dataclass
class OtherThreads:
    """Those that were started in the cell, and older ones while they run code of a cell."""

    cell: CellCode
    _older: set[int] = field(default_factory=lambda: set(sys._current_frames()))  # noqa: SLF001

    def at_work(self, frames: Mapping[int, FrameType]) -> Iterator[FrameType]:
        """Yield the innermost frames of those that do not wait."""
        sampling = threading.get_ident()
        for thread, frame in frames.items():
            if thread in (sampling, self.cell.thread_id) or _waits(frame):
                continue
            if thread not in self._older or self._runs_a_cell(frame):
                yield frame

    def _runs_a_cell(self, frame: FrameType | None) -> bool:
        codes = (one.f_code for one in callers(frame))
        return any(
            self.cell.holds(code) or code.co_filename in self.cell.other_cells for code in codes
        )


def _waits(frame: FrameType) -> bool:
    return is_ours(frame.f_code) or frame.f_globals.get("__name__") in WAITING
