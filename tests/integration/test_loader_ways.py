"""Every way of loading is seen, whoever iterates and however the workers were started."""

import re
from pathlib import Path

import pytest

from tests.kernel import Kernel

pytestmark = pytest.mark.torch

SETUP = """
import itertools, sys, threading, time, traceback
import torch
from torch.utils.data import *
from loader_sets import *
"""
STARTS = ("fork", "spawn", "forkserver")
FAILING = """
loader = DataLoader({})
try:
    consume(loader)
except Exception as error:
    print(type(error).__name__, str(error))
"""
ADDRESS = re.compile("0x[0-9a-f]+")
ITEMS_S = 64 * 0.008


@pytest.fixture(scope="module")
def sets_kernel(tmp_path_factory):
    here = Path(__file__)
    path = f"{here.parents[2]}:{here.parent}"
    with Kernel(tmp_path_factory.mktemp("data"), PYTHONPATH=path) as kernel:
        assert kernel.run("%load_ext jupyter_mlprof\n" + SETUP).reply["status"] == "ok"
        yield kernel


def run(kernel, body):
    ran = kernel.run("%%mlprof\n" + body)
    assert ran.reply["status"] == "ok", ran.reply
    report = next(one for one in ran.profile.collectors if one.name == "loader")
    assert report.state == "ran", report
    return ran


def uses(kernel, body):
    return run(kernel, body).profile.loader


def the_use(kernel, body):
    (use,) = uses(kernel, body)
    return use


@pytest.mark.parametrize("method", STARTS)
def test_workers_are_seen_however_they_start(sets_kernel, method):
    ran = run(
        sets_kernel,
        "loader = DataLoader(Remote(), 8, num_workers=2, collate_fn=collate,"
        f" worker_init_fn=check, multiprocessing_context='{method}')\n"
        "print(consume(loader), loader.worker_init_fn is check,"
        " sorted(vars(loader)) == sorted(vars(DataLoader(Remote()))))\n",
    )
    assert ran.stdout == "8 True True\n"
    (use,) = ran.profile.loader
    assert (use.line, use.workers, use.batches, use.fetches) == (3, 2, 8, 8)
    assert use.unseen is None
    # A sleep is at least as long as asked for.
    assert ITEMS_S <= use.fetch_s < 3 * ITEMS_S
    assert 8 * 0.016 <= use.collate_s < 3 * 8 * 0.016
    assert use.fetch_cpu_s < use.fetch_s / 2
    assert 0 < use.start_s <= use.wait_s
    assert use.start_s > use.first_wait_s / 2 or method == "fork"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("Bad(), 2, collate_fn=collate", "a bad item"),
        ("Remote(), 2, worker_init_fn=fail", "worker 0 cannot begin"),
        ("Remote(), 2, collate_fn=refuse", "cannot be put together"),
    ],
)
def test_errors_in_workers_are_the_users_own(sets_kernel, call, words):
    body = FAILING.format(f"{call}, num_workers=1")
    bare = sets_kernel.run(body).stdout
    assert words in bare
    assert run(sets_kernel, body).stdout == bare


def test_errors_in_spawned_workers_are_the_users_own(sets_kernel):
    call = "Remote(), 2, num_workers=1, multiprocessing_context='spawn'"
    told = run(sets_kernel, FAILING.format(f"{call}, collate_fn=refuse, worker_init_fn=check"))
    assert "cannot be put together" in told.stdout
    assert "jupyter_mlprof" not in told.stdout
    # What cannot be pickled is refused in the same words as without us.
    body = FAILING.format(f"{call}, worker_init_fn=lambda worker: None")
    bare, told = sets_kernel.run(body), run(sets_kernel, body)
    assert "pickle" in bare.stdout
    assert ADDRESS.sub("", told.stdout) == ADDRESS.sub("", bare.stdout)


def test_a_traceback_without_workers_has_no_frame_of_ours_below_the_loop(sets_kernel):
    ran = run(
        sets_kernel,
        "try:\n    consume(DataLoader(Bad(), 2, collate_fn=collate))\nexcept ValueError:\n"
        "    print(traceback.format_exc().count('jupyter_mlprof'))\n",
    )
    # The wrapper of __next__, through which the error is on its way, cannot leave itself out.
    assert int(ran.stdout) <= 1


