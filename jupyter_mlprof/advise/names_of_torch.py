"""How a cell can call torch and what torch.utils.data holds."""

import ast
from collections.abc import Iterator

from jupyter_mlprof.advise.cell_source import masked
from jupyter_mlprof.advise.rule import Clues

DATA = "torch.utils.data"


def prefix(clues: Clues, function: str) -> str | None:
    """Return what to write before a name of torch.utils.data; None where nothing is known to work.

    `function` is how the cell calls DataLoader.
    """
    before, dot, _ = function.rpartition(".")
    if dot:
        return f"{before}."
    found = list(_imports(clues))
    if any(isinstance(one, ast.ImportFrom) and _star(one) for one in found):
        return ""
    plain = (
        alias.name.partition(".")[0]
        for one in found
        if isinstance(one, ast.Import)
        for alias in one.names
        if alias.asname is None
    )
    return f"{DATA}." if "torch" in plain else None


def _star(node: ast.ImportFrom) -> bool:
    return node.module == DATA and any(alias.name == "*" for alias in node.names)


def _imports(clues: Clues) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield what this cell and those before it import."""
    for source in (clues.source, *(cell.source for cell in clues.earlier)):
        text = masked(source)
        flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        tree = compile(text or "", "<cell>", "exec", flags)
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield node


def torch_name(clues: Clues) -> str | None:
    """Return the name that the cell knows torch by, or None."""
    for node in _imports(clues):
        for alias in node.names if isinstance(node, ast.Import) else ():
            if alias.name == "torch" or (alias.asname is None and alias.name.startswith("torch.")):
                return alias.asname or "torch"
    return None
