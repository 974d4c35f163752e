"""Keeps this package's frames out of the tracebacks that workers send."""

import functools
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from jupyter_mlprof.collect.cell_code import is_ours

CHAIN_MOST = 100


def without_ours(original: Callable[..., None]) -> Callable[..., None]:
    """Wrap `ExceptionWrapper.__init__`, which turns the exception at hand into text."""

    @functools.wraps(original)
    def init(wrapper: Any, exc_info: Any = None, *args: Any, **kwargs: Any) -> None:
        error = sys.exc_info()[1] if exc_info is None else exc_info[1]
        if isinstance(error, BaseException):
            leave_out(error)
            exc_info = (type(error), error, error.__traceback__)
        original(wrapper, exc_info, *args, **kwargs)

    return init


def leave_out(error: BaseException | None) -> None:
    """Take our frames out of the tracebacks of an error and of those that led to it."""
    waiting, seen = [error], set[int]()
    while waiting and len(seen) < CHAIN_MOST:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = _cleaned(one.__traceback__)
        waiting += [one.__cause__, one.__context__]


def _cleaned(trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback without our frames; it is changed in place."""
    kept: list[TracebackType] = []
    while trace is not None:
        if not is_ours(trace.tb_frame.f_code):
            kept.append(trace)
        trace = trace.tb_next
    for outer, inner in zip(kept, [*kept[1:], None], strict=True):
        outer.tb_next = inner
    return kept[0] if kept else None
