"""The folder of a run."""

import json
import os
import stat
from dataclasses import asdict

import pytest

from jupyter_mlprof.model import runfile
from jupyter_mlprof.model.runs import list_runs
from tests.run_files import header


def test_a_run_is_for_its_user_alone(tmp_path):
    run = runfile.create(tmp_path / "runs", header())
    assert stat.S_IMODE(run.stat().st_mode) == 0o700
    assert runfile.read_header(run) == header()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"run_id": 1}', json.dumps({**asdict(header()), "run_id": "other"})],
)
def test_a_broken_header_is_none(tmp_path, text):
    run = runfile.create(tmp_path, header())
    (run / "kernel.jsonl").write_text(text, "utf-8")
    assert runfile.read_header(run) is None
    assert list_runs(tmp_path) == []


def test_a_profile_is_read_by_an_id_only(tmp_path):
    runfile.write_profile(runfile.create(tmp_path, header()), "{}")
    assert runfile.read_profile(tmp_path, f"{1:032x}") == b"{}"
    assert runfile.read_profile(tmp_path, f"../{tmp_path.name}/{1:032x}") is None


def test_an_incomplete_last_line_is_ignored(tmp_path):
    path = tmp_path / "sidecar.jsonl"
    path.write_text("[1]\n[2]\n[3, 4", "utf-8")
    assert list(runfile.json_lines(path)) == [[1], [2]]


def test_the_last_row_is_read_from_the_end(tmp_path):
    path = tmp_path / "kernel.jsonl"
    assert runfile.last_row(path) is None
    path.write_text('{"long": "' + "x" * 50_000 + '"}\n[2]\n[3, 4', "utf-8")
    assert runfile.last_row(path) == [2]
    path.write_text("{}", "utf-8")
    assert runfile.last_row(path) is None
    path.write_text('"' + "x" * 50_000 + '"\n', "utf-8")
    assert runfile.last_row(path) is None


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
