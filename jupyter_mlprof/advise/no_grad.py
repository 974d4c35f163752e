"""Where a cell infers without gradients, and autocast put beside that."""

import ast
from collections.abc import Iterator

from jupyter_mlprof.model.finding import Fix, TextEdit
from jupyter_mlprof.model.source import source_sha256, utf16_offset

NO_GRAD = frozenset({"no_grad", "inference_mode"})


def beside_no_grad(source: str, tree: ast.Module, context: str) -> Fix | None:
    """Return the fix that adds the context to each `with torch.no_grad()` and each decorator."""
    edits = sorted(_edits(source, tree, context), key=lambda edit: edit.start)
    return Fix(source_sha256(source), tuple(edits)) if edits else None


def _edits(source: str, tree: ast.Module, context: str) -> Iterator[TextEdit]:
    for node in ast.walk(tree):
        if isinstance(node, ast.With):
            items = [item.context_expr for item in node.items]
            plain = node.items[-1].optional_vars is None
            if plain and any(map(_is_no_grad, items)):
                yield _insertion(source, items[-1], f", {context}")
        elif isinstance(node, ast.FunctionDef):
            for decorator in filter(_is_no_grad, node.decorator_list):
                indent = " " * node.col_offset
                yield _insertion(source, decorator, f"\n{indent}@{context}")


def _is_no_grad(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return getattr(node.func, "attr", getattr(node.func, "id", "")) in NO_GRAD


def _insertion(source: str, node: ast.expr, text: str) -> TextEdit:
    """Insert behind an expression, whose columns are bytes of UTF-8."""
    lines = source.split("\n")
    line, column = node.end_lineno or 1, node.end_col_offset or 0
    before = lines[line - 1].encode()[:column].decode()
    at = sum(len(one) + 1 for one in lines[: line - 1]) + len(before)
    return TextEdit(utf16_offset(source, at), utf16_offset(source, at), text)
