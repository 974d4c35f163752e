"""`jupyter mlprof run`, `show` and `report`, as a user types them."""

import json
import re
import subprocess
import sys

import nbformat
import pytest

from jupyter_mlprof.model.codec import dumps
from jupyter_mlprof.model.profile import MIME_TYPE
from jupyter_mlprof.model.runfile import runs_folder, write_profile
from tests.run_files import MadeRun, header
from tests.samples import profile


def notebook(path, *cells):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(made, path)
    return path


def mlprof(*arguments):
    command = [sys.executable, "-m", "jupyter_mlprof", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


LOAD = "%load_ext jupyter_mlprof"
SLEEP = "%%mlprof -n nap\nimport time\ntime.sleep(0.4)\n"


def test_run_writes_and_prints_then_show_and_report(tmp_path):
    source = notebook(tmp_path / "one.ipynb", LOAD, SLEEP)
    before = source.read_bytes()
    target = tmp_path / "build" / "out.ipynb"
    ran = mlprof("run", source, "-o", target)
    assert ran.returncode == 0, ran.stderr
    assert "ML profile: nap" in ran.stdout
    assert "cell 2 of 2" in ran.stderr
    assert source.read_bytes() == before
    outputs = json.loads(target.read_text("utf-8"))["cells"][1]["outputs"]
    assert MIME_TYPE in outputs[0]["data"]

    shown = mlprof("show", target)
    assert (shown.returncode, shown.stdout) == (0, ran.stdout)

    page = tmp_path / "out.html"
    assert mlprof("report", target, "-o", page).returncode == 0
    text = page.read_text("utf-8")
    assert "ML profile: nap" in text
    loaded = re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=[\"']?(?!data:)\S+", text)
    assert loaded == []
    assert "import(" not in text


def test_a_failing_cell_keeps_what_was_found(tmp_path):
    source = notebook(tmp_path / "one.ipynb", LOAD, SLEEP, "1 / 0", "never = 1")
    ran = mlprof("run", source)
    assert ran.returncode == 1
    assert "ML profile: nap" in ran.stdout
    assert ran.stderr.endswith("A cell failed with ZeroDivisionError: division by zero\n")
    assert "nap" in source.read_text("utf-8")


def test_a_kernel_that_dies_says_where_to_look(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    dying = "%%mlprof\nimport os, signal, time\ntime.sleep(1)\nos.kill(os.getpid(), signal.SIGKILL)"
    ran = mlprof("run", notebook(tmp_path / "one.ipynb", LOAD, dying))
    assert ran.returncode == 1
    assert "jupyter mlprof show --last" in ran.stderr
    assert "Killed after" in mlprof("show", "--last").stdout


def test_a_notebook_without_profiles_says_what_to_do(tmp_path):
    ran = mlprof("show", notebook(tmp_path / "one.ipynb", "x = 1"))
    assert (ran.returncode, ran.stdout) == (
        0,
        "No profile in this notebook: put %%mlprof on the first line of a cell and run it.\n",
    )


def test_a_stored_profile_is_shown(tmp_path):
    path = tmp_path / "one.mlprof.json"
    path.write_text(dumps(profile()), "utf-8")
    assert "78 % of 10.2 s waited for the DataLoader." in mlprof("show", path).stdout


def test_the_newest_run_is_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    ran = mlprof("show", "--last")
    assert (ran.returncode, ran.stdout, ran.stderr) == (
        2,
        "",
        "No run is stored: put %%mlprof on the first line of a cell and run it.\n",
    )
    runs = runs_folder(tmp_path)
    write_profile(MadeRun(runs, header(1)).path, dumps(profile()))
    assert "78 % of 10.2 s waited for the DataLoader." in mlprof("show", "--last").stdout
    MadeRun(runs, header(2, name="mine")).gone(3.0, oom_kills=0)
    shown = mlprof("show", "--last").stdout
    assert "ML profile: mine" in shown
    assert "Killed after 3 s" in shown


def test_what_to_show_is_to_be_said_once(tmp_path):
    for arguments in [(), ("--last", tmp_path)]:
        ran = mlprof("show", *arguments)
        assert ran.returncode == 2
        assert "--last" in ran.stderr


@pytest.mark.parametrize("command", ["run", "show"])
@pytest.mark.parametrize("content", ["", "{", "[]", '{"cells": 3}', "\0\xff", None])
def test_what_is_no_notebook_is_refused_in_a_sentence(tmp_path, command, content):
    path = tmp_path / "bad.ipynb"
    if content is not None:
        path.write_text(content, "utf-8")
    ran = mlprof(command, path)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert len(ran.stderr.splitlines()) == 1
    assert str(path) in ran.stderr
    assert content is None or path.read_text("utf-8") == content


def test_wrong_usage_exits_with_2():
    assert mlprof("nonsense").returncode == 2
    assert mlprof().returncode == 2
