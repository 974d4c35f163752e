"""The folder of all runs: how they stand, and which may go."""

import os
import time

import pytest

from jupyter_mlprof.model import runs
from jupyter_mlprof.model.kernel_process import is_alive
from jupyter_mlprof.model.runfile import write_profile
from jupyter_mlprof.model.runs import list_runs, prune, state
from jupyter_mlprof.model.title import title
from tests.run_files import NOBODY, MadeRun, header, own_header, sample

OWN = own_header()


def standing(run):
    return state(run.path, run.header)


def test_runs_are_listed_newest_first_and_by_cell(tmp_path):
    for number, notebook in enumerate(["/n/a.ipynb", "/n/b.ipynb", "/n/a.ipynb"], 1):
        run = MadeRun(tmp_path, header(number, notebook=notebook))
    run.ended()
    listed = list_runs(tmp_path, notebook="/n/a.ipynb")
    assert [(one.id, one.state) for one in listed] == [
        (f"{3:032x}", "ended"),
        (f"{1:032x}", "ended"),  # the same kernel has run two cells since
    ]


def test_a_renamed_notebook_is_found_by_its_cells(tmp_path):
    old = tmp_path / "old.ipynb"
    old.touch()
    MadeRun(tmp_path, header(1, notebook=str(old)))
    MadeRun(tmp_path, header(2, notebook=None, cell_id="c2"))

    def found(*cell_ids):
        return [one.cell_id for one in list_runs(tmp_path, notebook="/new", cell_ids=cell_ids)]

    assert found("c1", "c2") == ["c2"]  # a copy has the cells of the original, which is there
    old.unlink()
    assert found("c1", "c2") == ["c2", "c1"]
    assert found("c1") == ["c1"]
    assert found() == []


def test_a_run_of_a_living_kernel_goes_on(tmp_path):
    run = MadeRun(tmp_path, OWN)
    run.silent(86_400)
    assert standing(run) == "running"


@pytest.mark.parametrize("changes", [{"pid": NOBODY}, {"pid_start": 1}])
def test_a_run_of_a_dead_kernel_was_killed_once_its_files_are_silent(tmp_path, changes):
    run = MadeRun(tmp_path, own_header(**changes))
    assert standing(run) == "running"  # it may be of a container whose processes are not seen
    run.silent(runs.SILENT_S + 1)
    assert standing(run) == "killed"


def test_a_run_of_another_host_or_boot_is_judged_by_its_files_alone(tmp_path):
    run = MadeRun(tmp_path, header())
    run.silent(runs.UNSEEN_S - 10)
    assert standing(run) == "running"
    run.silent(runs.UNSEEN_S + 10)
    assert standing(run) == "killed"


def test_what_the_sidecar_saw_is_known_at_once(tmp_path):
    run = MadeRun(tmp_path, OWN)
    run.sidecar(sample(0.1, 1e8))
    assert standing(run) == "running"
    run.gone(1.0)
    assert standing(run) == "killed"
    run.ended()
    assert standing(run) == "ended"  # the kernel died after the cell


def test_a_stored_profile_ends_a_run(tmp_path):
    run = MadeRun(tmp_path, OWN)
    write_profile(run.path, "{}")
    assert standing(run) == "ended"


def test_a_process_is_known_by_its_start():
    clocks = time.time(), time.monotonic()
    assert is_alive(os.getpid(), OWN.pid_start, *clocks) is True
    assert is_alive(os.getpid(), None, *clocks) is True
    assert is_alive(os.getpid(), 1, *clocks) is False
    assert is_alive(NOBODY, 1, *clocks) is False
    assert is_alive(os.getpid(), OWN.pid_start, clocks[0] - 100, clocks[1]) is None


def test_old_runs_go_and_the_newest_of_a_cell_go_last(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "KEEP_RUNS", 12)
    for number in range(1, 21):
        MadeRun(tmp_path, header(number)).ended()
    MadeRun(tmp_path, header(21, cell_id="rare", wall_clock=900.0)).ended()
    prune(tmp_path, now=1100.0)
    kept = {run.id for run in list_runs(tmp_path)}
    assert f"{21:032x}" in kept
    assert len(kept) == 12
    prune(tmp_path, now=1100.0 + runs.KEEP_S)
    assert list_runs(tmp_path) == []


def test_a_run_that_goes_on_is_never_removed(tmp_path):
    run = MadeRun(tmp_path, OWN)
    prune(tmp_path, now=time.time() + 10 * runs.KEEP_S)
    assert run.path.exists()
    run.ended()
    prune(tmp_path, now=time.time() + 10 * runs.KEEP_S)
    assert not run.path.exists()


def test_a_folder_without_a_header_goes_after_a_week(tmp_path):
    torn = tmp_path / f"{1:032x}"
    torn.mkdir()
    (torn / "kernel.jsonl").write_text('{"run_id"')
    other = tmp_path / "not-a-run"
    other.mkdir()
    prune(tmp_path, now=time.time() + runs.KEEP_S - 60)
    assert torn.exists()
    prune(tmp_path, now=time.time() + runs.KEEP_S + 60)
    assert not torn.exists()
    assert other.exists()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("%%mlprof -n x\n\n# why\n  train()\n", "train()"),
        ("%load_ext x\n!ls\n?len\nx = 1", "x = 1"),
        ("%%mlprof\n# nothing", ""),
        ("", ""),
        (None, ""),
        ("y" * 200, "y" * 80),
    ],
)
def test_a_cell_is_called_by_its_first_line_of_code(source, expected):
    assert title(source) == expected
