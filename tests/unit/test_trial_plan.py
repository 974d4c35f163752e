"""How long the runs of a trial are, what is worked out from them, and what is said."""

import math
import random
from dataclasses import replace

import pytest

from jupyter_mlprof.model.finding import Fix, TextEdit
from jupyter_mlprof.model.steps import Steps
from jupyter_mlprof.model.trial import Interval
from jupyter_mlprof.trial.arm import Ran, Stop
from jupyter_mlprof.trial.interval import interval
from jupyter_mlprof.trial.plan import Plan, make_plan, steady_s, variants, whole_s
from jupyter_mlprof.trial.values import difference, numbers
from jupyter_mlprof.trial.words import decide
from tests.samples import loader_use, profile


def long_profile(seconds, steps=None, **loader):
    use = loader_use(**loader) if loader else None
    return replace(
        profile(),
        duration_s=seconds,
        steps=Steps(steps, (), 0.0) if steps else None,
        loader=(use,) if use else (),
    )


def test_a_short_cell_is_run_whole():
    assert make_plan(long_profile(2.0, 100), 0, 30) == Plan()


def test_a_long_cell_is_stopped_at_a_step():
    plan = make_plan(long_profile(100.0, 1000), 2, 30)
    assert isinstance(plan, Plan)
    assert plan.stop.what == "steps"
    assert plan.stop.after == 25
    assert (plan.steps, plan.skip) == (1000, 9)


def test_passes_are_run_whole():
    plan = make_plan(long_profile(100.0, 1000, epochs=100, batches=1000), 2, 30)
    assert isinstance(plan, Plan)
    assert plan.stop.after is not None
    assert plan.stop.after % 10 == 0
    assert plan.skip == 10


def test_what_does_not_fit_says_how_long_it_would_take():
    assert make_plan(long_profile(100.0), 0, 30) == pytest.approx(800.0)
    needed = make_plan(long_profile(1000.0, 10), 0, 30)
    assert isinstance(needed, float)
    assert needed > 1000


def test_the_whole_cell_is_worked_out_from_its_first_steps():
    # A second to start, then 0.1 s a step.
    marks = tuple(1 + 0.1 * step for step in range(1, 21))
    one = Ran(seconds=3.0, marks=marks)
    plan = Plan(Stop("steps", 20), 100, 5)
    assert steady_s(one, plan) == pytest.approx(0.1)
    assert whole_s(one, plan) == pytest.approx(11.0)
    assert whole_s(one, Plan()) == 3.0


def test_worker_counts_beside_the_offered_one_are_tried():
    fix = Fix("0", (TextEdit(1, 1, ", num_workers=4"),))
    assert [count for count, _ in variants(fix, 8)] == [4, 2, 8]
    assert variants(fix, 8)[2][1].edits[0].text == ", num_workers=8"
    other = Fix("0", (TextEdit(1, 1, "persistent_workers=True"),))
    assert list(variants(other, 8)) == [(0, other)]


def test_an_interval_holds_the_truth_as_often_as_it_says():
    chance = random.Random(7)  # noqa: S311 - the same ones each time
    hits = 0
    for _ in range(1000):
        ratios = [1.3 * math.exp(chance.gauss(0, 0.07)) for _ in range(5)]
        found = interval(ratios)
        hits += found.low <= 1.3 <= found.high
    assert 930 <= hits <= 970


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (1.2, 1.4, "pays"),
        (1.06, 3.0, "pays"),
        (1.0, 1.4, "cannot-tell"),
        (0.97, 1.05, "does-not-pay"),
        (0.7, 0.8, "does-not-pay"),
        (0.5, 2.0, "cannot-tell"),
    ],
)
def test_the_verdict_is_what_the_interval_allows(low, high, verdict):
    assert decide(Interval(low, math.sqrt(low * high), high)) == verdict


def test_values_are_compared_by_size_and_by_element():
    one = numbers({"a": 1.0, "b": [1.0, 2.0], "c": "text", "d": True}, "abcd")
    assert one["a"] == (1.0, 1.0, 1)
    assert "c" not in one
    assert difference(one["a"], one["a"]) == 0
    assert difference((1.0, 1.0, 1), (1.1, 1.1, 1)) == pytest.approx(0.1 / 1.1)
    assert difference((1.0, 1.0, 1), (1.0, 1.0, 2)) == math.inf
    assert difference((math.nan, 0.0, 1), (math.nan, 0.0, 1)) == 0
