"""What a row of the table runs, in each of the twins."""

from dataclasses import dataclass
from typing import Any, Literal

Twin = Literal["bare", "profiled"]
PLACE = "# plain"


@dataclass(frozen=True, slots=True)
class Step:
    """A cell, what is typed where it asks, and whether it is interrupted once it has printed.

    Another cell waits in the queue behind one that is `followed`; `pause_s` passes before the
    next. `bare` is the cell of the bare twin where it is not `code` with a comment for the magic.
    """

    code: str
    typed: tuple[str, ...] = ()
    interrupted: bool = False
    followed: bool = True
    pause_s: float = 0.0
    bare: str | None = None

    @property
    def profiled(self) -> bool:
        return "%%mlprof" in self.code

    def text(self, twin: Twin) -> str:
        """Return the cell as the twin gets it."""
        if twin == "profiled":
            return self.code
        return bare(self.code) if self.bare is None else self.bare


@dataclass(frozen=True, slots=True)
class Row:
    """A scenario.

    Rows that leave no state share one pair of kernels; others are `alone` in a fresh one.
    `not_profiled` says why no profile may come, `sentence` what we must say if none does;
    `hottest` is the line that must have most of the time; `needs` are modules and `since` the
    Python it takes.
    """

    name: str
    steps: tuple[Step, ...]
    alone: bool = False
    not_profiled: str | None = None
    sentence: str | None = None
    hottest: int | None = None
    needs: tuple[str, ...] = ()
    since: tuple[int, int] = (3, 11)
    dies: bool = False

    def reason_not_to_run(self, version: tuple[int, int], missing: set[str]) -> str | None:
        """Say why this environment cannot run the row, or None."""
        if version < self.since:
            return f"it takes Python {self.since[0]}.{self.since[1]}"
        lacking = sorted(missing.intersection(self.needs))
        return f"{' and '.join(lacking)} is not installed here" if lacking else None


def one(name: str, code: str, **options: Any) -> Row:
    """Return a row of one cell."""
    return Row(name, (Step(code),), **options)


def bare(code: str) -> str:
    """Return a cell without the magic, every other line at its place.

    A comment stands where the magic stood; another cell magic below it must come first, as in
    a cell that never had ours.
    """
    lines = code.split("\n")
    head = next((number for number, line in enumerate(lines) if _is_code(line)), len(lines))
    kept = []
    for number, line in enumerate(lines):
        if number >= head or not _is_ours(line):
            kept.append(line)
        elif not any(_is_magic(below) for below in lines[number + 1 : head]):
            kept.append(PLACE)
    return "\n".join(kept)


def _is_ours(line: str) -> bool:
    return line.lstrip().startswith("%%mlprof")


def _is_magic(line: str) -> bool:
    return line.startswith("%%") and not _is_ours(line)


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(("#", "%%"))
