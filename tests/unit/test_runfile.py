"""The folder of a run."""

import json
import os
import stat
from dataclasses import asdict

import pytest

from jupyter_mlprof.model import runfile
from jupyter_mlprof.model.runfile import RunHeader


def header(number=1, **changes):
    known = {
        "run_id": f"{number:032x}",
        "pid": 1,
        "pid_start": 2,
        "kernel_id": None,
        "cell_id": "c1",
        "notebook": "a.ipynb",
        "source_sha256": "0" * 64,
        "wall_clock": 1000.0 + number,
        "monotonic": 1.0,
    }
    return RunHeader(**{**known, **changes})


def test_a_run_is_for_its_user_alone(tmp_path):
    run = runfile.create(tmp_path / "runs", header())
    assert stat.S_IMODE(run.stat().st_mode) == 0o700
    assert runfile.read_header(run) == header()


def test_runs_are_listed_newest_first_and_by_cell(tmp_path):
    for number, notebook in enumerate(["a.ipynb", "b.ipynb", "a.ipynb"], 1):
        run = runfile.create(tmp_path, header(number, notebook=notebook))
    runfile.write_profile(run, "{}")
    listed = runfile.list_runs(tmp_path, notebook="a.ipynb", cell_id="c1")
    assert [(one.id, one.ended) for one in listed] == [(f"{3:032x}", True), (f"{1:032x}", False)]
    assert runfile.read_profile(tmp_path, f"{3:032x}") == b"{}"
    assert runfile.read_profile(tmp_path, "../etc") is None


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"run_id": 1}', json.dumps({**asdict(header()), "run_id": "other"})],
)
def test_a_broken_header_is_none(tmp_path, text):
    run = runfile.create(tmp_path, header())
    (run / "kernel.jsonl").write_text(text, "utf-8")
    assert runfile.read_header(run) is None
    assert runfile.list_runs(tmp_path) == []


def test_an_incomplete_last_line_is_ignored(tmp_path):
    path = tmp_path / "sidecar.jsonl"
    path.write_text("[1]\n[2]\n[3, 4", "utf-8")
    assert list(runfile.json_lines(path)) == [[1], [2]]


def test_old_runs_go_and_the_newest_of_a_cell_go_last(tmp_path, monkeypatch):
    monkeypatch.setattr(runfile, "KEEP_RUNS", 12)
    for number in range(1, 21):
        runfile.create(tmp_path, header(number))
    runfile.create(tmp_path, header(21, cell_id="rare", wall_clock=900.0))
    runfile.prune(tmp_path, now=1100.0)
    kept = {run.id for run in runfile.list_runs(tmp_path)}
    assert f"{21:032x}" in kept
    assert len(kept) == 12
    runfile.prune(tmp_path, now=1100.0 + runfile.KEEP_S)
    assert runfile.list_runs(tmp_path) == []


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "one.txt"
    path.write_text("old")
    path.chmod(0o640)
    runfile.write_atomically(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o640)

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        runfile.write_atomically(path, "newer")
    assert path.read_text() == "new"
    assert [one.name for one in tmp_path.iterdir()] == ["one.txt"]
