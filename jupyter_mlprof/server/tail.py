"""A growing file of JSON lines, read on from where reading ended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


class Tail:
    """Yields each complete line once; an incomplete last one is kept for later."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._offset = 0
        self._rest = b""

    def read(self) -> list[Any]:
        """Return the values of the lines that have come; what is no JSON is left out."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._offset)
                data = file.read()
        except OSError:  # not there yet, or no longer
            return []
        self._offset += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [value for line in lines if (value := _value(line)) is not None]


def _value(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None
