"""When workers are advised, how many, and when not."""

import pytest

from jupyter_mlprof.advise.cell_source import EarlierCell
from jupyter_mlprof.advise.rule import Clues, Withheld
from jupyter_mlprof.advise.rules.input_pipeline import more_workers
from jupyter_mlprof.model.finding import Finding
from jupyter_mlprof.model.functions import FunctionTime
from jupyter_mlprof.model.profile import Gpu
from jupyter_mlprof.model.source import apply_edits
from tests.samples import SOURCE, loader_use, machine, profile


def results(use=None, source=SOURCE, earlier=(), **changes):
    found = profile(loader=(use or loader_use(),), **changes)
    results = (more_workers(Clues(found, source, earlier), use) for use in found.loader)
    return [one for one in results if one is not None]


def finding(*args, **kwargs):
    (found,) = results(*args, **kwargs)
    assert isinstance(found, Finding), found
    return found


def reason(*args, **kwargs):
    (found,) = results(*args, **kwargs)
    assert isinstance(found, Withheld), found
    return found.reason


def fixed(found):
    assert found.fix is not None
    return apply_edits(SOURCE, found.fix.edits)


def test_the_fewest_workers_that_keep_up_are_advised():
    found = finding()
    assert found.title == "Load with 4 workers"  # 8 s of loading, 2 s of computing
    assert "DataLoader(data, batch_size=32, num_workers=4)" in fixed(found)
    assert found.line == 2
    # 10.2 s become 2.73 s with all that four workers cost, or 2.34 s, give or take 15 %.
    assert found.gain.low == pytest.approx(10.2 / 2.73 / 1.15, rel=0.01)
    assert found.gain.high == pytest.approx(10.2 / 2.34 * 1.15, rel=0.01)
    assert found.evidence[0].value == pytest.approx(78.4, abs=0.1)
    assert found.confidence == "high"


def test_several_epochs_keep_their_workers():
    assert "num_workers=4, persistent_workers=True" in fixed(finding(loader_use(epochs=5)))


def test_a_loader_built_in_each_epoch_cannot_keep_them():
    assert "persistent" not in fixed(finding(loader_use(epochs=5, loaders=5)))


def test_memory_is_pinned_only_for_a_gpu():
    assert "pin_memory" not in fixed(finding())
    gpu = machine(gpus=(Gpu(0, "A GPU", 1),))
    assert "pin_memory=True" in fixed(finding(machine=gpu))
    assert "pin_memory" not in fixed(finding(loader_use(pin_memory=True), machine=gpu))


def test_without_a_wait_there_is_silence():
    assert results(loader_use(wait_s=0.9, loop_s=10.0)) == []
    assert results(loader_use(batches=0)) == []


def test_loading_that_computes_needs_free_cores():
    computing = loader_use(fetch_cpu_s=8.0)
    found = finding(computing, machine=machine(cores_allowed=4))
    assert found.title == "Load with 3 workers"  # four cores, one of them busy
    assert found.confidence == "medium"
    busy = machine(cores_allowed=2, cores_busy_elsewhere=2.0)
    assert "only 0 cores of this machine are free" in reason(computing, machine=busy)


def test_loading_that_waits_for_a_core_is_not_taken_for_waiting_for_storage():
    starved = loader_use(fetch_cpu_s=2.0, fetch_core_wait_s=5.8)
    busy = machine(cores_allowed=2, cores_busy_elsewhere=1.5)
    assert "only 0.5 cores of this machine are free" in reason(starved, machine=busy)


def test_loading_that_computes_beside_computing_that_fills_the_cores_wins_nothing():
    both = loader_use(fetch_cpu_s=8.0, wait_s=8.0, loop_s=60.0)
    found = reason(
        both, machine=machine(cores_allowed=1.2, cores_busy_elsewhere=0), duration_s=60.2
    )
    assert (
        found == "its loading computes, as the loop does, and all they have to share is 1.2 cores"
    )


def test_a_short_cell_does_not_win_back_the_start():
    short = loader_use(
        batches=4, loop_s=0.05, wait_s=0.04, fetch_s=0.04, fetch_cpu_s=0, collate_s=0
    )
    assert "too short" in reason(short, duration_s=0.06)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"iterable": True}, "IterableDataset"),
        ({"on_gpu": True}, "on the GPU"),
        ({"dataset": "TensorDataset"}, "in memory already"),
        ({"dataset": "Subset[TensorDataset]"}, "in memory already"),
        ({"dataset": "ConcatDataset[TensorDataset, Subset[TensorDataset]]"}, "in memory already"),
        ({"unseen": "started-before", "fetch_s": None}, "were started before this cell"),
        ({"fetch_s": None, "fetch_cpu_s": None, "collate_s": None}, "could not be seen"),
    ],
)
def test_loaders_that_workers_do_not_cure(changes, words):
    assert words in reason(loader_use(**changes))


def test_shared_memory_and_memory_limit_the_workers():
    small = machine(shm_free_bytes=2_000_000)
    assert finding(machine=small).title == "Load with 2 workers"  # 400 kB a batch, two ahead
    assert "shared memory" in reason(machine=machine(shm_free_bytes=100_000))
    assert "no memory" in reason(machine=machine(memory_available_bytes=10_000_000))


