"""The change of a fix, as a short diff of the cell."""

import difflib

from jupyter_mlprof.model.finding import Fix
from jupyter_mlprof.model.source import apply_edits, normalized, source_sha256


def fix_diff(source: str, fix: Fix | None, context: int = 1) -> list[str]:
    """Return diff lines, each beginning with `-`, `+` or a space; empty when it cannot be drawn."""
    if fix is None or source_sha256(source) != fix.source_sha256:
        return []
    try:
        changed = apply_edits(source, fix.edits)
    except ValueError:
        return []
    before, after = normalized(source).split("\n"), changed.split("\n")
    lines = list(difflib.unified_diff(before, after, lineterm="", n=context))[2:]
    return [line for line in lines if not line.startswith("@@")]
