"""The cell that is being profiled, and whether IPython is still inside it."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any

from jupyter_mlprof.collect.cell_code import CellCode, is_ours
from jupyter_mlprof.notebook.options import Options

RUN_CELL = "run_cell_async"
# Nothing but these is on the stack from there, when IPython shows the error of the cell's code.
RUN_CODE = {"run_code", "run_ast_nodes"}


@dataclass(eq=False)
class RunningCell:
    """A cell between IPython's events, known by the frame that runs it.

    The event at its end may be missing or tell of no cell, after a second interrupt or an error in
    the display of the error. Cells that it runs in turn have events as well.
    """

    info: Any
    options: Options
    code: CellCode
    frame: FrameType | None
    coroutine: Any
    error: BaseException | None = None

    @property
    def here(self) -> bool:
        """Whether this thread runs the cell."""
        return threading.get_ident() == self.code.thread_id

    @property
    def executing(self) -> bool:
        """Whether the cell has not ended: it called us, or it awaits something."""
        awaits = getattr(self.coroutine, "cr_frame", None) is self.frame
        return awaits or any(one is self.frame for one in _callers())

    def ended_with(self, result: Any) -> bool:
        """Tell whether the event that came with this result is the one at the cell's end."""
        its_own = getattr(result, "info", None) is self.info
        return self.here and (its_own or not self.executing)

    def shows_its_error(self) -> bool:
        """Tell whether the error that IPython is about to show has ended the cell.

        Else it is that of a cell inside, or one that the cell's code shows itself.
        """
        if not (self.here and self.executing):
            return self.here
        for frame in _callers():
            if frame is self.frame:
                return True
            if frame.f_code.co_name not in RUN_CODE and not is_ours(frame.f_code):
                return False
        return False


def running_frame() -> FrameType | None:
    """Return IPython's frame that runs the cell whose events call us."""
    return next((one for one in _callers() if one.f_code.co_name == RUN_CELL), None)


def awaited(frame: FrameType | None) -> Any:
    """Return the coroutine of the frame where the event loop runs it, as for top-level await."""
    task = None
    with suppress(RuntimeError):  # no event loop runs in this thread
        task = asyncio.current_task()
    coroutine = task.get_coro() if task is not None else None
    return coroutine if getattr(coroutine, "cr_frame", None) is frame else None


def _callers() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - no public way
    while frame is not None:
        yield frame
        frame = frame.f_back
