"""Replace an attribute for the time of a cell."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

_ABSENT = object()


@dataclass
class Patches:
    """Attributes replaced by wrappers, and what they were.

    Undo leaves an attribute that somebody else replaced since; our wrapper then stays below
    theirs, so wrappers must pass calls through once their collector has stopped.
    """

    _done: list[tuple[Any, str, object, object]] = field(default_factory=list)

    def wrap(
        self, owner: Any, name: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]
    ) -> None:
        """Replace `owner.name` by `make(original)`."""
        own = vars(owner).get(name, _ABSENT)
        wrapper = make(getattr(owner, name))
        setattr(owner, name, wrapper)
        self._done.append((owner, name, own, wrapper))

    def undo(self) -> None:
        """Put everything back, the last first."""
        for owner, name, own, wrapper in reversed(self._done):
            if vars(owner).get(name) is not wrapper:
                continue
            if own is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, own)
        self._done.clear()
