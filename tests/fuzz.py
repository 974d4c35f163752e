"""Notebooks and profiles with something wrong in them, the same for the same seed."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

MARKUP = "<script>window.hacked=1</script>'\"><img src=x onerror=alert(1)>"
STRANGE: list[Any] = [
    None, True, -1, 0, 1e308, -1e308, float("nan"), float("inf"), 2**70, 10**400, "", MARKUP,
    "\ud800", "\x1b[2J\x00", "a" * 5_000, [], {}, [[]], {"a": {"b": 1}}, [None, "x", 3],
]  # fmt: skip
Path = tuple[str | int, ...]


def mutated(value: Any, random: Random) -> bytes:
    """Return a JSON value as a file, with one to four things wrong."""
    changed = copy.deepcopy(value)
    for _ in range(random.randint(1, 3)):
        random.choice(ON_VALUES)(changed, random)
    text = json.dumps(changed, ensure_ascii=random.random() < 0.5)
    content = text.encode("utf-8", "surrogatepass")
    return random.choice(ON_BYTES)(content, random) if random.random() < 0.4 else content


def places(value: Any, here: Path = ()) -> list[Path]:
    """Return the path of every value within."""
    if not isinstance(value, dict | list):
        return [here] if here else []
    found = [here] if here else []
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    for key in keys:
        found += places(value[key], (*here, key))
    return found


def _holder(value: Any, path: Path) -> Any:
    for key in path[:-1]:
        value = value[key]
    return value


def _another(value: Any, random: Random) -> None:
    """Put something else in the place of a value."""
    path = random.choice(places(value))
    _holder(value, path)[path[-1]] = copy.deepcopy(random.choice(STRANGE))


def _gone(value: Any, random: Random) -> None:
    """Take a key or an item out."""
    path = random.choice(places(value))
    if len(places(value)) > 1:
        del _holder(value, path)[path[-1]]


def _moved(value: Any, random: Random) -> None:
    """Put one value in the place of another."""
    one, other = random.choice(places(value)), random.choice(places(value))
    found = _holder(value, one)[one[-1]]
    _holder(value, other)[other[-1]] = copy.deepcopy(found)


def _marked(value: Any, random: Random) -> None:
    """Put markup into every text that is not of a fixed set."""
    fixed = {"cell_type", "output_type", "outcome", "state", "part", "metric", "confidence", "kind"}
    for path in places(value):
        holder, key = _holder(value, path), path[-1]
        if isinstance(holder[key], str) and key not in fixed:
            holder[key] += MARKUP


def _nested(value: Any, random: Random) -> None:
    """Put a tower of lists in the place of a value."""
    tower: Any = []
    for _ in range(random.choice([5, 90, 300])):
        tower = [tower] if random.random() < 0.5 else {"data": tower}
    path = random.choice(places(value))
    _holder(value, path)[path[-1]] = tower


def _longer(value: Any, random: Random) -> None:
    """Repeat the items of a list."""
    lists = [path for path in places(value) if isinstance(_holder(value, path)[path[-1]], list)]
    if lists:
        path = random.choice(lists)
        _holder(value, path)[path[-1]] *= random.choice([2, 7])


def _flipped(content: bytes, random: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(random.choice([1, 1, 3, 30])):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _truncated(content: bytes, random: Random) -> bytes:
    return content[: random.randrange(len(content))]


def _doubled(content: bytes, random: Random) -> bytes:
    """Name something twice in an object."""
    names = [b'{"cells": 3, ', b'{"outputs": {}, ', b'{"data": [], ', b'{"schema_version": 2, ']
    at = [place for place in range(len(content)) if content.startswith(b'{"', place)]
    place = random.choice(at) if at else 0
    return content[:place] + random.choice(names) + content[place + 1 :]


def _prefixed(content: bytes, random: Random) -> bytes:
    return random.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\n\n", b"\x00"]) + content


ON_VALUES: list[Callable[[Any, Random], None]] = [
    _another, _another, _another, _gone, _moved, _marked, _nested, _longer,
]  # fmt: skip
ON_BYTES: list[Callable[[bytes, Random], bytes]] = [_flipped, _truncated, _doubled, _prefixed]
