"""Take out of what a kernel sent all that differs from one run of a plain cell to the next."""

import re
from typing import Any

from tests.twins.row import PLACE, bare

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
NUMBER = r"\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
REPLACED = (
    (re.compile(r"%%mlprof(?: -[-\w]+| inner)*"), PLACE),
    (re.compile(r"0x[0-9a-fA-F]{6,}"), "0xADDRESS"),
    (re.compile(r"ipykernel_\d+[/\\]\d+"), "ipykernel_PID/HASH"),
    (re.compile(r"\(\d+\.py, line"), "(HASH.py, line"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{24}_\d+_\d+"), "MESSAGE"),
    (re.compile(r"pid=\d+"), "pid=PID"),
    (re.compile(r"ForkPoolWorker-\d+|ForkProcess-\d+"), "ForkProcess-N"),
    # The times that %time, %timeit, %prun, cProfile and tqdm tell.
    (re.compile(rf"{NUMBER} ?(?:ns|µs|us|μs|ms|s|min)\b"), "TIME"),
    (re.compile(r"[\d,]+ loops? each"), "N loops each"),
    (re.compile(r"\b\d+\.\d{3}\b"), "SECONDS"),
    (re.compile(r"\d\d:\d\d(?:<|&lt;)\d\d:\d\d,\s*(?:[\d.,]+|\?) ?(?:it/s|s/it)"), "PACE"),
    # What %timeit adds where one of its runs was four times slower than another.
    (re.compile(r"The slowest run took [\d.]+ times longer than the fastest\..*\n"), ""),
)
IDENTIFIER = re.compile(
    r"(?<![0-9a-f])(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])"
)
BLANK_LINE_ONE = re.compile(rf"^((?:---->|-->|\s)*1 ?){PLACE}$", re.MULTILINE)


class Normal:
    """Normalises what one kernel sent in one row; identifiers are numbered as they come."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._numbers: dict[str, int] = {}

    def value(self, value: Any) -> Any:
        """Return JSON with every string in it made comparable."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(str(key)): self.value(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return _without_repeats([self.value(one) for one in value])
        return value

    def text(self, text: str) -> str:
        """Return a string made comparable."""
        text = COLOUR.sub("", text).replace(self._folder, "FOLDER")
        text = IDENTIFIER.sub(lambda found: f"ID-{self._number(found[0])}", text)
        for pattern, replacement in REPLACED:
            text = pattern.sub(replacement, text)
        return BLANK_LINE_ONE.sub(r"\1", text)

    def _number(self, identifier: str) -> int:
        return self._numbers.setdefault(identifier, len(self._numbers) + 1)


def _without_repeats(values: list[Any]) -> list[Any]:
    """Leave out lines of a traceback that repeat the one before.

    While calls are counted, Python 3.11 allows a recursion one frame less.
    """
    return [
        value
        for number, value in enumerate(values)
        if number == 0 or value != values[number - 1] or not str(value).startswith("Cell In[")
    ]


def merged(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join what was written to a stream between two other messages.

    How a stream is cut into messages, and whether stdout or stderr comes first, is left to chance.
    """
    out: list[dict[str, Any]] = []
    streams: dict[str, str] = {}
    for message in [*messages, {"type": "end"}]:
        if message["type"] == "stream":
            name = message["content"]["name"]
            streams[name] = streams.get(name, "") + message["content"]["text"]
            continue
        out += [
            {"type": "stream", "content": {"name": name, "text": text}}
            for name, text in sorted(streams.items())
            if text
        ]
        streams.clear()
        out.append(message)
    return out[:-1]


def history(history: list[str]) -> list[str]:
    """Return `In` without the lines that the magic or its comment left, and without the loading."""
    cells = [bare(cell).split("\n") for cell in history[2:]]
    return ["\n".join(line for line in cell if line not in ("", PLACE)) for cell in cells]
