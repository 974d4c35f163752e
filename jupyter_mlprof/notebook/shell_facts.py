"""What the shell tells of itself and of the cells that ran before."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

EARLIER_CELLS = 200


def cell_files(shell: InteractiveShell | None) -> dict[str, int]:
    """Return the names under which cells were compiled, with their execution counts."""
    return dict(getattr(shell.compile, "_filename_map", {})) if shell is not None else {}


def number(shell: InteractiveShell) -> int:
    """Return the number of the cell, as in `In [7]`."""
    # Newer versions of IPython count on before the cell runs; the display hook allows for that.
    count: int = shell.displayhook.prompt_count
    return count


def earlier(shell: InteractiveShell) -> list[tuple[int, str]]:
    """Return the cells that ran before, newest first."""
    cells = list(enumerate(shell.user_ns.get("In", [])))[-EARLIER_CELLS:]
    return [(count, text) for count, text in reversed(cells) if isinstance(text, str)]


def leading_blank_lines(source: str) -> int:
    """Count the blank lines that IPython takes off a cell's head before it numbers the rest."""
    lines = source.split("\n")
    return next((count for count, line in enumerate(lines) if line.strip()), 0)


def notebook_path(shell: InteractiveShell) -> str | None:
    """Return the notebook's path as Jupyter Server or VS Code tells it."""
    path = os.environ.get("JPY_SESSION_NAME") or shell.user_ns.get("__vsc_ipynb_file__")
    return path if isinstance(path, str) else None


def kernel_id() -> str | None:
    """Return the id in the name of the kernel's connection file."""
    connect = sys.modules.get("ipykernel.connect")
    if connect is None:
        return None
    try:
        stem = Path(connect.get_connection_file()).name
    except RuntimeError:  # IPython in a terminal, with ipykernel imported
        return None
    return stem.removeprefix("kernel-").removesuffix(".json")
