"""The change of a fix, as the lines that go and those that come."""

import difflib
from dataclasses import dataclass

from jupyter_mlprof.model.finding import Fix
from jupyter_mlprof.model.source import apply_edits, normalized, source_sha256


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A line that is removed (`-`, numbered as before) or added (`+`, numbered as after)."""

    sign: str
    line: int
    text: str


def fix_diff(source: str, fix: Fix | None) -> list[DiffRow]:
    """Return the changed lines of the cell; none when the fix does not fit this source."""
    if fix is None or source_sha256(source) != fix.source_sha256:
        return []
    try:
        changed = apply_edits(source, fix.edits)
    except ValueError:
        return []
    before, after = normalized(source).split("\n"), changed.split("\n")
    rows: list[DiffRow] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            rows += [DiffRow("-", i + 1, before[i]) for i in range(i1, i2)]
            rows += [DiffRow("+", j + 1, after[j]) for j in range(j1, j2)]
    return rows
