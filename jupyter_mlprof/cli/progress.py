"""How far a run of a notebook is: one line that is rewritten on a terminal, else a line a cell."""

from __future__ import annotations

import contextlib
import shutil
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TextIO

from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.title import title

if TYPE_CHECKING:
    from collections.abc import Iterator

BAR = 20
# A carriage return, and what clears the line from there.
AGAIN = "\r\x1b[K"


class Progress(Protocol):
    """Hears how far a run is."""

    def begins(self, cell: int, cells: int, source: str) -> None:
        """Hear that a cell begins, counted from 1, of so many."""

    def tick(self) -> None:
        """Hear that time passes."""


@dataclass
class Lines:
    """A line for each cell."""

    stream: TextIO

    def begins(self, cell: int, cells: int, source: str) -> None:
        self.stream.write(f"cell {cell} of {cells}\n")
        self.stream.flush()

    def tick(self) -> None:
        """Say nothing more."""


@dataclass
class Bar:
    """One line, rewritten: how many cells are done, the time since the start, the cell's code."""

    stream: TextIO
    started: float = field(default_factory=time.monotonic)
    cell: int = 0
    cells: int = 0
    title: str = ""

    def begins(self, cell: int, cells: int, source: str) -> None:
        self.cell, self.cells, self.title = cell, cells, printable(title(source))
        self.tick()

    def tick(self) -> None:
        if self.cells:
            self.stream.write(AGAIN + self.text(shutil.get_terminal_size().columns - 1))
            self.stream.flush()

    def text(self, width: int) -> str:
        """Return the line, cut to the width."""
        done = BAR * (self.cell - 1) // self.cells
        elapsed = numbers.seconds(round(time.monotonic() - self.started))
        bar = "#" * done + "." * (BAR - done)
        return f"[{bar}] cell {self.cell} of {self.cells}  {elapsed}  {self.title}"[:width].rstrip()

    def clear(self) -> None:
        """Leave an empty line behind."""
        self.stream.write(AGAIN)
        self.stream.flush()


def printable(text: str) -> str:
    """Leave out what would steer the terminal."""
    return "".join(one for one in text if one.isprintable())


@contextlib.contextmanager
def progress(stream: TextIO) -> Iterator[Progress]:
    """Tell on a stream how far a run is."""
    if not stream.isatty():
        yield Lines(stream)
        return
    bar = Bar(stream)
    try:
        yield bar
    finally:
        bar.clear()
