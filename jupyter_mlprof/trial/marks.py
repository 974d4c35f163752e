"""Counts the steps of a cell in a trial: optimizer steps, or batches where there are none.

For a forked copy only: nothing is undone.
"""

import functools
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
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
    iterator.__next__ = _after(iterator.__next__, mark)
    return True


@dataclass
class FirstLoop:
    """When the loop in which the first step fell began to load, and had its first batch."""

    begun: float | None = None
    got: float | None = None
    closed: bool = False

    def watch(self) -> None:
        """Note the times of `time.perf_counter`, until closed."""
        loading: Any = sys.modules.get("torch.utils.data.dataloader")
        if loading is not None:
            loader, iterator = loading.DataLoader, loading._BaseDataLoaderIter  # noqa: SLF001
            loader.__iter__ = _before(loader.__iter__, self._begin)
            iterator.__next__ = _after(iterator.__next__, self._get)

    def _begin(self) -> None:
        if not self.closed:
            self.begun, self.got = time.perf_counter(), None

    def _get(self) -> None:
        if not self.closed and self.got is None:
            self.got = time.perf_counter()


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


def _after(original: Callable[[Any], Any], done: Callable[[], None]) -> Any:
    @functools.wraps(original)
    def following(it: Any) -> Any:
        result = original(it)
        done()
        return result

    return following


def _before(original: Callable[[Any], Any], begin: Callable[[], None]) -> Any:
    @functools.wraps(original)
    def following(it: Any) -> Any:
        begin()
        return original(it)

    return following
