"""What the shell tells of a cell that it is about to run."""

import threading
from types import FrameType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.composition import CellRun
from jupyter_mlprof.model.source import normalized
from jupyter_mlprof.notebook.options import Options
from jupyter_mlprof.notebook.running_cell import awaited
from jupyter_mlprof.notebook.shell_facts import (
    cell_files,
    earlier,
    kernel_id,
    leading_blank_lines,
    notebook_path,
    number,
)


def cell_run(
    shell: InteractiveShell, info: Any, options: Options, frame: FrameType | None
) -> CellRun:
    """Gather what is known; `info` is that of the event, `frame` the one that runs the cell."""
    source = normalized(info.raw_cell)
    return CellRun(
        code=CellCode(
            source=source,
            filename=filename(shell, info, frame),
            thread_id=threading.get_ident(),
            line_offset=leading_blank_lines(source),
            other_cells=cell_files(shell),
            namespace=shell.user_ns,
            coroutine=awaited(frame),
        ),
        cell_id=getattr(info, "cell_id", None),
        execution_count=number(shell),
        notebook=notebook_path(shell),
        kernel_id=kernel_id(),
        name=options.name,
        count_calls=options.calls,
        budget_pct=options.budget,
        keep_source=not options.no_source,
        earlier=earlier(shell),
    )


def filename(shell: InteractiveShell, info: Any, frame: FrameType | None) -> str:
    """Return the name under which the shell is about to compile the cell."""
    # To transform the cell again would run the user's own input transformers twice.
    code = getattr(info, "transformed_cell", None)
    if code is None and frame is not None:  # IPython before 9.16 or so
        code = frame.f_locals.get("transformed_cell")
    if code is None:
        code = info.raw_cell
    name: str = shell.compile.get_code_name(info.raw_cell, code, number(shell))
    return name
