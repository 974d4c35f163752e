"""The cell as Python: a copy in which IPython's own syntax is blanked at equal length."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_mlprof.model.source import normalized

# A magic or shell command that stands alone, or is assigned: `%time x`, `files = !ls`.
_ESCAPED = re.compile(r"^(\s*(?:[\w.,\s]+=\s*)?)([%!].*|.*\?{1,2}\s*)$")
# Cell magics whose body is Python.
_PYTHON_BODY = frozenset({"%%mlprof", "%%time", "%%timeit", "%%capture", "%%prun"})


@dataclass(frozen=True, slots=True)
class EarlierCell:
    """A cell that ran before, with its execution count."""

    execution_count: int
    source: str


def masked(source: str) -> str | None:
    """Return the source as Python of the same length, or None when the cell is not Python."""
    lines = normalized(source).split("\n")
    for number, line in enumerate(lines):
        if line.startswith("%%"):
            if line.split()[0] not in _PYTHON_BODY:
                return None
            lines[number] = " " * len(line)
        elif line.strip() and not line.lstrip().startswith("#"):
            break
    text = "\n".join(lines)
    if _parses(text):
        return text
    text = "\n".join(_blank(line) for line in lines)
    return text if _parses(text) else None


def _blank(line: str) -> str:
    """Replace IPython syntax by `0`, which stands wherever an expression does."""
    found = _ESCAPED.match(line)
    return f"{found[1]}{'0':<{len(found[2])}}" if found else line


def _parses(text: str) -> bool:
    try:
        compile(text, "<cell>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def find_assignment(cells: Sequence[EarlierCell], name: str) -> tuple[EarlierCell, int] | None:
    """Return the newest cell, and its line, that assigned a call to the variable."""
    for cell in cells:
        text = masked(cell.source)
        tree = ast.parse(text) if text is not None and "await" not in text else ast.Module([], [])
        for node in reversed(list(ast.walk(tree))):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = {
                    one.id for top in targets for one in ast.walk(top) if isinstance(one, ast.Name)
                }
                if name in names and any(isinstance(one, ast.Call) for one in ast.walk(node.value)):
                    return cell, node.lineno
    return None
