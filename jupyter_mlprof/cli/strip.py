"""`jupyter mlprof strip`: cut our outputs out of notebooks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mlprof.errors import MlprofError

if TYPE_CHECKING:
    import argparse

HELP = "cut the profiles out of notebooks and leave every other byte as it is"
TO_CUT = 1
STREAM = "-"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("strip", help=HELP, description=f"{HELP.capitalize()}.")
    parser.add_argument(
        "notebooks",
        nargs="+",
        metavar="NOTEBOOK",
        help="`-` reads standard input and writes standard output, as a filter of Git does",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="in place if left out")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if something would be cut"
    )
    parser.set_defaults(act=_act)


def _act(options: argparse.Namespace) -> int:
    if options.output and (len(options.notebooks) > 1 or options.check):
        raise MlprofError("With -o, name one notebook, and leave out --check.")
    cut = 0
    for notebook in options.notebooks:
        cut += _strip(notebook, options.output, check=options.check)
    return TO_CUT if options.check and cut else 0


def _strip(name: str, output: Path | None, *, check: bool) -> int:
    """Strip one notebook; return how many outputs went, or would go."""
    from jupyter_mlprof.notebook_file import read_bytes, write_file
    from jupyter_mlprof.strip import stripped

    content = sys.stdin.buffer.read() if name == STREAM else read_bytes(Path(name))
    clean, count = stripped(content, "Standard input" if name == STREAM else name)
    if check:
        if count:
            sys.stderr.write(f"{name}: {_profiles(count)} to cut\n")
    elif name == STREAM and output is None:
        sys.stdout.buffer.write(clean)
    elif output is not None:
        write_file(output, clean)
    elif count:
        write_file(Path(name), clean)
    if count and not check and name != STREAM:
        sys.stderr.write(f"{name}: cut {_profiles(count)}\n")
    return count


def _profiles(count: int) -> str:
    from jupyter_mlprof.model.numbers import counted

    return counted(count, "profile")
