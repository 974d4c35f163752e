"""`jupyter mlprof show`: print the profiles that a file holds, or the newest of this user."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mlprof.errors import MlprofError

if TYPE_CHECKING:
    import argparse

    from nbformat import NotebookNode

    from jupyter_mlprof.model.profile import CellProfile

HELP = "show the profiles that a notebook or file holds, or the newest of this user"
NONE_FOUND = "No profile in this notebook: put %%mlprof on the first line of a cell and run it."
NONE_STORED = "No run is stored: put %%mlprof on the first line of a cell and run it."


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("show", help=HELP, description=f"{HELP.capitalize()}.")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("path", type=Path, nargs="?", metavar="NOTEBOOK|FILE")
    which.add_argument(
        "--last", action="store_true", help="the newest run, also one whose kernel was killed"
    )
    parser.set_defaults(act=_act)


def _act(options: argparse.Namespace) -> int:
    from nbformat import NotebookNode

    from jupyter_mlprof.notebook_file import read_stored
    from jupyter_mlprof.view.text import text

    if options.last:
        print(text(_last()))
        return 0
    stored = read_stored(options.path)
    if isinstance(stored, NotebookNode):
        print_profiles(stored)
    else:
        print(text(stored))
    return 0


def _last() -> CellProfile:
    from jupyter_core.paths import jupyter_data_dir

    from jupyter_mlprof.model.runfile import runs_folder
    from jupyter_mlprof.postmortem import newest

    profile = newest(runs_folder(Path(jupyter_data_dir())))
    if profile is None:
        raise MlprofError(NONE_STORED)
    return profile


def print_profiles(notebook: NotebookNode) -> None:
    """Print the profiles of a notebook, and what is not one that can be read."""
    from jupyter_mlprof.notebook_file import profiles, unreadable
    from jupyter_mlprof.view.text import text

    found = list(profiles(notebook))
    for profile in found:
        print(f"\n{text(profile)}")
    problems = unreadable(notebook)
    if not found and not problems:
        print(NONE_FOUND)
    for problem in problems:
        sys.stderr.write(f"{problem}\n")
