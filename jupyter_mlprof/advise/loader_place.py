"""Where a DataLoader is built, in words."""

from jupyter_mlprof.advise.cell_source import find_assignment
from jupyter_mlprof.advise.rule import Clues
from jupyter_mlprof.model.loader import LoaderUse

SHOWN = 80


def place(clues: Clues, use: LoaderUse) -> str:
    """Return a clause such as "the DataLoader that is built in line 2 (`loader = ...`)"."""
    if use.built is not None:
        text = quoted(clues.source, use.built.line)
        return f"the DataLoader that is built in line {use.built.line}{text}"
    found = find_assignment(clues.earlier, use.name) if use.name else None
    if found is None:
        return "this DataLoader, where it is built,"
    cell, line = found
    text = quoted(cell.source, line)
    return f"the DataLoader of In [{cell.execution_count}], line {line}{text}"


def quoted(source: str, line: int) -> str:
    """Return a line's text in brackets, or nothing where the source was left out."""
    lines = source.split("\n")
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return f" (`{text[:SHOWN]}`)" if text else ""
