"""Whole lines of a cell put into a block of their own, such as a `with`."""

import ast
from collections.abc import Iterator, Sequence

from jupyter_mlprof.advise.loss_block import Block
from jupyter_mlprof.model.finding import Fix, TextEdit
from jupyter_mlprof.model.source import source_sha256, utf16_offset


def put_under(source: str, tree: ast.Module, blocks: Sequence[Block], header: str) -> Fix | None:
    """Return the fix that indents the blocks under the header, which ends in a colon.

    None where a line holds more than the block, or a string that goes over lines.
    """
    lines = source.split("\n")
    if any(not _indentable(lines, tree, block) for block in blocks):
        return None
    edits = [edit for block in blocks for edit in _edits(source, lines, block, header)]
    return Fix(source_sha256(source), tuple(edits))


def _indentable(lines: Sequence[str], tree: ast.Module, block: Block) -> bool:
    if lines[block.first - 1][: block.column].strip() or block.column <= block.outer:
        return False
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt | ast.JoinedStr | ast.Constant):
            continue
        first, last = node.lineno, node.end_lineno or node.lineno
        if not isinstance(node, ast.stmt):
            if first < last and first <= block.last and last >= block.first:
                return False  # indenting would change a string
        elif first == block.last and node.col_offset >= block.end_column:
            return False  # another statement behind it
    return True


def _edits(source: str, lines: Sequence[str], block: Block, header: str) -> Iterator[TextEdit]:
    outer = lines[block.first - 1][: block.column]
    unit = outer[block.outer :]
    at = sum(len(line) + 1 for line in lines[: block.first - 1])
    for number in range(block.first - 1, block.last):
        line = lines[number]
        text = f"{outer}{header}\n{unit}" if number == block.first - 1 else unit
        if line.strip():
            yield TextEdit(utf16_offset(source, at), utf16_offset(source, at), text)
        at += len(line) + 1
