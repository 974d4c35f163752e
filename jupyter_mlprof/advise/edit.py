"""Smallest edits of the user's text: arguments of a call, set or added in the call's own layout."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from jupyter_mlprof.advise.calls import code
from jupyter_mlprof.model.finding import Fix, TextEdit
from jupyter_mlprof.model.loader import Span
from jupyter_mlprof.model.source import normalized, source_sha256, utf16_offset


@dataclass(frozen=True, slots=True)
class _Written:
    """Where an argument stands in the text of its call; its value without the brackets around."""

    start: int
    value_start: int
    value_end: int
    end: int
    comma_end: int | None
    bare_generator: bool


# Replace [start, end) of the call's text.
_Change = tuple[int, int, str]


def set_arguments(
    source: str,
    call: cst.Call,
    place: Span,
    values: Mapping[str, str],
    parameters: Sequence[str],
) -> Fix | None:
    """Return the fix that gives the call these arguments.

    `parameters` are the callee's positional parameters in order. None when the call unpacks
    arguments, so that what it passes cannot be seen, when its text is not where it should be, or
    when a value to replace holds more than a value.
    """
    source = normalized(source)
    start = _index(source, place.line, place.column)
    text = source[start : _index(source, place.end_line, place.end_column)]
    written = _written(text, call)
    if written is None:
        return None
    changes: list[_Change] = []
    added: list[str] = []
    for name, value in values.items():
        index = argument(call, name, parameters)
        if index is None:
            added.append(f"{name}={value}")
        elif _replaceable(text, written[index]):
            changes.append((written[index].value_start, written[index].value_end, value))
        else:
            return None
    changes += _additions(text, written[-1] if written else None, added)
    return Fix(source_sha256(source), _edits(source, start, text, changes))


def argument(call: cst.Call, name: str, parameters: Sequence[str]) -> int | None:
    """Return the index of the argument for a parameter, or None when it is not given."""
    for index, arg in enumerate(call.args):
        if arg.keyword is not None and arg.keyword.value == name:
            return index
        if arg.keyword is None and index < len(parameters) and parameters[index] == name:
            return index
    return None


def _index(source: str, line: int, column: int) -> int:
    """Return the index in the source of a place in it."""
    return sum(len(one) + 1 for one in source.split("\n")[: line - 1]) + column


def _written(text: str, call: cst.Call) -> Sequence[_Written] | None:
    """Return where the call's arguments stand in its text, or None when that is in doubt."""
    if any(arg.star for arg in call.args):
        return None
    # The text is parsed by itself: within a block, LibCST keeps the indentation elsewhere. The
    # brackets are for `(torch\n.DataLoader(ds))`, whose own are not part of its text.
    try:
        parsed = cst.parse_expression(f"({text})")
    except cst.ParserSyntaxError:
        return None
    if not isinstance(parsed, cst.Call) or len(parsed.args) != len(call.args):
        return None
    return tuple(_arguments(parsed))


def _arguments(call: cst.Call) -> Iterator[_Written]:
    opening = code(call.func) + code(call.whitespace_after_func) + "("
    start = len(opening) + len(code(call.whitespace_before_args))
    for arg in call.args:
        yield _argument(arg, start)
        start += len(code(arg))


def _argument(arg: cst.Arg, start: int) -> _Written:
    value = arg.value
    bare = arg.with_changes(
        comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=cst.SimpleWhitespace("")
    )
    end = start + len(code(bare))
    comma = arg.comma
    return _Written(
        start=start,
        value_start=end - len(code(value)) + sum(len(code(bracket)) for bracket in value.lpar),
        value_end=end - sum(len(code(bracket)) for bracket in value.rpar),
        end=end,
        comma_end=end + len(code(comma.whitespace_before)) + 1
        if isinstance(comma, cst.Comma)
        else None,
        bare_generator=isinstance(value, cst.GeneratorExp) and not value.lpar,
    )


def _replaceable(text: str, old: _Written) -> bool:
    """Return whether nothing is lost with the old value: no comment, no name that it binds."""
    value = text[old.value_start : old.value_end]
    return "#" not in value and ":=" not in value


def _additions(text: str, last: _Written | None, added: Sequence[str]) -> list[_Change]:
    """Add arguments behind the last one: on lines of their own if it has one, or beside it."""
    if not added:
        return []
    if last is None:
        return [_insertion(len(text) - 1, ", ".join(added))]
    indent = _indent(text, last.start)
    gap = " " if indent is None else f"\n{indent}"
    new = gap + f",{gap}".join(added)
    if last.comma_end is not None:
        at = last.comma_end if indent is None else _behind_comment(text, last.comma_end)
        return [_insertion(at, f"{new},")]
    changes = []
    comma = ","
    if last.bare_generator:  # which may be without brackets only as the sole argument
        changes.append(_insertion(last.start, "("))
        comma = "),"
    at = last.end if indent is None else _behind_comment(text, last.end)
    if at == last.end:
        return [*changes, _insertion(at, comma + new)]
    return [*changes, _insertion(last.end, comma), _insertion(at, new)]


def _insertion(at: int, new: str) -> _Change:
    return at, at, new


def _indent(text: str, start: int) -> str | None:
    """Return what indents an argument that begins a line of the call, or None."""
    _, newline, before = text[:start].rpartition("\n")
    return before if newline and not before.strip() else None


def _behind_comment(text: str, end: int) -> int:
    """Return the end of the line if a comment follows there, else `end`."""
    rest = text[end:].partition("\n")[0]
    return end + len(rest) if "#" in rest else end


def _edits(source: str, start: int, text: str, changes: Sequence[_Change]) -> tuple[TextEdit, ...]:
    """Return the changes of the text at `start`, less those that change nothing, as edits."""
    return tuple(
        TextEdit(utf16_offset(source, start + begin), utf16_offset(source, start + end), new)
        for begin, end, new in sorted(changes)
        if text[begin:end] != new
    )
