"""The calls of a cell, found with LibCST, which keeps the text as it was written."""

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


def call_at(source: str, span: Span, name: str) -> tuple[cst.Call, Span] | None:
    """Return the call of `name` at a span, or the only one on the span's first line."""
    named = [(call, place) for call, place in calls(source) if called(call) == name]
    near = []
    for call, place in named:
        if place == span:
            return call, place
        if place.line <= span.line <= place.end_line:
            near.append((call, place))
    return near[0] if len(near) == 1 else None
