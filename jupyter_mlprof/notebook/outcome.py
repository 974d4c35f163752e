"""How a cell ended."""

import sys
from typing import Any

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.model.profile import CellError, Outcome
from jupyter_mlprof.notebook.running_cell import RunningCell

SUCCEEDED: tuple[Outcome, None] = ("ok", None)


def outcome(cell: RunningCell, result: Any) -> tuple[Outcome, CellError | None] | None:
    """Tell how the cell ended, or None where it did not run or nothing is known.

    IPython gives no result when its own work was interrupted or failed after the cell's error.
    """
    if result is None:
        error = cell.error or sys.exc_info()[1]
        return of_error(cell.code, error) if error is not None else None
    if result.error_in_exec is not None:
        return of_error(cell.code, cell.error or result.error_in_exec)
    # IPython compiles each statement after the one before has run: an interrupt may meet it there.
    if isinstance(result.error_before_exec, KeyboardInterrupt):
        return of_error(cell.code, result.error_before_exec)
    return SUCCEEDED if result.error_before_exec is None else None


def of_error(code: CellCode, error: BaseException) -> tuple[Outcome, CellError]:
    """Tell how an error ended the cell."""
    kind: Outcome = "interrupted" if isinstance(error, KeyboardInterrupt) else "error"
    return kind, CellError(type(error).__name__, _message(error), _line(code, error))


def _line(code: CellCode, error: BaseException) -> int | None:
    """Return the innermost line of the cell that the error passed."""
    line, trace = None, error.__traceback__
    while trace is not None:
        line = code.line(trace.tb_frame.f_code, trace.tb_lineno) or line
        trace = trace.tb_next
    return line


def _message(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except Exception:  # noqa: BLE001 - the user's own __str__ may raise
        return ""
