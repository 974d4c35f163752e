"""Cutting profiles out of a notebook's text: ours go, and every other byte stays."""

import json
from random import Random
from typing import Any

import nbformat
import pytest

from jupyter_mlprof.model.profile import MIME_TYPE
from jupyter_mlprof.notebook_file import NotebookError
from jupyter_mlprof.strip import stripped
from tests.layouts import Layout

OURS = {
    "output_type": "display_data",
    "metadata": {},
    "data": {MIME_TYPE: {"id": "1", "cells": [], "outputs": [{"data": {}}]}, "text/plain": "x"},
}
# They look like ours in one way or another.
OTHERS = [
    {"output_type": "stream", "name": "stdout", "text": [f"{MIME_TYPE}\n", '"outputs": [{}]\\']},
    {
        "output_type": "display_data",
        "metadata": {MIME_TYPE: {}},
        "data": {"text/plain": "}],é\ud800"},
    },
    {"output_type": "error", "ename": "E", "evalue": '",{"', "traceback": []},
    {"output_type": "execute_result", "metadata": {}, "data": {}, "execution_count": 1},
]


def made(random):
    """Return a notebook with any outputs."""
    cells = []
    for number in range(random.randrange(5)):
        cell: dict[str, Any] = {
            "cell_type": "code",
            "id": f"c{number}",
            "source": ['"outputs": [', "\\"],
        }
        count = random.choice([0, 0, 1, 2, 5])
        cell["outputs"] = [random.choice([OURS, OURS, *OTHERS]) for _ in range(count)]
        cell["metadata"] = {"outputs": [OURS], "cells": []}
        if random.random() < 0.3:
            cell = {"cell_type": "markdown", "source": "text", "metadata": {"outputs": [OURS]}}
        cells.append(dict(random.sample(list(cell.items()), len(cell))))
    whole = {"metadata": {"cells": [{"outputs": [OURS]}]}, "cells": cells, "nbformat": 4}
    return {**dict(random.sample(list(whole.items()), 3)), "nbformat_minor": 5}


def value(content):
    return json.loads(content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogatepass"))


def without(notebook):
    """Return what is to be left, worked out on the value."""
    expected = json.loads(json.dumps(notebook))
    for cell in expected["cells"]:
        if "outputs" in cell:
            cell["outputs"] = [
                one for one in cell["outputs"] if MIME_TYPE not in one.get("data", {})
            ]
    return expected


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(byte in rest for byte in part)


@pytest.mark.parametrize("seeds", [range(start, start + 100) for start in range(0, 1_000, 100)])
def test_in_any_layout_exactly_our_outputs_go(seeds):
    cut_some = 0
    for seed in seeds:
        random = Random(seed)  # noqa: S311 - the same each time
        notebook = made(random)
        content = Layout(random).file(notebook)
        clean, count = stripped(content, "a notebook")
        expected = without(notebook)
        assert value(clean) == expected, seed
        assert (clean == content) == (count == 0) == (expected == notebook), seed
        assert is_subsequence(clean, content), seed
        assert stripped(clean, "a notebook") == (clean, 0), seed
        cut_some += count > 0
    assert 20 < cut_some < 100


def test_what_is_left_is_as_nbformat_writes_it():
    cell = nbformat.v4.new_code_cell("1", outputs=[nbformat.from_dict(one) for one in [OURS, OURS]])
    other = nbformat.v4.new_code_cell(
        "2", outputs=[nbformat.from_dict(one) for one in [OTHERS[3], OURS]]
    )
    notebook = nbformat.v4.new_notebook(cells=[cell, other])
    content = nbformat.writes(notebook).encode()
    cell.outputs, other.outputs = [], other.outputs[:1]
    assert stripped(content, "one")[0] == nbformat.writes(notebook).encode()


@pytest.mark.parametrize(
    ("outputs", "left"),
    [
        ("[ {O} ]", "[]"),
        ("[\n{O}\n, {O}]", "[]"),
        ("[ {O} , 1 ]", None),
        ("[ {A} ,\n{O} ]", "[ {A} ]"),
        ("[ {O},\t{A} ]", "[ {A} ]"),
        ("[{A} , {O}  ,   {A}]", "[{A}  ,   {A}]"),
        ("[{O},{A},{O},{O}, {A} ]", "[{A}, {A} ]"),
    ],
)
def test_commas_and_spaces_go_with_an_output(outputs, left):
    def filled(text):
        text = text.replace("{O}", json.dumps(OURS)).replace("{A}", json.dumps(OTHERS[3]))
        head = '{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": '
        return f"{head}{text}}}]}}".encode()

    if left is None:
        with pytest.raises(NotebookError):
            stripped(filled(outputs), "one")
    else:
        assert stripped(filled(outputs), "one")[0] == filled(left)


def test_what_is_named_twice_is_cut_twice():
    cell = (
        f'{{"cell_type": "code", "outputs": [{json.dumps(OURS)}], "outputs": [{json.dumps(OURS)}]}}'
    )
    content = f'{{"cells": 3, "cells": {{"a": 1}}, "cells": [{cell}], "nbformat": 4}}'.encode()
    clean, count = stripped(content, "one")
    assert count == 2
    assert clean.count(b'"outputs": []') == 2
    assert value(clean)["cells"] == [{"cell_type": "code", "outputs": []}]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"nbformat": 3, "worksheets": []}',
        b'{"nbformat": 4, "cells": {}}',
        b'{"nbformat": 4, "cells": [1]}',
        "{}".encode("utf-16"),
        b'{"nbformat": 4, "cells": [], "metadata": {"a": "\xff"}}',
        b"[" * 100_000,
        b'{"nbformat": 4, "cells": [], "metadata": ' + b'{"a":' * 150 + b"1" + b"}" * 151,
    ],
)
def test_what_is_no_notebook_is_refused(content):
    with pytest.raises(NotebookError, match=r"^one is .*\.$"):
        stripped(content, "one")
