"""Counts the steps of a cell in a trial: optimizer steps, or batches where there are none.

For a forked copy only: nothing is undone.
"""

import functools
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

Mark = Literal["steps", "batches"]


def count(what: Mark, mark: Callable[[], None]) -> bool:
    """Call `mark` at the end of each step or batch; False where torch is not there to tell."""
    if what == "steps":
        optimizer = sys.modules.get("torch.optim.optimizer")
        if optimizer is None:
            return False
        stepped = _Busiest(mark)
        optimizer.register_optimizer_step_post_hook(lambda one, *_: stepped(one))
        return True
    loading = sys.modules.get("torch.utils.data.dataloader")
    if loading is None:
        return False
    iterator: Any = loading._BaseDataLoaderIter  # noqa: SLF001 - where all iterators get batches
    iterator.__next__ = _marking(iterator.__next__, mark)
    return True


class _Busiest:
    """Counts for the optimizer that steps most, as the profile does."""

    def __init__(self, mark: Callable[[], None]) -> None:
        self._mark = mark
        self._counts: Counter[int] = Counter()

    def __call__(self, optimizer: object) -> None:
        most = max(self._counts.values(), default=0)
        self._counts[id(optimizer)] += 1
        if self._counts[id(optimizer)] > most:
            self._mark()


def _marking(original: Callable[[Any], Any], mark: Callable[[], None]) -> Any:
    @functools.wraps(original)
    def following(iterator: Any) -> Any:
        batch = original(iterator)
        mark()
        return batch

    return following
