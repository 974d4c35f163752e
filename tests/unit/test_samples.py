"""Rows of the sidecar as series over time."""

import math

import pytest

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
