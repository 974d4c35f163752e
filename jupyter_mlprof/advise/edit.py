"""Smallest edits of the user's text: arguments of a call, set or added in the call's own layout."""

import difflib
import re
from collections.abc import Mapping, Sequence

import libcst as cst

from jupyter_mlprof.advise.calls import code
from jupyter_mlprof.model.finding import Fix, TextEdit
from jupyter_mlprof.model.loader import Span
from jupyter_mlprof.model.source import source_sha256, utf16_offset

_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
_TIGHT = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def set_arguments(
    source: str,
    call: cst.Call,
    place: Span,
    values: Mapping[str, str],
    parameters: Sequence[str],
) -> Fix | None:
    """Return the fix that gives the call these arguments.

    `parameters` are the callee's positional parameters in order. None when the call unpacks
    arguments, so that what it passes cannot be seen, or when its text is not where it should be.
    """
    if any(arg.star for arg in call.args):
        return None
    before = code(call)
    lines = source.split("\n")
    start = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column
    if source[start : start + len(before)] != before:
        return None
    changed = call
    for name, value in values.items():
        changed = _set(changed, name, value, parameters)
    edits = text_edits(source, start, before, code(changed))
    return Fix(source_sha256(source), edits)


def argument(call: cst.Call, name: str, parameters: Sequence[str]) -> int | None:
    """Return the index of the argument for a parameter, or None when it is not given."""
    for index, arg in enumerate(call.args):
        if arg.keyword is not None and arg.keyword.value == name:
            return index
        if arg.keyword is None and index < len(parameters) and parameters[index] == name:
            return index
    return None


def _set(call: cst.Call, name: str, value: str, parameters: Sequence[str]) -> cst.Call:
    index = argument(call, name, parameters)
    args = list(call.args)
    if index is None:
        return call.with_changes(args=_appended(call, name, value))
    args[index] = args[index].with_changes(value=cst.parse_expression(value))
    return call.with_changes(args=args)


def _appended(call: cst.Call, name: str, value: str) -> list[cst.Arg]:
    """Add a keyword argument as the call lays out its others: on a line of its own, or not."""
    args = list(call.args)
    new = cst.Arg(cst.parse_expression(value), keyword=cst.Name(name), equal=_TIGHT)
    if not args:
        return [new]
    last = args[-1]
    between = _separator(call)
    if isinstance(last.comma, cst.Comma):
        after = last.comma.whitespace_after
        new = new.with_changes(comma=last.comma.with_changes(whitespace_after=_plain(after)))
    else:
        after = last.whitespace_after_arg
        new = new.with_changes(whitespace_after_arg=_plain(after))
    comma = cst.Comma(whitespace_after=_with_comment_of(between, after))
    args[-1] = last.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace(""))
    return [*args, new]


def _separator(call: cst.Call) -> cst.BaseParenthesizableWhitespace:
    """Return what stands between the call's arguments."""
    if len(call.args) > 1:
        comma = call.args[-2].comma
        if isinstance(comma, cst.Comma):
            return _plain(comma.whitespace_after)
    if isinstance(call.whitespace_before_args, cst.ParenthesizedWhitespace):
        return _plain(call.whitespace_before_args)
    return cst.SimpleWhitespace(" ")


def _plain(space: cst.BaseParenthesizableWhitespace) -> cst.BaseParenthesizableWhitespace:
    """Return the whitespace without its comments."""
    if not isinstance(space, cst.ParenthesizedWhitespace):
        return space
    return space.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=[])


def _with_comment_of(
    space: cst.BaseParenthesizableWhitespace, original: cst.BaseParenthesizableWhitespace
) -> cst.BaseParenthesizableWhitespace:
    """Leave the comment behind the last argument where it was."""
    if not isinstance(original, cst.ParenthesizedWhitespace) or original.first_line.comment is None:
        return space
    if isinstance(space, cst.ParenthesizedWhitespace):
        return space.with_changes(first_line=original.first_line)
    return original


def text_edits(text: str, start: int, before: str, after: str) -> tuple[TextEdit, ...]:
    """Return the edits that turn `before`, which stands at index `start`, into `after`."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    edits: list[TextEdit] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            begin = start + sum(map(len, old[:i1]))
            end = begin + sum(map(len, old[i1:i2]))
            edits.append(
                TextEdit(utf16_offset(text, begin), utf16_offset(text, end), "".join(new[j1:j2]))
            )
    return tuple(edits)
