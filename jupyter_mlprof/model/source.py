"""The text of a cell: its hash, its newlines, and offsets as JavaScript counts them."""

import hashlib

from jupyter_mlprof.model.finding import TextEdit

LINE_SHOWN = 60


def normalized(source: str) -> str:
    r"""Return the source with `\n` newlines, as the notebook file and the editor hold it."""
    return source.replace("\r\n", "\n").replace("\r", "\n")


def source_sha256(source: str) -> str:
    """Return the SHA-256 of the whole cell, magic line included, in hexadecimal."""
    return hashlib.sha256(normalized(source).encode("utf-8", "surrogatepass")).hexdigest()


def shown_line(source: str, line: int) -> str:
    """Return the code of a line, as a sentence shows it in parentheses; nothing where it is empty.

    Lines count from 1.
    """
    lines = source.split("\n")
    code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return f" (`{code[:LINE_SHOWN]}`)" if code else ""


def utf16_offset(text: str, index: int) -> int:
    """Convert an index in code points to UTF-16 code units, which editors count in."""
    return len(text[:index].encode("utf-16-le", "surrogatepass")) // 2


def line_at(text: str, offset: int) -> int:
    """Return the line, from 1, in which an offset in UTF-16 code units lies."""
    before = text.encode("utf-16-le", "surrogatepass")[: 2 * offset]
    return before.decode("utf-16-le", "surrogatepass").count("\n") + 1


def apply_edits(source: str, edits: tuple[TextEdit, ...]) -> str:
    """Return the source with the edits made; offsets are UTF-16 code units.

    Raises:
        ValueError: the edits overlap, are not sorted, or lie outside the source.
    """
    units = normalized(source).encode("utf-16-le", "surrogatepass")
    parts: list[bytes] = []
    done = 0
    for edit in edits:
        if not done <= 2 * edit.start <= 2 * edit.end <= len(units):
            raise ValueError("The edits do not fit the source.")
        parts += [units[done : 2 * edit.start], edit.text.encode("utf-16-le", "surrogatepass")]
        done = 2 * edit.end
    parts.append(units[done:])
    return b"".join(parts).decode("utf-16-le", "surrogatepass")
