"""`jupyter mlprof run`: run a notebook and show the profiles of its cells."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mlprof.cli.progress import progress
from jupyter_mlprof.cli.show import print_profiles

if TYPE_CHECKING:
    import argparse

HELP = "run a notebook and show the profiles of its cells"
CELL_FAILED = 1


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("run", help=HELP, description=f"{HELP.capitalize()}.")
    parser.add_argument("notebook", type=Path, metavar="NOTEBOOK")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="where to write it; in place if left out"
    )
    parser.add_argument(
        "--all-cells",
        action="store_true",
        help="profile every code cell, not only those with %%%%mlprof",
    )
    parser.set_defaults(act=_act)


def _act(options: argparse.Namespace) -> int:
    from jupyter_mlprof.cli.execution import execute
    from jupyter_mlprof.notebook_file import read, write

    notebook = read(options.notebook)
    target = options.output or options.notebook
    _require_room_for(target)
    folder = options.notebook.resolve().parent
    with progress(sys.stderr) as watcher:
        ended = execute(notebook, folder, watcher, every_cell=options.all_cells)
    write(notebook, target)
    print_profiles(notebook)
    if ended.problem:
        sys.stderr.write(f"{ended.problem}\n")
    if ended.signal is not None:
        return 128 + ended.signal
    return CELL_FAILED if ended.problem else 0


def _require_room_for(target: Path) -> None:
    """Find out before the run, which may take hours, whether its result can be written.

    Raises:
        NotebookError: it cannot.
    """
    from jupyter_mlprof.notebook_file import NotebookError

    if target.is_dir():
        raise NotebookError(f"Cannot write {target}: it is a folder; name a file in it.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotebookError(f"Cannot write {target}: {error.strerror}.") from error
    if not os.access(target.resolve().parent, os.W_OK):
        raise NotebookError(f"Cannot write {target}: its folder may not be written to.")