def test_workers_that_are_too_few_become_more():
    some = loader_use(workers=2, wait_s=3.0, loop_s=5.0, first_wait_s=0.1)
    source = SOURCE.replace("batch_size=32", "batch_size=32, num_workers=2")
    found = finding(some, source=source, duration_s=5.2)
    assert found.title == "Load with 4 workers"


def test_a_wait_for_workers_to_start_is_not_cured_by_more():
    anew = loader_use(workers=2, wait_s=3.0, loop_s=5.0, first_wait_s=2.0, start_s=1.6, epochs=8)
    assert reason(anew, duration_s=5.2) == (
        "most of the wait is for workers to start, anew in each of 8 epochs,"
        " which persistent_workers=True avoids"
    )
    once = loader_use(workers=2, wait_s=3.0, loop_s=5.0, first_wait_s=2.9)
    assert results(once, duration_s=5.2) == []
    all_of_it = loader_use(workers=2, wait_s=3.0, loop_s=5.0, first_wait_s=2.9, start_s=2.8)
    assert reason(all_of_it, duration_s=5.2) == "most of the wait is for workers to start"


def test_a_first_batch_that_loads_slowly_is_not_a_wait_for_workers_to_start():
    slow = loader_use(workers=2, wait_s=3.0, loop_s=5.0, first_wait_s=2.0, start_s=0.1)
    assert "for the first batch of each pass" in reason(slow, duration_s=5.2)


def test_a_dataset_that_is_in_memory_in_part_gets_workers():
    assert finding(loader_use(dataset="ConcatDataset[TensorDataset, Images]"))


def test_batches_that_the_loop_did_not_take_do_not_count_as_loading_of_those_it_took():
    found = finding(loader_use(fetches=200, fetch_s=15.8, fetch_cpu_s=0.8, collate_s=0.2))
    assert "a batch takes 80 ms to load" in found.advice
    assert found.gain == finding(loader_use(fetches=100)).gain


def test_imports_are_not_counted():
    imports = FunctionTime("_find_and_load", "<frozen>", 1, 50.0, 90.0)
    found = finding(duration_s=100.2, functions=(imports,))
    assert found.gain.low == pytest.approx(10.2 / 2.73 / 1.15, rel=0.01)
    assert found.evidence[0].value == pytest.approx(78.4, abs=0.1)


def test_spawned_workers_cannot_find_a_class_of_the_notebook():
    found = finding(machine=machine(start_method="spawn"))
    assert found.fix is None
    assert "move the dataset into a .py file first" in found.advice
    assert finding(loader_use(dataset_in_notebook=False), machine=machine(start_method="spawn")).fix


def test_a_loader_of_another_cell_is_pointed_at():
    earlier = [
        EarlierCell(5, "loader.dataset"),
        EarlierCell(4, "import torch\n\ntrain, loader = 1, DataLoader(\n    ds)\n"),
        EarlierCell(2, "loader = DataLoader(old)"),
    ]
    found = finding(loader_use(built=None), earlier=earlier)
    assert found.fix is None
    assert "In [4], line 3 (`train, loader = 1, DataLoader(`)" in found.advice
    assert "num_workers=4" in found.advice
    unknown = finding(loader_use(built=None, name=None)).advice
    assert "This DataLoader, where it is built, needs num_workers=4." in unknown


def test_a_call_that_cannot_be_edited_is_pointed_at():
    source = "%%mlprof\nloader = DataLoader(data, **options____)\n"
    found = finding(source=source)
    assert found.fix is None
    assert (
        "The DataLoader that is built in line 2 (`loader = DataLoader(data, **options____)`)"
        " needs num_workers=4." in found.advice
    )


def test_an_open_file_is_not_shared_by_workers():
    found = finding(loader_use(shared="f (BufferedReader)"))
    assert found.fix is None
    assert "keeps f (BufferedReader) open" in found.advice


def test_the_loaders_own_start_method_counts():
    assert finding(loader_use(start_method="spawn")).fix is None
    assert finding(loader_use(start_method="fork"), machine=machine(start_method="spawn")).fix


def test_a_slow_sampler_is_not_cured_by_workers():
    sampler = loader_use(fetch_s=0.4, collate_s=0.1, fetch_cpu_s=0.0)
    assert "sampler" in reason(sampler)
    both = loader_use(fetch_s=4.8, collate_s=0.2, fetch_cpu_s=0.0)
    assert finding(both).gain.high < 10.2 / (2.0 + 3.0) * 1.2  # 3 s of sampling stay


def test_passes_of_one_batch_get_no_workers():
    assert "one batch only" in reason(loader_use(epochs=100))


def test_costs_are_told():
    many = finding(machine=machine(cores_allowed=2, cores_busy_elsewhere=0))
    assert any("torch warns" in cost for cost in many.costs)
    large = finding(loader_use(batch_bytes=100_000_000))
    assert any("800 MB of shared memory" in cost for cost in large.costs)
