"""A map from objects to values that keeps no object alive and asks nothing of it.

A WeakKeyDictionary needs keys that hash, which a user's subclass with `__eq__` alone does not.
"""

from typing import Generic, TypeVar
from weakref import ref

Value = TypeVar("Value")


class IdentityMap(Generic[Value]):
    """Values by the identity of their key, for as long as the key lives."""

    def __init__(self) -> None:
        self._items: dict[int, tuple[ref[object], Value]] = {}

    def get(self, key: object) -> Value | None:
        """Return the key's value, or None."""
        item = self._items.get(id(key))
        return item[1] if item is not None and item[0]() is key else None

    def set(self, key: object, value: Value) -> None:
        """Give the key a value."""
        self._items[id(key)] = (ref(key), value)
