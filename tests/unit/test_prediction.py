"""How long a loop would take with workers."""

import pytest

from jupyter_mlprof.advise.prediction import Costs, epoch_seconds, loop_seconds

FREE = Costs(0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("load", "compute", "workers", "expected"),
    [
        (0.1, 0.02, 1, 10.02),  # one worker: all loading, then the last batch is used
        (0.1, 0.02, 5, 2.02),  # five load as fast as one computes
        (0.1, 0.02, 8, 2.1),  # more are no faster: computing bounds, after the first batch
        (0.01, 0.1, 4, 10.01),
    ],
)
def test_an_epoch_is_bound_by_the_slower_of_loading_and_computing(load, compute, workers, expected):
    assert epoch_seconds(100, load, compute, workers) == pytest.approx(expected, rel=0.05)


def test_few_batches_gain_no_more_than_their_rounds():
    assert epoch_seconds(10, 0.1, 0.0, 8) == pytest.approx(0.2)
    assert epoch_seconds(10, 0.1, 0.0, 5) == pytest.approx(0.2)


def test_workers_load_no_further_ahead_than_they_may():
    # Two workers, two batches each: the fifth is asked for when the first is taken, so a slow loop
    # never waits again, and a long one takes what its computing takes.
    assert epoch_seconds(6, 1.0, 10.0, 2) == pytest.approx(61.0)


def test_many_batches_are_scaled():
    assert epoch_seconds(10_000, 0.01, 0.02, 4) == pytest.approx(200, rel=0.01)


def test_starts_are_counted_each_time():
    seconds = loop_seconds(
        epochs=4,
        batches=40,
        load_s=0.0,
        compute_s=4.0,
        workers=3,
        starts=4,
        costs=Costs(0.1, 0.5, 0.01),
    )
    assert seconds == pytest.approx(4.0 + 40 * 0.01 + 4 * (0.5 + 0.3))
