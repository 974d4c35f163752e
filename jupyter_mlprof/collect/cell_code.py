"""Which frames and calls belong to the profiled cell."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from jupyter_mlprof.collect.frames import callers
from jupyter_mlprof.model.cell_magics import COMPILED_AS, CellMagics
from jupyter_mlprof.model.functions import Frame
from jupyter_mlprof.model.loader import Span
from jupyter_mlprof.model.paths import without_home

CELL_FILE = "<cell>"
_OURS = str(Path(__file__).parents[1]) + os.sep
_LIBRARY = re.compile(r".*/(?:site|dist)-packages/|.*/lib/python3\.\d+/(?!site-packages)")


def is_ours(code: CodeType) -> bool:
    """Tell whether code is of this package, whose wrappers stand between the cell and torch."""
    return code.co_filename.startswith(_OURS)


@dataclass(frozen=True)
class CellCode:
    """The code of one cell.

    `filename` is the name under which IPython compiles it, `line_offset` the number of leading
    blank lines that IPython takes away, `other_cells` the execution counts of other cells' files,
    `namespace` the user's variables. A script or module counts as a cell while a block of it is
    profiled; `shown_file` is what its functions are then shown to be in. `coroutine` is what runs
    a cell with top-level await.
    """

    source: str
    filename: str
    thread_id: int
    line_offset: int = 0
    other_cells: Mapping[str, int] = field(default_factory=dict)
    namespace: Mapping[str, object] = field(default_factory=dict, repr=False)
    shown_file: str = CELL_FILE
    coroutine: Any = field(default=None, repr=False)
    _functions: dict[int, tuple[CodeType, Frame]] = field(default_factory=dict, repr=False)

    @cached_property
    def _offsets(self) -> dict[str, int]:
        """Return the files that hold code of the cell, and what their lines lack to the editor's.

        What another cell magic runs is compiled under names of its own.
        """
        magics = CellMagics(self.source)
        if not magics.others:
            return {self.filename: self.line_offset}
        files = (file for name in magics.others for file in COMPILED_AS.get(name, ()))
        return dict.fromkeys(files, magics.lines_above)

    def adopt(self, filename: str, body: str) -> None:
        """Count code compiled under another name as the cell's, where it is the cell's end.

        That is how `%%capture` runs its body.
        """
        source, end = self.source.rstrip(), body.strip()
        if end and CellMagics(self.source).others and source.endswith(end):
            self._offsets[filename] = source.removesuffix(end).count("\n")

    def holds(self, code: CodeType) -> bool:
        """Tell whether code is of the cell."""
        return code.co_filename == self.filename or code.co_filename in self._offsets

    def line(self, code: CodeType, lineno: int | None) -> int | None:
        """Return the line as the editor numbers it; None outside the cell or where unknown."""
        offset = self._offsets.get(code.co_filename)
        return None if lineno is None or offset is None else lineno + offset

    def frames(self, frame: FrameType | None) -> Iterator[FrameType]:
        """Yield the cell's frames from `frame` outwards."""
        return (one for one in callers(frame) if self.holds(one.f_code))

    def calling_line(self) -> int | None:
        """Return the line of the cell that is running now, seen from a function it called."""
        frame = next(self.frames(sys._getframe(1)), None)  # noqa: SLF001 - no public way
        return self.line(frame.f_code, frame.f_lineno) if frame else None

    def calling_span(self) -> Span | None:
        """Return the call expression of the cell that is running now."""
        frame = next(self.frames(sys._getframe(1)), None)  # noqa: SLF001 - no public way
        offset = self._offsets.get(frame.f_code.co_filename) if frame is not None else None
        if frame is None or offset is None:
            return None
        positions = islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)
        line, end_line, column, end_column = next(positions, (None, None, None, None))
        if line is None or end_line is None or column is None or end_column is None:
            return None
        line, end_line = line + offset, end_line + offset
        return Span(
            line,
            self._code_points(line, column),
            end_line,
            self._code_points(end_line, end_column),
        )

    def _code_points(self, line: int, column: int) -> int:
        """Convert a column in UTF-8 bytes, as CPython counts, to code points."""
        lines = self.source.split("\n")
        text = lines[line - 1] if line <= len(lines) else ""
        return len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))

    def function(self, code: CodeType) -> Frame:
        """Return the function of a code object, as it is shown and stored."""
        known = self._functions.get(id(code))
        if known is None:
            known = self._functions[id(code)] = (code, self._function(code))
        return known[1]

    def _function(self, code: CodeType) -> Frame:
        file = self.label(code.co_filename)
        name = CELL_FILE if (file, code.co_name) == (CELL_FILE, "<module>") else code.co_qualname
        return Frame(name, file, self.line(code, code.co_firstlineno) or code.co_firstlineno)

    def label(self, filename: str) -> str:
        """Return a file name fit to be shown and shared."""
        if filename == self.filename or filename in self._offsets:
            return self.shown_file
        if filename in self.other_cells:
            return f"In [{self.other_cells[filename]}]"
        return without_home(_LIBRARY.sub("", filename))
