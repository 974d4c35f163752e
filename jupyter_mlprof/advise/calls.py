"""The calls of a cell, found with LibCST, which keeps the text as it was written."""

import ast
from collections import defaultdict
from collections.abc import Iterator

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from jupyter_mlprof.advise.cell_source import masked
from jupyter_mlprof.model.loader import Span


def code(node: cst.CSTNode) -> str:
    """Return the text of a node."""
    return cst.Module([]).code_for_node(node)


def called(call: cst.Call) -> str:
    """Return the last name of what is called: DataLoader for torch.utils.data.DataLoader(...)."""
    function = call.func
    if isinstance(function, cst.Attribute):
        return function.attr.value
    return function.value if isinstance(function, cst.Name) else ""


def calls(source: str) -> Iterator[tuple[cst.Call, Span]]:
    """Yield the calls of a cell with their spans; none when the cell is not Python."""
    text = masked(source)
    if text is None:
        return
    try:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    except (cst.ParserSyntaxError, RecursionError):
        return
    for node, place in wrapper.resolve(PositionProvider).items():
        if isinstance(node, cst.Call):
            yield node, _span(place)


def _span(place: CodeRange) -> Span:
    return Span(place.start.line, place.start.column, place.end.line, place.end.column)


def call_at(
    source: str, span: Span, name: str, *, known: bool = False
) -> tuple[cst.Call, Span] | None:
    """Return the call that constructs the class `name`: at a span, or alone on its first line.

    At the span itself the class may go by another name that the cell gives it; with `known`, the
    caller knows that the call there is such a call, whatever it is called.
    """
    found = list(calls(source))
    for call, place in found:
        if place == span:
            return (call, place) if known or _constructs(source, call, place, name) else None
    near = [
        (call, place)
        for call, place in found
        if called(call) == name and place.line <= span.line <= place.end_line
    ]
    return near[0] if len(near) == 1 else None


def _constructs(source: str, call: cst.Call, place: Span, name: str) -> bool:
    """Return whether the call is plausibly one of the class `name`, as far as the cell shows."""
    if called(call) == name:
        return True
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree = compile(masked(source) or "", "<cell>", "exec", flags)
    names = _names(tree, name)
    if code(call.func) == "super().__init__":
        return _base_around(tree, place.line) in names
    return isinstance(call.func, cst.Name) and call.func.value in names


def _names(tree: ast.AST, name: str) -> set[str]:
    """Return the names that mean the class `name`, or one built like it, wherever bound."""
    meanings = defaultdict(set)
    for bound, meaning in _bindings(tree):
        meanings[bound].add(meaning)
    names = {name}
    while more := {bound for bound, means in meanings.items() if means <= names} - names:
        names |= more
    return names


def _bindings(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield each name that is bound, with the name of the class that it then means, or ''."""
    plain: dict[ast.expr, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                plain.update(dict.fromkeys(targets, _last_name(value)))
            case ast.Name(id=bound, ctx=ast.Store()):
                yield bound, plain.get(node, "")
            case ast.alias(name=imported, asname=bound):
                yield bound or imported, imported
            case ast.ClassDef(name=bound):
                yield bound, "" if _built_otherwise(node) else _base(node)
            case ast.arg(arg=bound):
                yield bound, ""
            case _ if isinstance(bound := getattr(node, "name", None), str):
                yield bound, ""  # a function, an exception, what a pattern captures


def _last_name(node: ast.expr) -> str:
    """Return C for C, module.C and C[int]."""
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _base(node: ast.ClassDef) -> str:
    """Return the name of a class's only base, or ''."""
    return _last_name(node.bases[0]) if len(node.bases) == 1 else ""


def _built_otherwise(node: ast.ClassDef) -> bool:
    """Return whether calling the class may take other arguments than calling its base."""
    named = {getattr(one, "name", getattr(one, "id", None)) for one in ast.walk(node)}
    return bool(node.decorator_list or node.keywords or named & {"__init__", "__new__"})


def _base_around(tree: ast.AST, line: int) -> str:
    """Return the name of the only base of the innermost class around a line, or ''."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return _base(max(around, key=lambda node: node.lineno)) if around else ""
