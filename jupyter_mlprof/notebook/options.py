"""The options of `%%mlprof`, read in one place by the hook and the magic."""

import argparse
import shlex
from dataclasses import dataclass
from typing import NoReturn

from jupyter_mlprof.errors import MlprofError


class OptionError(MlprofError):
    """The magic's line cannot be understood."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for."""

    name: str | None = None
    calls: bool = False
    no_source: bool = False
    quiet: bool = False
    output: str | None = None


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise OptionError(f"%%mlprof: {message}. {self.format_usage().strip()}")


def _parser() -> _Parser:
    parser = _Parser(prog="%%mlprof", add_help=False, allow_abbrev=False)
    parser.add_argument("-n", "--name", help="a name for the profile")
    parser.add_argument("--calls", action="store_true", help="count calls to the end of the cell")
    parser.add_argument("--no-source", action="store_true", help="leave the cell's source out")
    parser.add_argument("--quiet", action="store_true", help="show nothing under the cell")
    parser.add_argument("-o", "--output", metavar="VARIABLE", help="store the profile here")
    return parser


def parse(line: str) -> Options:
    """Read the text behind `%%mlprof`.

    Raises:
        OptionError: an option is unknown or has no value, or VARIABLE is no name.
    """
    try:
        words = shlex.split(line, comments=True)
    except ValueError as error:
        raise OptionError(f"%%mlprof: {error} in {line!r}.") from error
    options = Options(**vars(_parser().parse_args(words)))
    if options.output is not None and not options.output.isidentifier():
        raise OptionError(f"%%mlprof: -o needs the name of a variable, not {options.output!r}.")
    return options