def test_workers_that_were_started_before_the_cell_are_said_to_be(sets_kernel):
    sets_kernel.run(
        "kept = DataLoader(Remote(), 8, num_workers=1, persistent_workers=True)\nconsume(kept)"
    )
    profile = run(sets_kernel, "consume(kept)\nconsume(kept)\n").profile
    (use,) = profile.loader
    assert (use.batches, use.epochs, use.workers, use.prefetch) == (16, 2, 1, 2)
    assert (use.fetch_s, use.fetches, use.unseen) == (None, None, "started-before")
    assert use.start_s == 0
    assert use.wait_s > 1.5 * ITEMS_S
    assert "its workers were started before this cell" in profile.verdict.text
    again = the_use(sets_kernel, "consume(kept)\n")
    assert again.unseen == "started-before"
    assert sets_kernel.run("kept = None").reply["status"] == "ok"


def test_workers_of_a_profiled_cell_outlive_it(sets_kernel):
    first = the_use(
        sets_kernel,
        "kept = DataLoader(Remote(), 8, num_workers=1, persistent_workers=True)\n"
        "consume(kept)\nconsume(kept)\n",
    )
    assert (first.unseen, first.epochs, first.fetches) == (None, 2, 16)
    assert sets_kernel.run("print(consume(kept))").stdout == "8\n"
    second = the_use(sets_kernel, "consume(kept)\n")
    assert (second.unseen, second.batches, second.fetch_s) == ("started-before", 8, None)


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("size", ["8", "None"])
def test_a_stream_is_summed(sets_kernel, workers, size):
    use = the_use(sets_kernel, f"consume(DataLoader(Shared(), {size}, num_workers={workers}))\n")
    assert (use.iterable, use.batch_size) == (True, 8 if size == "8" else None)
    assert use.batches == use.fetches == (8 if size == "8" else 64)
    assert ITEMS_S <= use.fetch_s < 3 * ITEMS_S


@pytest.mark.parametrize(
    ("body", "counts", "dataset"),
    [
        (
            "consume(DataLoader(Remote(), batch_sampler=BatchSampler(range(64), 16, False)))",
            (2, 1, 4), "Remote",
        ),
        ("a = DataLoader(Remote(), 8)\nfor i in range(3): next(iter(a))", (3, 3, 3), None),
        ("for i, x in enumerate(DataLoader(Remote(), 8)): pass", (2, 1, 8), None),
        ("for x in itertools.islice(DataLoader(Remote(), 8), 3): pass", (2, 1, 3), None),
        ("import tqdm\nfor x in tqdm.tqdm(DataLoader(Remote(), 8)): pass", (3, 1, 8), None),
        ("consume(Ahead(Remote(), 8))", (2, 1, 8), None),
        ("consume(Own(Remote(), 8))", (2, 1, 8), None),
        ("consume(Own(Remote(), 8, num_workers=1))", (2, 1, 8), None),
        ("consume(DataLoader(Remote(), 8, num_workers=1, in_order=False))", (2, 1, 8), None),
        ("consume(DataLoader(Remote(), 8, num_workers=1, timeout=30))", (2, 1, 8), None),
        (
            "consume(DataLoader(ConcatDataset([Remote(32), Remote(32)]), 8))",
            (2, 1, 8), "ConcatDataset[Remote]",
        ),
        (
            "consume(DataLoader(random_split(Remote(128), [64, 64])[0], 8))",
            (2, 1, 8), "Subset[Remote]",
        ),
        (
            "consume(DataLoader(ChainDataset([Shared(32), Shared(32)]), 8))",
            (2, 1, 8), "ChainDataset[Shared]",
        ),
    ],
)  # fmt: skip
def test_loops_of_every_kind_are_seen(sets_kernel, body, counts, dataset):
    use = the_use(sets_kernel, body)
    assert (use.line, use.epochs, use.batches) == counts
    assert use.dataset == (dataset or "Remote")
    assert use.fetches >= use.batches
    fetched = use.fetch_s / use.fetches
    assert fetched >= use.batch_size * 0.008 if use.batch_size else fetched >= 16 * 0.008
    if not use.workers:
        assert use.fetch_s <= use.wait_s <= use.loop_s
        assert use.start_s == 0


def test_workers_that_are_started_for_each_batch_cost_their_start(sets_kernel):
    use = the_use(
        sets_kernel,
        "loader = DataLoader(Remote(64, 0.0), 8, num_workers=1)\n"
        "for i in range(4): next(iter(loader))\n",
    )
    assert (use.epochs, use.batches) == (4, 4)
    assert use.fetches >= 4
    assert use.wait_s / 2 < use.start_s <= use.first_wait_s == pytest.approx(use.wait_s)


