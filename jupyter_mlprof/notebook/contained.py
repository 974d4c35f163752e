"""Keeps what fails in us from the user's code."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def contained(what: str, undo: Callable[[], None]) -> Iterator[None]:
    """Say in one sentence what failed, after `undo`; an interrupt goes on to the user's code."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever it is, it is ours
        undo()
        say(f"{what} ({why(error)}).")
    except BaseException:
        undo()
        raise


def say(sentence: str) -> None:
    """Write a sentence to stderr."""
    with suppress(Exception):  # stderr may be None, or whatever the cell made it
        sys.stderr.write(f"mlprof: {sentence}\n")


def why(error: BaseException) -> str:
    """Return what an error says, if it can."""
    with suppress(Exception):  # the text of an error of the user's may fail
        return ": ".join(filter(None, (type(error).__name__, str(error))))
    return type(error).__name__
