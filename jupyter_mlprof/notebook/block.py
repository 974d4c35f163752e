"""Profile a block: `with mlprof.profile("name"):` in a notebook, a script or a test.

The profile is that of the cell or file that holds the block, as far as it ran inside the block.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

from jupyter_mlprof.notebook.block_run import block_run
from jupyter_mlprof.notebook.contained import contained, say
from jupyter_mlprof.notebook.outcome import SUCCEEDED, of_error
from jupyter_mlprof.notebook.show import give
from jupyter_mlprof.session import Session, session

if TYPE_CHECKING:
    from types import FrameType, TracebackType

    from IPython.core.interactiveshell import InteractiveShell

    from jupyter_mlprof.composition import CellRun
    from jupyter_mlprof.model.profile import CellProfile
    from jupyter_mlprof.notebook.options import Options


class Block:
    """Profiles what runs between enter and exit, unless a cell or block around it is profiled.

    `frame` is the one that runs the block, the caller's if left out. `profile` is there when the
    block has ended; None where there is none.
    """

    def __init__(self, options: Options, frame: FrameType | None = None) -> None:
        self.profile: CellProfile | None = None
        self._options = options
        self._frame = frame
        self._run: CellRun | None = None
        self._session: Session | None = None

    def __enter__(self) -> Self:
        self._start(self._frame or sys._getframe(1))  # noqa: SLF001 - no public way
        self._frame = None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop(error)

    def _start(self, frame: FrameType) -> None:
        current = session()
        if current.running:
            if not current.runs_here:
                say("another cell is being profiled; this block is not.")
            return
        with contained("could not start", current.abandon):
            self._run = block_run(frame, self._options, shell())
            self._session = current
            current.start(self._run)

    def _stop(self, error: BaseException | None) -> None:
        if self._session is None or self._run is None:
            return
        current, run, self._session = self._session, self._run, None
        with contained("could not finish the profile", current.abandon):
            current.cell_ended()
            ended = of_error(run.code, error) if error is not None else SUCCEEDED
            self.profile = current.stop(*ended)
            give(shell(), self._options, self.profile)


def shell() -> InteractiveShell | None:
    """Return IPython's shell, where the code runs in one."""
    ipython = sys.modules.get("IPython")
    found: InteractiveShell | None = ipython.get_ipython() if ipython is not None else None
    return found
