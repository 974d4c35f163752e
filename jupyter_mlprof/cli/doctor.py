"""`jupyter mlprof doctor`: tell what works here, what does not, and what to do."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from jupyter_mlprof.doctor import Check

HELP = "tell what works in this environment, what does not, and what to do"
SOMETHING_MISSING = 1


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("doctor", help=HELP, description=f"{HELP.capitalize()}.")
    parser.add_argument("--json", action="store_true", help="as JSON, for other programs")
    parser.set_defaults(act=_act)


def _act(options: argparse.Namespace) -> int:
    from jupyter_mlprof.doctor import checks

    found = checks()
    if options.json:
        print(json.dumps([asdict(check) for check in found], indent=1))
    else:
        width = max(len(check.name) for check in found)
        print("\n".join(_line(check, width) for check in found))
    return SOMETHING_MISSING if any(check.state == "missing" for check in found) else 0


def _line(check: Check, width: int) -> str:
    advice = f"\n{'':<9}{'':<{width}}  -> {check.advice}" if check.advice else ""
    return f"{check.state:<9}{check.name:<{width}}  {check.found}{advice}"
