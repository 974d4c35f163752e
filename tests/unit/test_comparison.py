"""Two profiles held against each other."""

from dataclasses import replace

import pytest

import jupyter_mlprof as mlprof
from jupyter_mlprof.cli import main
from jupyter_mlprof.model.functions import FunctionTime
from tests.samples import profile


@pytest.fixture
def before():
    return replace(
        profile(),
        name="train",
        duration_s=10.0,
        functions=(
            FunctionTime("slow", "<cell>", 2, 8.0, 8.0),
            FunctionTime("same", "<cell>", 5, 1.0, 1.0),
        ),
    )


@pytest.fixture
def after(before):
    functions = (
        FunctionTime("quick", "<cell>", 2, 3.0, 3.0),
        FunctionTime("same", "<cell>", 6, 1.0, 1.0),
    )
    return replace(before, id="0" * 32, duration_s=4.0, functions=functions)


def test_it_says_what_changed(before, after):
    told = mlprof.compare(before, after)
    assert told.speedup == 2.5
    assert str(told).startswith("train: 2.5x faster: 10 s before, 4 s after.")
    assert "in slow" in str(told)
    assert "in quick" in str(told)
    assert "in same" not in str(told)


def test_a_small_difference_is_none(before):
    told = str(mlprof.compare(before, replace(before, duration_s=10.4)))
    assert "no difference that one run of each would show" in told


@pytest.fixture
def files(before, after, tmp_path):
    """Two files, the slower cell in the second."""
    paths = [tmp_path / "a.mlprof.json", tmp_path / "b.mlprof.json"]
    after.save(paths[0])
    before.save(paths[1])
    return [str(path) for path in paths]


@pytest.mark.parametrize(("limit", "code"), [("10%", 1), ("200", 0), (None, 0)])
def test_the_command_fails_where_a_cell_is_slower(files, capsys, limit, code):
    given = ["--fail-if-slower", limit] if limit else []
    assert main(["diff", *files, *given]) == code
    printed = capsys.readouterr()
    assert "2.5x slower" in printed.out
    assert ("150 % slower" in printed.err) == bool(code)


def test_no_percentage_is_misuse(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["diff", "a", "b", "--fail-if-slower", "much"])
    assert ended.value.code == 2
    assert "'much' is no percentage" in capsys.readouterr().err


def test_control_characters_are_written_out(before, after):
    told = str(mlprof.compare(before, replace(after, name="a\x1b[2Jb")))
    assert "\x1b" not in told
