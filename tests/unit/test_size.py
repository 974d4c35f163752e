"""A stored profile stays under its limit."""

from dataclasses import replace

from jupyter_mlprof.model.finding import Fix, TextEdit
from jupyter_mlprof.model.functions import Flame, Frame, FunctionTime
from jupyter_mlprof.model.lines import LineTime
from jupyter_mlprof.model.size import PROFILE_LIMIT, SOURCE_LIMIT, fit, min_max, size_bytes
from jupyter_mlprof.model.steps import Steps
from jupyter_mlprof.model.timeline import Series, Timeline
from tests.samples import cell, profile
from tests.unit.test_view import finding


def large():
    frames = tuple(Frame(f"function_{i}", "module.py", i) for i in range(3000))
    values = tuple(float(i == 4321) for i in range(20_000))
    return profile(
        flame=Flame(frames, tuple((i - 1, i, 3000.0 - i) for i in range(3000))),
        functions=tuple(FunctionTime(f"f{i}", "module.py", i, 1.0, 1.0) for i in range(3000)),
        lines=tuple(LineTime(i, 1.0 + i, 1) for i in range(1, 500)),
        timeline=Timeline(tuple(i / 50 for i in range(20_000)), (Series("rss", "bytes", values),)),
    )


def test_a_small_profile_is_left_alone():
    assert fit(profile()) == profile()


def test_a_large_profile_is_brought_under_the_limit_and_says_so():
    small = fit(large())
    assert size_bytes(small) <= PROFILE_LIMIT < size_bytes(large())
    assert small.dropped[0] == "the cheaper nodes of the call tree"
    assert "timeline points between the extremes" in small.dropped


def test_the_peak_of_the_timeline_survives():
    series = fit(large()).timeline.named("rss")
    assert series is not None
    assert max(value or 0 for value in series.values) == 1.0


def test_nodes_keep_their_parents():
    tree = fit(profile(flame=large().flame)).flame
    assert 0 < len(tree.nodes) < 3000
    for parent, frame, seconds in tree.nodes:
        assert parent == -1 or tree.nodes[parent][2] >= seconds
        assert 0 <= frame < len(tree.frames)


def test_a_cut_source_carries_no_fix():
    long = "x = 1\n" * 20_000
    fix = Fix("0" * 64, (TextEdit(0, 1, "y"),))
    small = fit(profile(cell=cell(long), findings=(replace(finding(), fix=fix),)))
    assert small.cell.truncated
    assert len(small.cell.source) == SOURCE_LIMIT
    assert small.findings[0].fix is None


def test_step_times_are_bounded():
    small = fit(profile(steps=Steps(9001, tuple(float(i) for i in range(9000)), 1.0)))
    assert small.steps is not None
    assert len(small.steps.seconds) == 2000
    assert small.steps.seconds[-1] == 8999.0


def test_min_max_keeps_extremes_of_each_bucket():
    times = tuple(float(i) for i in range(8))
    series = Series("rss", "bytes", (5.0, 9.0, 1.0, 5.0, 2.0, 2.0, 7.0, None))
    kept = min_max(times, (series,), 2)
    assert kept.series[0].values == (9.0, 1.0, 7.0, None)
    assert kept.t_s == (1.0, 2.0, 6.0, 7.0)
