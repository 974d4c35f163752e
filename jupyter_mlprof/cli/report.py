"""`jupyter mlprof report`: write a notebook or a profile as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

HELP = "write a notebook or a profile as one HTML file with charts, which needs no network"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("report", help=HELP, description=f"{HELP.capitalize()}.")
    parser.add_argument("path", type=Path, metavar="NOTEBOOK|PROFILE")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.html")
    parser.set_defaults(act=_act)


def _act(options: argparse.Namespace) -> int:
    from jupyter_mlprof.report import write_report

    write_report(options.path, options.output)
    print(f"Wrote {options.output}")
    return 0
