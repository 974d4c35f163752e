"""The options of `%%mlprof` and `%mlprof`, read in one place by the hook and the magics."""

import argparse
import io
import shlex
from dataclasses import dataclass
from functools import cache
from typing import Literal, NoReturn, get_args

from jupyter_mlprof.collect.ledger import BUDGET_PCT
from jupyter_mlprof.errors import MlprofError

# Cells without `%%mlprof`: none, those with a finding, or all of them get a profile shown.
Auto = Literal["off", "on", "all"]
TAKING_A_VALUE = {"-n", "--name", "-o", "--output", "--budget"}
MOST_PCT = 100


class OptionError(MlprofError):
    """The magic's line cannot be understood."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for."""

    name: str | None = None
    budget: float = BUDGET_PCT
    calls: bool = False
    no_source: bool = False
    quiet: bool = False
    output: str | None = None
    # Shown only where there is something to change, as under `%mlprof_auto on`.
    if_finding: bool = False


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise OptionError(f"%%mlprof: {message}. {' '.join(self.format_usage().split())}")


@cache
def _parser() -> _Parser:
    parser = _Parser(prog="%%mlprof", add_help=False, allow_abbrev=False)
    parser.add_argument("-n", "--name", help="a name for the profile")
    parser.add_argument(
        "--budget", type=_percent, metavar="PCT", help="CPU that profiling may cost, in percent"
    )
    parser.add_argument("--calls", action="store_true", help="count calls to the end of the cell")
    parser.add_argument("--no-source", action="store_true", help="leave the cell's source out")
    parser.add_argument("--quiet", action="store_true", help="show nothing under the cell")
    parser.add_argument("-o", "--output", metavar="VARIABLE", help="store the profile here")
    return parser


def _percent(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= MOST_PCT:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0 and {MOST_PCT}")
    return value


def parse(line: str) -> Options:
    """Read the text behind `%%mlprof`.

    Raises:
        OptionError: an option is unknown or has no value, or VARIABLE is no name.
    """
    try:
        words = shlex.split(line, comments=True)
    except ValueError as error:
        raise OptionError(f"%%mlprof: {error} in {line!r}.") from error
    given = vars(_parser().parse_args(words))
    options = Options(**{name: value for name, value in given.items() if value is not None})
    if options.output is not None and not options.output.isidentifier():
        raise OptionError(f"%%mlprof: -o needs the name of a variable, not {options.output!r}.")
    return options


def parse_statement(line: str) -> tuple[Options, str]:
    """Read the text behind `%mlprof`: options, then a statement, which is returned as it stands.

    Raises:
        OptionError: as in `parse`, or there is no statement.
    """
    words: list[str] = []
    rest = line.strip()
    while rest.startswith("-"):
        word, rest = _first_word(rest)
        words.append(word)
        if word in TAKING_A_VALUE:
            word, rest = _first_word(rest)
            words.append(word)
    options = parse(shlex.join(words))
    if not rest:
        raise OptionError("%mlprof needs a statement, as in `%mlprof train()`.")
    return options, rest


def parse_auto(line: str) -> Auto:
    """Read the text behind `%mlprof_auto`.

    Raises:
        OptionError: it is none of the three words.
    """
    for word in get_args(Auto):
        if line.strip() == word:
            auto: Auto = word
            return auto
    raise OptionError("%mlprof_auto takes one word: on, all or off.")


def _first_word(text: str) -> tuple[str, str]:
    """Split off the first word, which may be quoted."""
    stream = io.StringIO(text)
    lexer = shlex.shlex(stream, posix=True)
    lexer.whitespace_split = True
    try:
        word = lexer.get_token() or ""
    except ValueError as error:
        raise OptionError(f"%mlprof: {error} in {text!r}.") from error
    return word, stream.read().lstrip()
