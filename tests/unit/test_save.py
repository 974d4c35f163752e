"""Profiles written to files."""

import pstats
import stat

import pytest

import jupyter_mlprof as mlprof
from jupyter_mlprof.errors import ProfileError
from jupyter_mlprof.model.functions import Caller, Flame, Frame, FunctionTime
from tests.samples import profile

MAIN, WORK, HELP = (Frame(name, "<cell>", line) for name, line in (("f", 2), ("work", 5), ("h", 9)))


@pytest.fixture
def called():
    """A function that spends 0.2 s itself and 0.5 s in another, which spends 0.1 s in a third."""
    callers = (Caller("f", "<cell>", 2, 30),)
    return profile(
        functions=(
            FunctionTime("f", "<cell>", 2, 0.2, 0.7, 1),
            FunctionTime("work", "<cell>", 5, 0.4, 0.5, 30, callers),
        ),
        flame=Flame((MAIN, WORK, HELP), ((-1, 0, 0.7), (0, 1, 0.5), (1, 2, 0.1))),
    )


def test_what_is_saved_is_loaded_again(tmp_path):
    one = profile()
    one.save(tmp_path / "one.mlprof.json")
    assert mlprof.load(tmp_path / "one.mlprof.json") == one


def test_pstats_reads_times_calls_and_callers(called, tmp_path):
    called.export(tmp_path / "one.pstats")
    stats = vars(pstats.Stats(str(tmp_path / "one.pstats")))["stats"]
    assert stats["<cell>", 2, "f"] == (1, 1, 0.2, 0.7, {})
    *row, callers = stats["<cell>", 5, "work"]
    assert row == [30, 30, 0.4, 0.5]
    assert callers == {("<cell>", 2, "f"): (30, 30, pytest.approx(0.4), 0.5)}
    # Of a function without a row in the table the call tree tells.
    assert stats["<cell>", 9, "h"][:4] == (0, 0, pytest.approx(0.1), pytest.approx(0.1))


def test_pstats_prints_the_table(called, tmp_path, capsys):
    called.export(tmp_path / "one.prof")
    pstats.Stats(str(tmp_path / "one.prof")).sort_stats("cumulative").print_stats()
    printed = capsys.readouterr().out
    assert "<cell>:5(work)" in printed
    assert "31 function calls in 0.700 seconds" in printed


def test_a_foreign_ending_and_a_missing_folder_are_one_sentence(tmp_path):
    one = profile()
    with pytest.raises(ProfileError, match=r"name it \.pstats"):
        one.export(tmp_path / "one.txt")
    with pytest.raises(ProfileError, match="Cannot write"):
        one.save(tmp_path / "missing" / "one.mlprof.json")
    assert list(tmp_path.iterdir()) == []


def test_what_is_saved_can_be_shared(tmp_path):
    profile().save(tmp_path / "one.mlprof.json")
    plain = tmp_path / "plain"
    plain.touch()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "one.mlprof.json", plain)]
    assert modes[0] == modes[1]