def test_another_threads_wait_is_not_the_cells(sets_kernel):
    profile = run(
        sets_kernel,
        "thread = threading.Thread(target=consume, args=(DataLoader(Remote(), 8),))\n"
        "thread.start()\nconsume(DataLoader(Remote(16, 0.001), 8), 0.1)\nthread.join()\n",
    ).profile
    threaded, own = sorted(profile.loader, key=lambda use: not use.in_thread)
    assert (threaded.in_thread, threaded.batches, threaded.fetches) == (True, 8, 8)
    assert (threaded.wait_s, threaded.loop_s, threaded.first_wait_s) == (0, 0, 0)
    assert threaded.fetch_s >= ITEMS_S
    assert (own.in_thread, own.batches, own.line) == (False, 2, 4)
    assert 0.016 <= own.fetch_s <= own.wait_s < 0.15


def test_an_iterator_that_changes_threads_has_no_known_wait(sets_kernel):
    use = the_use(
        sets_kernel,
        "it = iter(DataLoader(Remote(), 8))\n"
        "thread = threading.Thread(target=consume, args=(it,))\nthread.start()\nthread.join()\n",
    )
    assert (use.in_thread, use.batches, use.loop_s) == (True, 8, 0)
    assert use.wait_s < 0.1


def test_an_iterator_of_an_earlier_cell_is_seen(sets_kernel):
    sets_kernel.run("it = iter(DataLoader(Remote(), 8)); w = iter(DataLoader(Remote(), 8,"
                    " num_workers=1))\nx = next(it), next(w)")  # fmt: skip
    plain, working = uses(sets_kernel, "consume(it)\nconsume(w)\n")
    assert (plain.batches, plain.line, plain.built, plain.unseen) == (7, 2, None, None)
    assert plain.fetch_s <= plain.wait_s
    assert (working.batches, working.workers, working.unseen) == (7, 1, "started-before")


def test_loops_inside_and_beside_one_another_are_told_apart(sets_kernel):
    outer, inner = uses(
        sets_kernel,
        "inner = DataLoader(Remote(16), 8)\n"
        "for x in DataLoader(Remote(24), 8):\n    for y in inner: pass\n",
    )
    assert (outer.batches, inner.batches, inner.epochs) == (3, 6, 3)
    assert outer.wait_s < outer.loop_s / 2
    both = uses(sets_kernel, "one = DataLoader(Remote(), 8)\nfor x, y in zip(one, one): pass\n")
    assert (both[0].epochs, both[0].batches) == (2, 16)
    assert both[0].loop_s > both[0].wait_s


def test_what_is_forked_for_another_purpose_sends_nothing(sets_kernel):
    use = the_use(
        sets_kernel,
        "import multiprocessing\n"
        "def other():\n    consume(DataLoader(Remote(16), 8, num_workers=1))\n"
        "process = multiprocessing.get_context('fork').Process(target=other)\n"
        "process.start()\nprocess.join()\nprint(process.exitcode)\n"
        "consume(DataLoader(Remote(16), 8))\n",
    )
    assert (use.batches, use.fetches) == (2, 2)


def test_a_worker_that_is_killed_is_the_users_error(sets_kernel):
    body = (
        "import os, signal\nit = iter(DataLoader(Remote(64, 0.05), 8, num_workers=1))\nnext(it)\n"
        "os.kill(it._workers[0].pid, signal.SIGKILL)\n"
        "try:\n    consume(it)\nexcept RuntimeError as error:\n    print('exited' in str(error) or"
        " 'killed' in str(error))\n"
    )
    assert run(sets_kernel, body).stdout == "True\n"


def test_a_loader_is_pickled_and_shown_as_before(sets_kernel):
    body = (
        "import pickle\nloader = DataLoader(Remote(), 8, num_workers=1, worker_init_fn=check)\n"
        "before = pickle.dumps(loader), repr(loader)\nit = iter(loader)\n"
        "print((pickle.dumps(loader), repr(loader)) == before, it._worker_init_fn is check)\n"
        "del it\n"
    )
    assert run(sets_kernel, body).stdout == "True True\n"


def test_stateful_loaders_are_seen(sets_kernel):
    if sets_kernel.run("import torchdata.stateful_dataloader").reply["status"] != "ok":
        pytest.skip("torchdata is not installed")
    for workers in (0, 1):
        use = the_use(
            sets_kernel,
            "from torchdata.stateful_dataloader import StatefulDataLoader\n"
            f"consume(StatefulDataLoader(Remote(), 8, num_workers={workers}))\n",
        )
        assert (use.batches, use.fetches, use.built is not None) == (8, 8, True)
        assert use.fetch_s >= ITEMS_S
