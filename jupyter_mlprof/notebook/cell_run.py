"""What the shell tells of a cell that it is about to run."""

import os
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.composition import CellRun
from jupyter_mlprof.model.source import normalized
from jupyter_mlprof.notebook.options import Options

EARLIER_CELLS = 200


def cell_run(
    shell: InteractiveShell, info: Any, options: Options, frame: FrameType | None
) -> CellRun:
    """Gather what is known; `info` is that of the event, `frame` the one that runs the cell."""
    source = normalized(info.raw_cell)
    return CellRun(
        code=CellCode(
            source=source,
            filename=_filename(shell, info, frame),
            thread_id=threading.get_ident(),
            line_offset=_leading_blank_lines(source),
            other_cells=dict(getattr(shell.compile, "_filename_map", {})),
            namespace=shell.user_ns,
        ),
        cell_id=getattr(info, "cell_id", None),
        execution_count=_number(shell),
        notebook=_notebook_path(shell),
        kernel_id=_kernel_id(),
        name=options.name,
        count_calls=options.calls,
        keep_source=not options.no_source,
        earlier=_earlier(shell),
    )


def _filename(shell: InteractiveShell, info: Any, frame: FrameType | None) -> str:
    """Return the name under which the shell is about to compile the cell."""
    # To transform the cell again would run the user's own input transformers twice.
    code = getattr(info, "transformed_cell", None)
    if code is None and frame is not None:  # IPython before 9.16 or so
        code = frame.f_locals.get("transformed_cell")
    if code is None:
        code = info.raw_cell
    name: str = shell.compile.get_code_name(info.raw_cell, code, _number(shell))
    return name


def _number(shell: InteractiveShell) -> int:
    """Return the number of the cell, as in `In [7]`."""
    # Newer versions of IPython count on before the cell runs; the display hook allows for that.
    number: int = shell.displayhook.prompt_count
    return number


def _earlier(shell: InteractiveShell) -> list[tuple[int, str]]:
    """Return the cells that ran before, newest first."""
    cells = list(enumerate(shell.user_ns.get("In", [])))[-EARLIER_CELLS:]
    return [(number, text) for number, text in reversed(cells) if isinstance(text, str)]


def _leading_blank_lines(source: str) -> int:
    """Count the blank lines that IPython takes off a cell's head before it numbers the rest."""
    lines = source.split("\n")
    return next((number for number, line in enumerate(lines) if line.strip()), 0)


def _notebook_path(shell: InteractiveShell) -> str | None:
    """Return the notebook's path as Jupyter Server or VS Code tells it."""
    path = os.environ.get("JPY_SESSION_NAME") or shell.user_ns.get("__vsc_ipynb_file__")
    return path if isinstance(path, str) else None


def _kernel_id() -> str | None:
    """Return the id in the name of the kernel's connection file."""
    connect = sys.modules.get("ipykernel.connect")
    if connect is None:
        return None
    try:
        stem = Path(connect.get_connection_file()).name
    except RuntimeError:  # IPython in a terminal, with ipykernel imported
        return None
    return stem.removeprefix("kernel-").removesuffix(".json")
