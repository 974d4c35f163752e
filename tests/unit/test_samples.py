"""Rows of the sidecar as series over time."""

import math

import pytest

from jupyter_mlprof.collect import sidecar_script
from jupyter_mlprof.collect.samples import Folding, as_row, timeline
from tests.run_files import BEGUN, sample


def series(rows, duration):
    found = timeline(rows, BEGUN, BEGUN + duration)
    return found.t_s, {one.name: one.values for one in found.series}


def test_steps_hold_the_highest_memory_and_the_mean_rate():
    rows = [sample(0.05 * n, 100 + (n == 3) * 50, cpu=0.05 * n) for n in range(1, 41)]
    t_s, found = series(rows, 2.0)
    assert len(t_s) == pytest.approx(20, abs=1)
    assert max(found["rss"]) == 150
    assert found["cpu"][1:] == pytest.approx([1.0] * (len(t_s) - 1))
    assert "children_rss" not in found  # nothing but zeros


def test_a_rate_is_the_growth_since_the_value_was_last_known():
    rows = [sample(0.1 * n + 0.05, 1, read=None if n % 3 else 1000.0 * n) for n in range(10)]
    _, found = series(rows, 1.0)
    assert found["read"][0] is None  # one value is no growth
    assert found["read"][1:] == pytest.approx([10_000.0] * 9)


def test_a_counter_that_falls_is_no_rate_below_zero():
    _, found = series([sample(0.1, 1, cpu=5.0), sample(0.3, 1, cpu=4.0), sample(0.5, 1, 4.1)], 1.0)
    assert found["cpu"][1:] == pytest.approx([0.0, 0.5])


def test_no_rows_are_no_timeline():
    assert series([], 1.0) == ((), {})


@pytest.mark.parametrize(
    "value", [[1, 2], {"gone": 1}, None, [None, *[0] * 8], [1, "x", *[0] * 7], [math.nan, *[0] * 8]]
)
def test_what_is_no_row_is_left_out(value):
    assert as_row(value) is None


def test_what_came_in_pieces_folds_like_the_whole():
    folding = Folding(BEGUN, 0.2)
    rows = (sample(0.04 * n, n, cpu=0.02 * n) for n in range(1, 101))
    found = [*map(folding.add, rows), folding.end()]
    points = [point for point in found if point]
    assert folding.end() is None
    assert len(points) == pytest.approx(20, abs=1)
    assert points[-1][1][0] == 100
    assert [values[1] for _, values in points[1:]] == pytest.approx([0.5] * (len(points) - 1))


GPU = ("used", "util", "memory", "own_memory", "power", "temperature", "energy")
COLUMNS = (*sidecar_script.COLUMNS, *(f"gpu{n}_{name}" for n in (0, 1) for name in GPU))


def gpu_sample(t, *gpus):
    """Return a row with what is known of each GPU."""
    return [*sample(t, 1), *(value for gpu in gpus for value in gpu)]


def gpu_series(rows, duration=2.0):
    found = timeline(rows, BEGUN, BEGUN + duration, COLUMNS)
    return {one.name: one.values for one in found.series if one.name.startswith("gpu")}


def test_a_gpu_has_series_beside_the_rows_that_know_nothing_of_it():
    one, other = (1, 40, 3e9, 1e9, 200.0, 60, 5.0), (0, 90, 7e9, 0, 300.0, 80, 5.0)
    rows = [
        gpu_sample(0.05 * n, one, other) if n % 4 == 0 else sample(0.05 * n, 1)
        for n in range(1, 41)
    ]
    found = gpu_series(rows)
    assert found.keys() == {
        f"gpu0_{name}" for name in ("util", "memory", "own_memory", "power", "temperature")
    }  # the other one is others'
    assert set(found["gpu0_util"][1:]) == {40}  # the gaps are short


def test_a_long_gap_stays_one():
    known = (1, 40, 3e9, 1e9, 200.0, 60, 5.0)
    nothing = (1, None, None, None, None, None, None)
    rows = [gpu_sample(0.1 * n, known if n > 15 else nothing, nothing) for n in range(1, 21)]
    found = gpu_series(rows)
    assert found["gpu0_util"][0] is None
    assert found["gpu0_util"][-1] == 40
    assert "gpu1_util" not in found


def test_a_gpu_that_does_nothing_is_told():
    idle = (1, 0, 3e9, None, 50.0, 40, 5.0)
    found = gpu_series([gpu_sample(0.1 * n, idle, idle) for n in range(1, 21)])
    assert set(found["gpu0_util"]) == {0}
    assert "gpu0_own_memory" not in found


def test_names_that_make_no_sense_give_no_series():
    columns = [*sidecar_script.COLUMNS, "gpu0_util", "gpu1_used", "gpu_x", "gpu1_colour"]
    rows = [[*sample(0.1 * n, 1), 1, 1, 1, 1] for n in range(1, 21)]
    found = timeline(rows, BEGUN, BEGUN + 2.0, columns)
    assert [one.name for one in found.series] == ["rss"]
