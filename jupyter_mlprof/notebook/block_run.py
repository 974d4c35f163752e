"""What is known of a block of code that is about to run."""

from __future__ import annotations

import linecache
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_mlprof.collect.cell_code import CELL_FILE, CellCode
from jupyter_mlprof.composition import CellRun
from jupyter_mlprof.model.paths import without_home
from jupyter_mlprof.model.source import normalized
from jupyter_mlprof.notebook.shell_facts import (
    cell_files,
    earlier,
    kernel_id,
    leading_blank_lines,
    notebook_path,
    number,
)

if TYPE_CHECKING:
    from types import FrameType

    from IPython.core.interactiveshell import InteractiveShell

    from jupyter_mlprof.notebook.options import Options


def block_run(frame: FrameType, options: Options, shell: InteractiveShell | None) -> CellRun:
    """Gather what is known; `frame` runs the block, in a cell or in a file."""
    files = cell_files(shell)
    if shell is None or frame.f_code.co_filename not in files:
        return _file_run(frame, options, files)
    request = _request(shell)
    source = normalized(request.get("content", {}).get("code") or _text(frame))
    return CellRun(
        code=CellCode(
            source=source,
            filename=frame.f_code.co_filename,
            thread_id=threading.get_ident(),
            line_offset=leading_blank_lines(source),
            other_cells=files,
            namespace=shell.user_ns,
        ),
        cell_id=request.get("metadata", {}).get("cellId"),
        execution_count=number(shell),
        notebook=notebook_path(shell),
        kernel_id=kernel_id(),
        name=options.name,
        count_calls=options.calls,
        budget_pct=options.budget,
        keep_source=not options.no_source,
        earlier=earlier(shell),
    )


def _file_run(frame: FrameType, options: Options, cells: dict[str, int]) -> CellRun:
    """Gather what is known of a block in a script or module."""
    file = frame.f_code.co_filename
    source = normalized(_text(frame))
    return CellRun(
        code=CellCode(
            source=source,
            filename=file,
            thread_id=threading.get_ident(),
            other_cells=cells,
            namespace=frame.f_globals,
            shown_file=without_home(file) if source else CELL_FILE,
        ),
        cell_id=None,
        execution_count=None,
        notebook=None,
        name=options.name or Path(file).name,
        count_calls=options.calls,
        budget_pct=options.budget,
        keep_source=not options.no_source,
    )


def _text(frame: FrameType) -> str:
    return "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))


def _request(shell: InteractiveShell) -> dict[str, Any]:
    """Return the message that asked for the cell, where a front end sent one."""
    # A cell that another one runs has no message of its own; its file is then another's.
    ask = getattr(shell, "get_parent", None)
    request = ask() if ask is not None else None
    return request if isinstance(request, dict) else {}
