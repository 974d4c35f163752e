"""The head of a cell, and its options."""

import pytest

from jupyter_mlprof.notebook.magic_line import blank, find
from jupyter_mlprof.notebook.options import OptionError, Options, parse


def lines(cell):
    return cell.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("cell", "becomes"),
    [
        ("%%mlprof\nx = 1\n", "\nx = 1\n"),
        ("%%mlprof -n a --quiet\nx = 1\n", "\nx = 1\n"),
        ("# why\n\n%%mlprof\nx = 1\n", "# why\n\n\nx = 1\n"),
        ("%%mlprof\n%%mlprof -n inner\nx\n", "\n\nx\n"),
        ("%%mlprof\n\n%%time\nx\n", "\n%%time\nx\n"),
        ("%%mlprof", "\n"),
        ("x = 1\n%%mlprof\n", "x = 1\n%%mlprof\n"),
        ("%%mlprofile\nx\n", "%%mlprofile\nx\n"),
        ("%%mlprof --nonsense\nx\n", "%%mlprof --nonsense\nx\n"),
        ("%mlprof x\n", "%mlprof x\n"),
        ("", ""),
        ("%%mlprof\n    q = 1\n    q\n", "\nq = 1\nq\n"),
        ("%%mlprof\n\n    if q:\n      q\n\n", "\n\nif q:\n  q\n\n"),
        ("# why\n%%mlprof\n    q\n", "# why\n\n    q\n"),
        ("%%mlprof\n    %%time\n    x\n", "%%time\nx\n"),
        ("%%mlprof\n>>> for x in y:\n...     x\n", "\nfor x in y:\n    x\n"),
        ("%%mlprof\n\n    In [1]: x\n       ...: y\n", "\n\nx\ny\n"),
    ],
)
def test_the_line_is_blanked(cell, becomes):
    assert "".join(blank(lines(cell))) == becomes


def test_the_outer_of_several_holds():
    found = find(lines("%%mlprof -n outer\n%%mlprof -n inner\n"))
    assert found is not None
    assert found.options.name == "outer"


def test_options_are_read():
    assert parse("-n 'two words' --no-source -o p  # note") == Options(
        name="two words", no_source=True, output="p"
    )
    assert parse("") == Options()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("--nonsense", "unrecognized arguments: --nonsense"),
        ("-n", "expected one argument"),
        ("-o 2x", "-o needs the name of a variable, not '2x'"),
        ("-n 'open", "No closing quotation"),
        ("stray", "unrecognized arguments: stray"),
        ("--qui", "unrecognized arguments: --qui"),
    ],
)
def test_wrong_options_are_told_in_a_sentence(line, says):
    with pytest.raises(OptionError, match=says):
        parse(line)
