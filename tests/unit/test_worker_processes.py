"""When workers are kept, given up or made fewer."""

import pytest

from jupyter_mlprof.advise.rule import Clues, Withheld
from jupyter_mlprof.advise.rules.worker_processes import worker_processes
from jupyter_mlprof.model.finding import Finding
from jupyter_mlprof.model.loader import Span
from jupyter_mlprof.model.source import apply_edits
from tests.samples import loader_use, profile

SOURCE = """%%mlprof
loader = DataLoader(data, num_workers=2)
for epoch in range(8):
    for batch in loader:
        train(batch)
"""
BUILT = Span(2, 9, 2, 40)


def restarted(**changes):
    """Eight passes, each of which waits 0.4 s for two workers: 3.2 of 5.6 s."""
    known = {
        "built": BUILT, "workers": 2, "epochs": 8, "batches": 32, "loop_s": 5.5, "wait_s": 5.4,
        "first_wait_s": 3.8, "start_s": 3.2, "fetch_s": 2.5, "collate_s": 0.1, "prefetch": 2,
    }  # fmt: skip
    return loader_use(**{**known, **changes})


def quick(**changes):
    """Loading that takes 0.2 s in all, for which the loop waits 1.3 s."""
    known = {"loop_s": 2.0, "wait_s": 1.3, "first_wait_s": 1.0, "start_s": 0.9, "fetch_s": 0.1}
    return restarted(**{**known, "epochs": 1, "fetch_cpu_s": 0.1, **changes})


def result(use, source=SOURCE, duration_s=5.6):
    return worker_processes(Clues(profile(loader=(use,), duration_s=duration_s), source), use)


def finding(*args, **kwargs):
    found = result(*args, **kwargs)
    assert isinstance(found, Finding), found
    return found


def fixed(found, source=SOURCE):
    assert found.fix is not None
    return apply_edits(source, found.fix.edits)


def test_workers_that_start_anew_in_each_pass_are_kept():
    found = finding(restarted())
    assert found.rule == "input-pipeline/restarted-workers"
    assert "DataLoader(data, num_workers=2, persistent_workers=True)" in fixed(found)
    assert found.advice.startswith("The 2 workers are started anew in each of 8 passes, 400 ms")
    assert (found.evidence[0].value, found.evidence[0].threshold) == (
        pytest.approx(57.1, abs=0.1),
        10,
    )
    # Of eight starts seven go: 2.8 of 5.6 s at worst, 4.725 s with all that the first batches wait.
    assert found.gain.low == pytest.approx(5.6 / 2.8 / 1.15)
    assert found.gain.high == pytest.approx(5.6 / 0.875 * 1.15)


def test_workers_of_an_unwatched_loader_are_kept_all_the_same():
    unseen = restarted(fetch_s=None, fetch_cpu_s=None, collate_s=None, unseen="not-watched")
    assert finding(unseen).rule == "input-pipeline/restarted-workers"


def test_a_loader_that_each_pass_builds_is_to_be_built_once():
    found = finding(restarted(loaders=8, persistent_workers=True))
    assert found.fix is None
    assert "once, before the loop over the passes" in found.advice


@pytest.mark.parametrize("line", ["loader.sampler.set_epoch(epoch)", "loader.dataset.size = 8"])
def test_a_dataset_that_the_cell_changes_is_left_to_the_user(line):
    source = SOURCE.replace("        train", f"        {line}; train")
    assert finding(restarted(), source).fix is None


def test_one_pass_and_workers_that_stay_are_no_cause():
    assert result(restarted(epochs=1, fetch_s=9.9)) is None
    assert result(restarted(persistent_workers=True, fetch_s=9.9)) is None
    assert result(loader_use(epochs=8)) is None


def test_starts_that_cost_little_are_no_cause():
    assert result(restarted(start_s=0.4, first_wait_s=0.5, fetch_s=9.9)) is None


def test_what_is_too_little_to_be_sure_of_is_told_with_its_number():
    found = result(restarted(epochs=2, start_s=0.6, first_wait_s=0.7, fetch_s=5.0))
    assert isinstance(found, Withheld)
    assert (found.change, found.reason) == (
        "Keeping its workers is",
        "that would save 5.4 % of the cell at worst, too little to be sure of",
    )


def test_workers_that_cost_more_than_they_load_are_given_up():
    found = finding(quick(), duration_s=2.1)
    assert found.rule == "input-pipeline/workers-cost"
    assert "DataLoader(data, num_workers=0)" in fixed(found)
    assert "takes 6.25 ms to load, yet the loop waits 40.6 ms for each" in found.advice
    # 1.3 s of waiting become 0.26 s of loading at worst, 0.14 s at best.
    assert found.gain.low == pytest.approx(2.1 / (2.1 - 1.3 + 0.2632) / 1.15, rel=1e-3)
    assert found.gain.high == pytest.approx(2.1 / (2.1 - 1.3 + 0.1432) * 1.15, rel=1e-3)


def test_what_torch_refuses_without_workers_goes_with_them():
    source = SOURCE.replace(
        "num_workers=2", "num_workers=2, prefetch_factor=4, persistent_workers=True, timeout=9"
    )
    use = quick(built=Span(2, 9, 2, 40 + source.index("\nfor") - SOURCE.index("\nfor")))
    assert (
        "DataLoader(data, num_workers=0, prefetch_factor=None, persistent_workers=False, timeout=0)"
        in fixed(finding(use, source, 2.1), source)
    )


def test_workers_that_are_restarted_for_nothing_are_given_up_and_not_kept():
    found = finding(quick(epochs=8, wait_s=1.3), duration_s=1.6)
    assert found.title == "Load without workers"


def test_an_iterable_dataset_may_need_its_workers():
    assert result(quick(iterable=True), duration_s=2.1) is None


def test_more_workers_than_the_loop_needs_are_made_fewer():
    many = restarted(
        workers=8, epochs=1, loop_s=9.0, wait_s=3.2, first_wait_s=3.1, start_s=3.0, fetch_s=8.0
    )
    found = finding(many, duration_s=9.1)
    assert "DataLoader(data, num_workers=2)" in fixed(found)  # 8.1 s of loading, 5.8 of computing
    assert found.gain.low == 1.0  # 9.1 s less half of 2.25 s, give or take 15 %
    assert found.gain.high == pytest.approx(9.1 / (9.1 - 3.0 * 0.75) * 1.15)
