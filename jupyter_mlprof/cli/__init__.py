"""`jupyter mlprof`: run, show, report, compare and strip notebooks, and check the installation.

One file a command; what a command needs is imported when it is called, so that each starts quickly.
"""

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence

from jupyter_mlprof import __version__
from jupyter_mlprof.cli import diff, doctor, report, run, show, strip
from jupyter_mlprof.errors import MlprofError

MISUSE = 2
INTERRUPTED = 130
COMMANDS = (run, report, show, diff, strip, doctor)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code: 2 for errors of use, 1 when a cell failed."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its number.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        code: int = options.act(options)
        sys.stdout.flush()
    except MlprofError as error:
        return _refused(str(error))
    except (MemoryError, RecursionError):
        return _refused("There is not enough memory for this file.")
    except BrokenPipeError:
        _close_stdout()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _refused(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return MISUSE


def _close_stdout() -> None:
    """Whoever read our output has read enough: let Python's own flush at the end meet no error."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jupyter mlprof", description="Profile notebook cells and read their profiles."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser
