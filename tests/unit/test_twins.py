"""What the twins' table compares, and what it does not take for a difference."""

import pytest

from tests.twins.normal import Normal, history, merged
from tests.twins.pair import complaint, difference
from tests.twins.row import Step, bare, one
from tests.twins.rows import ROWS
from tests.twins.twin import Seen


@pytest.mark.parametrize(
    ("code", "plain"),
    [
        ("%%mlprof\nx", "# plain\nx"),
        ("# so\n%%mlprof -n a\n%%mlprof\nx", "# so\n# plain\n# plain\nx"),
        ("%%mlprof\n%%time\nx", "%%time\nx"),
        ("%%time\n%%mlprof\nx", "%%time\n# plain\nx"),
        ("%%mlprof\nx = '''\n%%mlprof\n'''", "# plain\nx = '''\n%%mlprof\n'''"),
        ("x", "x"),
    ],
)
def test_the_bare_cell_has_the_same_lines(code, plain):
    assert bare(code) == plain
    assert Step(code).text("bare") == plain
    assert Step(code).text("profiled") == code


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("<C object at 0x7f00aa11bb22>", "<C object at 0x7f33cc44dd55>"),
        ("/t/ipykernel_12/345.py", "/t/ipykernel_67/89.py"),
        ("Wall time: 12.5 ms", "Wall time: 1.02 s"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("----> 1 # plain", "----> 1 "),
        ("3/3 [00:00<00:00, 1234.5it/s]", "3/3 [00:00<00:00, 99.1it/s]"),
    ],
)
def test_what_differs_in_any_two_runs_is_made_equal(first, second):
    assert Normal("/a").text(first) == Normal("/b").text(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Cell In[2], line 3", "Cell In[2], line 4"),
        ("1 loop", "2 loops"),
        ("5 calls", "6 calls"),
        ("/a/x", "/c/x"),
        ("2", "3"),
    ],
)
def test_all_else_is_a_difference(first, second):
    assert difference(Normal("/a").value({"text": [first]}), Normal("/b").value({"text": [second]}))


def test_identifiers_are_told_apart():
    first, second = "0" * 32, "f" * 32
    normal = Normal("/a")
    assert normal.value([first, second, first]) == ["ID-1", "ID-2", "ID-1"]


def stream(name, text):
    return {"type": "stream", "content": {"name": name, "text": text}}


def test_how_a_stream_is_cut_does_not_matter_and_where_it_stands_does():
    shown = {"type": "display_data", "content": {}}
    cut = [stream("stderr", "e"), stream("stdout", "a"), stream("stdout", "b"), shown]
    assert merged(cut) == [stream("stderr", "e"), stream("stdout", "ab"), shown]
    assert merged([stream("stdout", "ab"), shown]) != merged([shown, stream("stdout", "ab")])


def test_the_history_has_neither_the_magic_nor_its_place():
    assert history(["", "load", "\nx = 1", "# plain\nx = 1"]) == ["x = 1", "x = 1"]


@pytest.mark.parametrize(
    ("row", "seen", "said"),
    [
        (one("r", "%%mlprof"), Seen(), "0 profiles"),
        (one("r", "%%mlprof"), Seen(sentences=["mlprof: no."]), "mlprof: no."),
        (one("r", "%%mlprof", not_profiled="why", sentence="cannot"), Seen(), "cannot"),
        (one("r", "%%mlprof", hottest=2), Seen(profiles=[{"collectors": [], "lines": []}]), "2"),
        (one("r", "x", dies=True), Seen(), "die"),
    ],
)
def test_a_profile_or_a_sentence_must_come(row, seen, said):
    assert said in complaint(row, Seen(), seen)


def test_rows_have_names_of_their_own():
    assert len({row.name for row in ROWS}) == len(ROWS)
