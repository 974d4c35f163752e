"""One cause, one finding for each loader."""

from jupyter_mlprof.advise.advice import advise
from tests.samples import SOURCE, loader_use, profile


def rules(*uses, duration_s=10.2):
    advice = advise(profile(loader=uses, duration_s=duration_s), SOURCE)
    return [one.rule for one in advice.findings], [one.rule for one in advice.withheld]


def test_a_wait_for_storage_gets_workers():
    assert rules(loader_use()) == (["input-pipeline/workers"], [])


def test_a_cause_below_the_wait_hides_more_workers():
    restarted = loader_use(workers=1, epochs=9, start_s=4.0, first_wait_s=4.2)
    assert rules(restarted) == (["input-pipeline/restarted-workers"], [])


def test_each_loader_has_its_own_finding():
    found, _ = rules(loader_use(), loader_use(name="other"), duration_s=20.4)
    assert found == ["input-pipeline/workers", "input-pipeline/workers"]


def test_a_loader_that_is_hardly_waited_for_is_passed_over():
    assert rules(loader_use(wait_s=0.4, fetch_s=0.3)) == ([], [])
    assert rules(loader_use(batches=0)) == ([], [])
