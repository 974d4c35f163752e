"""How long the runs of a trial are, what is worked out from them, and what is said."""

import math
import random
from dataclasses import replace

import pytest

from jupyter_mlprof.model.finding import Fix, TextEdit
from jupyter_mlprof.model.steps import Steps
from jupyter_mlprof.model.trial import Interval
from jupyter_mlprof.trial.arm import Ran, Stop
from jupyter_mlprof.trial.estimate import rest_s, steady_s, whole_s
from jupyter_mlprof.trial.interval import interval
from jupyter_mlprof.trial.plan import Plan, make_plan
from jupyter_mlprof.trial.values import difference, numbers
from jupyter_mlprof.trial.version import Version, original, variants
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


def planned(seconds, steps=None, workers=0, limit_s=30.0, gain=2.0, **loader):
    cell = long_profile(seconds, steps, **loader)
    return make_plan(cell, original(cell), [Version("", None, workers)], gain, limit_s)


def test_a_short_cell_is_run_whole():
    assert planned(2.0, 100) == Plan()


def test_a_long_cell_is_stopped_at_a_step():
    plan = planned(100.0, 1000, workers=2)
    # 25.5 s for six runs of 0.1 s a step, and for six of the changed cell, twice as fast.
    assert plan.stop == Stop("steps", 28)
    assert (plan.steps, plan.skip, plan.passes) == (1000, 4, False)


def test_many_short_passes_are_run_whole():
    plan = planned(100.0, 1000, workers=2, epochs=100, batches=1000, loop_s=100.0)
    assert plan.stop == Stop("steps", 20)
    assert (plan.skip, plan.passes) == (10, True)


def test_two_passes_that_do_not_fit_are_worked_out_from_the_first():
    plan = planned(8.1, 60, workers=5, epochs=2, batches=60, loop_s=8.05)
    assert (plan.skip, plan.passes, plan.counted_s) == (10, False, 8.05)
    assert plan.stop.after == 20  # what was fetched ahead, and two bursts of five workers
    assert plan.allows(Version("", None, 2))
    assert not plan.allows(Version("", None, 10))


def test_what_does_not_fit_says_how_long_it_would_take():
    needed = planned(100.0)
    # Four runs of the original and four twice as fast, and room for starting them.
    assert needed == pytest.approx(6 * 100 / 0.85)
    needed = planned(1000.0, 10)
    assert isinstance(needed, float)
    assert needed > 1000


def steadily(start, each, **loop):
    """A run of twenty steps."""
    marks = tuple(start + each * step for step in range(1, 21))
    return Ran(seconds=3.0, marks=marks, **loop)


def test_the_whole_cell_is_worked_out_from_its_first_steps():
    one = steadily(1.0, 0.1)
    plan = Plan(Stop("steps", 20), 100, 5)
    assert steady_s(one, plan) == pytest.approx(0.1)
    assert whole_s(one, plan, 1, 0.0) == pytest.approx(11.0)
    assert whole_s(one, Plan(), 1, 0.0) == 3.0


def test_workers_that_start_anew_for_each_pass_count_as_often():
    one = steadily(1.5, 0.1, loop_at_s=1.0, first_wait_s=0.4)
    assert whole_s(one, Plan(Stop("steps", 20), 100, 5), 3, 0.0) == pytest.approx(12.3)
    inside = Plan(Stop("steps", 20), 100, 10, passes=True)
    assert whole_s(one, inside, 3, 0.0) == pytest.approx(11.5)


def test_what_the_cell_does_after_its_steps_takes_no_less_after_the_change():
    cell = long_profile(20.0, 100, loop_s=10.0)
    plan = Plan(Stop("steps", 20), 100, 5, counted_s=10.0)
    rest = rest_s(cell, steadily(1.5, 0.1, loop_at_s=1.5), plan)
    assert rest == pytest.approx(8.5)
    assert whole_s(steadily(1.5, 0.05), plan, 1, rest) == pytest.approx(15.0)


def changed(text, **loader):
    cell = long_profile(10.0, 100, **loader)
    at = len(cell.cell.source)
    return variants(cell, Fix(cell.cell.source_sha256, (TextEdit(at, at, text),)))


def test_worker_counts_beside_the_offered_one_are_tried():
    versions = changed(", num_workers=4", epochs=3)
    assert [one.workers for one in versions] == [4, 2, 8]
    assert versions[2].source.endswith(", num_workers=8")
    assert [one.starts for one in versions] == [3, 3, 3]


def test_workers_that_persist_start_once():
    (kept,) = changed("persistent_workers=True", epochs=3, workers=2)
    assert (kept.workers, kept.starts) == (2, 1)
    old = original(long_profile(10.0, 100, epochs=3, workers=2))
    assert (old.workers, old.starts) == (2, 3)


def test_no_workers_have_nothing_to_start():
    (none,) = changed("num_workers=0", epochs=3, workers=2)
    assert (none.workers, none.starts) == (0, 1)


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
