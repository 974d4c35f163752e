"""Lines of a cell are the editor's, whatever compiles and runs them."""

import asyncio

import pytest

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.frames import awaiting
from jupyter_mlprof.model.cell_magics import CellMagics
from jupyter_mlprof.notebook.magic_line import find_in_cell


@pytest.mark.parametrize(
    ("source", "others", "above"),
    [
        ("x = 1", [], 0),
        ("%%mlprof\nx = 1", [], 0),
        ("%%mlprof\n%%time\nx = 1", ["time"], 2),
        ("%%mlprof -n a\n%%timeit -n 1\n\n\nx = 1", ["timeit"], 4),
        ("%%time\n%%mlprof\nx = 1", ["time"], 1),
        ("%%capture out\n%%time\n# about\n%%mlprof\nx = 1", ["capture", "time"], 2),
        ("%%mlprof\nx = '''\n%%time\n'''", [], 0),
    ],
)
def test_the_head_is_read(source, others, above):
    magics = CellMagics(source)
    assert (magics.others, magics.lines_above) == (others, above)


def code_of(filename, text="x = 1"):
    return compile(text, filename, "exec")


def test_lines_of_a_plain_cell():
    cell = CellCode("\n\n%%mlprof\nx = 1", "cell.py", 0, line_offset=2)
    assert cell.line(code_of("cell.py"), 2) == 4
    assert cell.line(code_of("<timed exec>"), 2) is None
    assert cell.line(code_of("cell.py"), None) is None


def test_lines_of_what_time_runs():
    cell = CellCode("%%mlprof\n%%time\nx = 1", "cell.py", 0)
    assert cell.line(code_of("<timed exec>"), 1) == 3
    assert cell.line(code_of("cell.py"), 1) is None
    assert cell.holds(code_of("cell.py"))
    assert cell.function(code_of("<timed exec>")).name == "<cell>"


def test_lines_of_what_capture_runs():
    cell = CellCode("%%mlprof\n%%capture out\n\nx = 1\n", "cell.py", 0)
    cell.adopt("inner.py", "\nx = 1\n")
    cell.adopt("foreign.py", "y = 2")
    assert cell.line(code_of("inner.py"), 1) == 4
    assert cell.line(code_of("foreign.py"), 1) is None


def test_a_plain_cell_adopts_nothing():
    cell = CellCode("%%mlprof\nget_ipython().run_cell('x = 1')\nx = 1", "cell.py", 0)
    cell.adopt("inner.py", "x = 1")
    assert cell.line(code_of("inner.py"), 1) is None


@pytest.mark.parametrize(
    ("cell", "indexes"),
    [
        ("%%time\n%%mlprof\nx", (1,)),
        ("%%capture out\n%%time\n\n# so\n%%mlprof\nx", (4,)),
        ("# so\n%%mlprof\n%%time\nx", (1,)),
        ("%%writefile f.py\n%%mlprof\nx", None),
        ("%%time\nx\n%%mlprof", None),
        ("%%time\n%%mlprof --nonsense\nx", None),
    ],
)
def test_the_magic_may_stand_below_others_that_run_python(cell, indexes):
    found = find_in_cell(cell.splitlines(keepends=True))
    assert (found and found.indexes) == indexes


def test_frames_of_a_coroutine_that_waits():
    async def inner():
        await asyncio.sleep(10)

    async def outer():
        await inner()

    async def main():
        coroutine = outer()
        task = asyncio.ensure_future(coroutine)
        await asyncio.sleep(0)
        names = [frame.f_code.co_name for frame in awaiting(coroutine)]
        task.cancel()
        return names

    assert asyncio.run(main()) == ["sleep", "inner", "outer"]
    assert awaiting(None) == []
