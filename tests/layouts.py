"""JSON in any layout that is still the same value: spaces, newlines, escapes, a BOM."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

SPACES = ["", "", " ", "\n", "\r\n", "\t", "\n   ", " \r\n\t "]


@dataclass
class Layout:
    """Writes values; what it chooses, it chooses anew each time."""

    random: Random

    def file(self, value: Any) -> bytes:
        """Return a value as a file."""
        head = self.random.choice([b"", b"", b"\xef\xbb\xbf"])
        style = self.random.choice(["any", "any", "indented", "windows", "compact"])
        if style == "any":
            text = self.space() + self.text(value) + self.space()
        elif style == "compact":
            text = json.dumps(value, separators=(",", ":"))
        else:
            text = json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
            text = text.replace("\n", "\r\n") if style == "windows" else text
        return head + text.encode("utf-8", "surrogatepass")

    def space(self) -> str:
        return self.random.choice(SPACES)

    def text(self, value: Any) -> str:
        """Return a value with any space between its tokens."""
        if isinstance(value, dict):
            pairs = [
                f"{self.string(key)}{self.space()}:{self.put(one)}" for key, one in value.items()
            ]
            return "{" + self.joined(pairs) + "}"
        if isinstance(value, list):
            return "[" + self.joined([self.text(one) for one in value]) + "]"
        return self.string(value) if isinstance(value, str) else json.dumps(value)

    def put(self, value: Any) -> str:
        return self.space() + self.text(value)

    def joined(self, parts: list[str]) -> str:
        return ",".join(self.space() + part + self.space() for part in parts) or self.space()

    def string(self, text: str) -> str:
        """Return a text, now and then with letters written as numbers."""
        if self.random.random() < 0.8:
            return json.dumps(text, ensure_ascii=self.random.random() < 0.5)
        return '"' + "".join(self.letter(one) for one in text) + '"'

    def letter(self, letter: str) -> str:
        escaped = self.random.random() < 0.5 or letter in '"\\' or ord(letter) < 32
        if not escaped or ord(letter) > 0xFFFF:
            return json.dumps(letter, ensure_ascii=False)[1:-1]
        return f"\\u{ord(letter):04x}"
