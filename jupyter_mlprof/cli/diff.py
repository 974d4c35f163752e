"""`jupyter mlprof diff`: hold the profiles of two files against each other."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mlprof.errors import MlprofError

if TYPE_CHECKING:
    from jupyter_mlprof.model.profile import CellProfile

HELP = "compare the profiles of two notebooks or profile files"
SLOWER = 1


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("diff", help=HELP, description=f"{HELP.capitalize()}.")
    parser.add_argument("before", type=Path, metavar="BEFORE")
    parser.add_argument("after", type=Path, metavar="AFTER")
    parser.add_argument(
        "--fail-if-slower",
        type=_share,
        metavar="PCT",
        help="exit with 1 if a cell takes that much longer, as in 10%%",
    )
    parser.set_defaults(act=_act)


def _share(text: str) -> float:
    try:
        value = float(text.removesuffix("%")) / 100
    except ValueError:
        value = -1.0
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no percentage, as 10% is")
    return value


def _act(options: argparse.Namespace) -> int:
    from jupyter_mlprof.view.comparison import Comparison

    before, after = (_profiles(path) for path in (options.before, options.after))
    pairs = [Comparison(*pair) for pair in _pairs(before, after)]
    if not pairs:
        raise MlprofError("The two files have no profiled cell in common.")
    print("\n\n".join(map(str, pairs)))
    limit = options.fail_if_slower
    slower = [one for one in pairs if limit is not None and one.slower > limit]
    for one in slower:
        sys.stderr.write(f"A cell became {100 * one.slower:.0f} % slower.\n")
    return SLOWER if slower else 0


def _profiles(path: Path) -> list[CellProfile]:
    from nbformat import NotebookNode

    from jupyter_mlprof.notebook_file import profiles, read_stored

    stored = read_stored(path)
    return list(profiles(stored)) if isinstance(stored, NotebookNode) else [stored]


def _pairs(
    before: list[CellProfile], after: list[CellProfile]
) -> list[tuple[CellProfile, CellProfile]]:
    """Return the profiles that belong together: one of each, or those of the same cell or name."""
    if len(before) == len(after) == 1:
        return [(before[0], after[0])]
    pairs = []
    for new in after:
        same = [old for old in before if _key(old) == _key(new) is not None]
        if same:
            pairs.append((same[0], new))
    return pairs


def _key(profile: CellProfile) -> str | None:
    return profile.name or profile.cell.id
