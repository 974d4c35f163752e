"""Cut our outputs out of the text of a notebook and leave every other byte as it is.

Writing the notebook anew would change its layout, and with it every line of a diff. So the file is
scanned for the spans of the output objects, and the bytes outside of them are kept.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mlprof.model.profile import MIME_TYPE
from jupyter_mlprof.notebook_file import as_notebook, json_value

BOM = b"\xef\xbb\xbf"
# The bytes are known to be JSON, so that a token is told by how it begins.
_TOKEN = re.compile(rb'[ \t\r\n]*+(([{}\[\],:])|"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^ \t\r\n{}\[\],:"]++)')
_OPENING, _CLOSING = (b"{", b"["), (b"}", b"]")
# Depth within an item of the outermost list or object.
_OF_ITEM = 2


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the file, its end exclusive."""

    start: int
    end: int


def stripped(content: bytes, name: object) -> tuple[bytes, int]:
    """Return the notebook without our outputs, and how many were cut.

    Raises:
        NotebookError: it is no notebook of format 4.
    """
    as_notebook(json_value(content, name), name)
    cuts: list[Span] = []
    count = 0
    for array, outputs in _output_lists(content):
        ours = [
            place for place, one in enumerate(outputs) if _is_ours(content[one.start : one.end])
        ]
        count += len(ours)
        cuts += _cuts(array, outputs, ours)
    return _without(content, cuts), count


def _is_ours(output: bytes) -> bool:
    value = json.loads(output.decode("utf-8", "surrogatepass"))
    data = value.get("data") if isinstance(value, dict) else None
    return isinstance(data, dict) and MIME_TYPE in data


def _cuts(array: Span, outputs: list[Span], ours: list[int]) -> list[Span]:
    """Return what goes with our outputs: the comma before, or after where none of others is before.

    An emptied list is written `[]`, as nbformat does.
    """
    if ours and len(ours) == len(outputs):
        return [Span(array.start + 1, array.end - 1)]
    first_kept = next((place for place in range(len(outputs)) if place not in set(ours)), 0)
    return [
        Span(outputs[place].start, outputs[place + 1].start)
        if place < first_kept
        else Span(outputs[place - 1].end, outputs[place].end)
        for place in ours
    ]


def _without(content: bytes, cuts: list[Span]) -> bytes:
    if not cuts:
        return content
    parts = []
    done = 0
    for cut in cuts:
        parts.append(content[done : cut.start])
        done = cut.end
    return b"".join([*parts, content[done:]])


def _output_lists(content: bytes) -> Iterator[tuple[Span, list[Span]]]:
    """Yield each list of outputs with the spans of its items, in the order of the file."""
    for cells in _named(content, len(BOM) if content.startswith(BOM) else 0, "cells"):
        for cell in _items(content, cells.start):
            for outputs in _named(content, cell.start, "outputs"):
                if content.startswith(b"[", outputs.start):
                    yield outputs, list(_items(content, outputs.start))


def _named(content: bytes, start: int, name: str) -> Iterator[Span]:
    """Yield the values of a name in the object that starts there; a name may be there twice."""
    items = _items(content, start)
    # Names and values take turns. What is no object - as an earlier `cells` may be - has none.
    for key, value in zip(items, items, strict=False):
        text = content[key.start : key.end]
        if text.startswith(b'"') and json.loads(text.decode("utf-8", "surrogatepass")) == name:
            yield value


def _items(content: bytes, start: int) -> Iterator[Span]:
    """Yield the items of the list, or the names and values of the object, that starts there."""
    depth = 0
    begun = 0
    for token in _TOKEN.finditer(content, start):
        sign = token.group(2)
        if sign in _CLOSING:
            depth -= 1
            if depth == 1:
                yield Span(begun, token.end())
        elif sign in _OPENING:
            depth += 1
            if depth == _OF_ITEM:
                begun = token.start(1)
        elif depth == 1 and sign is None:
            yield Span(*token.span(1))
        if depth == 0:
            return
