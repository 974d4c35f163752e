r"""Find `%%mlprof` at the head of a cell and take it out, keeping the numbers of the lines.

The line becomes blank rather than the cell the argument of a magic: top-level `await`, the last
value, a trailing `;`, magics inside and the lines of tracebacks then are as in a plain cell.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from IPython.core.inputtransformer2 import (
    classic_prompt,
    ipython_prompt,
    leading_empty_lines,
    leading_indent,
)

from jupyter_mlprof.model.cell_magics import COMPILED_AS
from jupyter_mlprof.notebook.options import OptionError, Options, parse

CLEANING: tuple[Callable[[list[str]], list[str]], ...] = (
    leading_indent,
    classic_prompt,
    ipython_prompt,
)
OTHER = re.compile(r"%%(\w+)")
MAGIC = re.compile(r"%%mlprof(?:\s+(.*?))?\s*$")


@dataclass(frozen=True, slots=True)
class MagicLine:
    """The head of a profiled cell: the lines that hold the magic, and its options."""

    indexes: tuple[int, ...]
    options: Options


def find(lines: list[str]) -> MagicLine | None:
    """Return the magic's lines, or None for a cell that has none or whose options are wrong.

    Comments and blank lines may stand above. Of several `%%mlprof` the outer one, the first, holds.
    """
    indexes: list[int] = []
    options: Options | None = None
    for index, line in enumerate(lines):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        found = MAGIC.match(line.rstrip("\n"))
        if found is None:
            break
        try:
            options = options or parse(found[1] or "")
        except OptionError:
            return None
        indexes.append(index)
    return MagicLine(tuple(indexes), options) if options is not None else None


def find_in_cell(lines: list[str]) -> MagicLine | None:
    """Return the magic's lines as `find` does, also where it stands below `%%time` and the like.

    Those have IPython clean their body as a cell of its own, so that `blank` sees it there too.
    """
    above = 0
    for index, line in enumerate(lines):
        found = OTHER.match(line)
        if found is not None and found[1] in COMPILED_AS:
            above = index + 1
        elif line.strip() and not line.lstrip().startswith("#"):
            break
    magic = find(lines[above:])
    return magic and MagicLine(tuple(index + above for index in magic.indexes), magic.options)


def blank(lines: list[str]) -> list[str]:
    """Return the cell's lines without the magic; a pure function, as input transformers must be.

    Before another cell magic the head is dropped, since that magic must come first.
    """
    magic = find(lines)
    if magic is None:
        return lines
    below = cleaned([line for index, line in enumerate(lines) if index not in magic.indexes])
    for index in magic.indexes:
        below.insert(index, "\n")
    rest = magic.indexes[-1] + 1
    following = next((line for line in below[rest:] if line.strip()), "")
    return below[rest:] if following.startswith("%%") else below


def cleaned(lines: list[str]) -> list[str]:
    """Return as many lines, without the common indent and the prompts that IPython takes off.

    IPython has done so already, but saw the magic, which stands at the margin and has no prompt.
    """
    kept: list[str] = leading_empty_lines(lines)
    above = lines[: len(lines) - len(kept)]
    for clean in CLEANING:
        kept = clean(kept)
    return [*above, *kept] if len(above) + len(kept) == len(lines) else list(lines)
