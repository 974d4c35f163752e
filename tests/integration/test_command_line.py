"""`jupyter mlprof`, as a user types its commands."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import nbformat
import pytest

from jupyter_mlprof.cli import main
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
    assert "In [2]  nap" in text
    loaded = re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=[\"']?(?!data:)\S+", text)
    assert loaded == []


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


def profile_in(path):
    """Return the profiles of the outputs of a notebook's cells."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [[MIME_TYPE in one.get("data", {}) for one in cell["outputs"]] for cell in cells]


def test_every_cell_is_profiled_where_that_is_asked_for(tmp_path):
    cells = ["import time\ntime.sleep(0.3)", "def f():\n    time.sleep(0.3)\nf()", "1 + 1"]
    source = notebook(tmp_path / "one.ipynb", *cells)
    ran = mlprof("run", source, "--all-cells", "-o", tmp_path / "out.ipynb")
    assert ran.returncode == 0, ran.stderr
    made = json.loads((tmp_path / "out.ipynb").read_text("utf-8"))
    assert ["".join(cell["source"]) for cell in made["cells"]] == cells
    assert [cell["execution_count"] for cell in made["cells"]] == [1, 2, 3]
    assert all(any(found) for found in profile_in(tmp_path / "out.ipynb"))
    assert "   2     30" in ran.stdout  # the line that sleeps, as the editor counts


def test_a_cell_may_be_said_to_fail(tmp_path):
    path = notebook(tmp_path / "one.ipynb", "1 / 0", "print('after')")
    made = nbformat.read(path, 4)
    made.cells[0].metadata.tags = ["raises-exception"]
    nbformat.write(made, path)
    ran = mlprof("run", path)
    assert ran.returncode == 0
    assert "after" in path.read_text("utf-8")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_stopped_keeps_what_ran(tmp_path, number, code):
    endless = "%%mlprof -n endless\nimport time\nwhile True:\n    time.sleep(0.1)"
    path = notebook(tmp_path / "one.ipynb", LOAD, SLEEP, "import os\nprint(os.getpid())", endless)
    command = [sys.executable, "-m", "jupyter_mlprof", "run", path]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        for line in run.stderr or ():
            if line == "cell 4 of 4\n":
                break
        time.sleep(1.5)
        run.send_signal(number)
        told, errors = run.communicate(timeout=60)
    assert run.returncode == code
    assert "ML profile: nap" in told
    assert "ML profile: endless" in told
    assert errors.endswith(f"Stopped by {number.name}: what ran until then is kept.\n")
    assert profile_in(path)[3][-1] or profile_in(path)[3][0]
    kernel = int(json.loads(path.read_text("utf-8"))["cells"][2]["outputs"][0]["text"][0])
    with pytest.raises(ProcessLookupError):
        os.kill(kernel, 0)


def test_a_terminal_sees_one_line_of_progress(tmp_path):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "jupyter_mlprof", "run"]
    path = notebook(tmp_path / "one.ipynb", LOAD, SLEEP)
    with subprocess.Popen([*command, path], stderr=theirs, stdout=subprocess.DEVNULL) as run:
        os.close(theirs)
        seen = b""
        while chunk := _read(ours):
            seen += chunk
        run.wait(60)
    os.close(ours)
    assert run.returncode == 0
    assert b"\r\x1b[K[..........##########" not in seen
    assert b"\r\x1b[K[##########..........] cell 2 of 2" in seen
    assert seen.endswith(b"\r\x1b[K")


def _read(terminal):
    try:
        return os.read(terminal, 4096)
    except OSError:  # as Linux says that nobody writes any more
        return b""


@pytest.mark.parametrize("where", ["folder", "folder/out.ipynb/more.ipynb", "/proc/none/out.ipynb"])
def test_where_nothing_can_be_written_is_told_before_the_run(tmp_path, where):
    path = notebook(tmp_path / "one.ipynb", "open('ran', 'w').close()")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/out.ipynb").write_text("a file")
    ran = mlprof("run", path, "-o", tmp_path / where)
    assert ran.returncode == 2
    assert ran.stderr.startswith("Cannot write ")
    assert not (tmp_path / "ran").exists()


def test_a_kernel_that_does_not_exist_is_told(tmp_path):
    path = notebook(tmp_path / "one.ipynb", "1")
    path.write_text(path.read_text("utf-8").replace('"python3"', '"nowhere"'), "utf-8")
    before = path.read_bytes()
    ran = mlprof("run", path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("There is no kernel named nowhere: ")
    assert path.read_bytes() == before


def showing(path, *values):
    """Write a notebook whose cells have a profile each."""
    made = nbformat.v4.new_notebook()
    made.cells = [
        nbformat.v4.new_code_cell(
            "1", outputs=[nbformat.v4.new_output("display_data", data={MIME_TYPE: one})]
        )
        for one in values
    ]
    nbformat.write(made, path)
    return path


def test_profiles_are_cut_out_and_clean_notebooks_left_alone(tmp_path):
    stored = json.loads(dumps(profile()))
    path = showing(tmp_path / "one.ipynb", stored, stored)
    clean = notebook(tmp_path / "clean.ipynb", "1")
    untouched = clean.stat().st_mtime_ns, clean.stat().st_ino
    before = path.read_bytes()
    checked = mlprof("strip", path, clean, "--check")
    assert (checked.returncode, checked.stdout) == (1, "")
    assert checked.stderr == f"{path}: 2 profiles to cut\n"
    assert path.read_bytes() == before

    filtered = subprocess.run(
        [sys.executable, "-m", "jupyter_mlprof", "strip", "-"],
        input=before,
        capture_output=True,
        check=True,
    )
    assert filtered.stderr == b""
    stripped = mlprof("strip", path, clean)
    assert (stripped.returncode, stripped.stderr) == (0, f"{path}: cut 2 profiles\n")
    assert path.read_bytes() == filtered.stdout
    assert (clean.stat().st_mtime_ns, clean.stat().st_ino) == untouched
    assert mlprof("strip", path, clean, "--check").returncode == 0
    assert mlprof("strip", path, clean, "-o", tmp_path / "out.ipynb").returncode == 2
    assert mlprof("strip", path, "-o", tmp_path / "out.ipynb").returncode == 0
    assert (tmp_path / "out.ipynb").read_bytes() == path.read_bytes()


def test_a_link_stays_a_link(tmp_path):
    path = showing(tmp_path / "one.ipynb", json.loads(dumps(profile())))
    link = tmp_path / "link.ipynb"
    link.symlink_to(path)
    assert mlprof("strip", link).returncode == 0
    assert link.is_symlink()
    assert MIME_TYPE not in path.read_text("utf-8")


def test_a_profile_that_cannot_be_read_is_told(tmp_path):
    newer = {**json.loads(dumps(profile())), "schema_version": 2}
    shown = mlprof("show", showing(tmp_path / "one.ipynb", json.loads(dumps(profile())), newer))
    assert shown.returncode == 0
    assert "78 % of 10.2 s" in shown.stdout
    assert shown.stderr.startswith("Cell 2 is not shown: This profile has schema version 2")


def test_who_reads_no_further_is_no_error(tmp_path):
    stored = json.loads(dumps(profile()))
    path = showing(tmp_path / "one.ipynb", *[stored] * 400)
    command = f"{sys.executable} -m jupyter_mlprof show {path} | head -n 1; echo ${{PIPESTATUS[0]}}"
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert shown.stdout == "\n0\n"
    assert shown.stderr == ""


def test_what_works_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    told = mlprof("doctor", "--json")
    checks = {check["name"]: check for check in json.loads(told.stdout)}
    assert checks["ipykernel"]["state"] == "ok"
    assert checks["kernel python3"]["state"] == "ok"
    assert str(tmp_path) in checks["runs"]["found"]
    missing = [name for name, check in checks.items() if check["state"] == "missing"]
    assert told.returncode == (1 if missing else 0)
    plain = mlprof("doctor").stdout
    assert all(f"{check['found']}\n" in plain for check in checks.values())


CONTENTS = {
    "empty": b"",
    "cut": b"{",
    "list": b"[]",
    "cells": b'{"nbformat": 4, "cells": 3}',
    "foreign": b'{"name": "package"}',
    "binary": b"\0\xff\x80",
    "utf-16": '{"nbformat": 4, "cells": []}'.encode("utf-16"),
    "format 3": b'{"nbformat": 3, "worksheets": []}',
    "deep": b"[" * 100_000,
    "picture": b"\x89PNG\r\n\x1a\n",
    "missing": None,
}
COMMANDS = ["run", "show", "report", "strip"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("content", CONTENTS)
def test_what_is_no_notebook_is_refused_in_a_sentence(tmp_path, capsys, command, content):
    path = tmp_path / "bad.ipynb"
    held = CONTENTS[content]
    if held is not None:
        path.write_bytes(held)
    more = ["-o", str(tmp_path / "out.html")] if command == "report" else []
    assert main([command, str(path), *more]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
    assert str(path) in told.err
    assert [one.name for one in tmp_path.iterdir()] == ["bad.ipynb"] * (held is not None)
    assert held is None or path.read_bytes() == held


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_is_refused_in_a_sentence(tmp_path, capsys, command):
    more = ["-o", str(tmp_path / "out.html")] if command == "report" else []
    assert main([command, str(tmp_path), *more]) == 2
    assert capsys.readouterr().err == f"Cannot read {tmp_path}: Is a directory.\n"


def test_a_report_without_bokeh_says_how_to_get_it(tmp_path, capsys, monkeypatch):
    path = tmp_path / "one.mlprof.json"
    path.write_text(dumps(profile()), "utf-8")
    monkeypatch.setitem(sys.modules, "bokeh.plotting", None)
    assert main(["report", str(path), "-o", str(tmp_path / "out.html")]) == 2
    assert capsys.readouterr().err == 'Reports need Bokeh: pip install "bokeh>=3.6"\n'
    assert not (tmp_path / "out.html").exists()


@pytest.mark.slow
def test_a_notebook_of_two_hundred_megabytes_is_read_and_stripped(tmp_path):
    stored = json.loads(dumps(profile()))
    path = showing(tmp_path / "one.ipynb", stored)
    picture = b'{"output_type": "display_data", "metadata": {}, "data": {"image/png": "%s"}}, {\n'
    content = path.read_bytes()
    at = content.index(b"{", content.index(b'"outputs"'))
    big = content[:at] + picture % (b"A" * 200_000_000) + content[at + 1 :]
    path.write_bytes(big)
    shown = mlprof("show", path)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert mlprof("strip", path).stderr == f"{path}: cut 1 profile\n"
    assert 200_000_000 < path.stat().st_size < len(big)


def test_wrong_usage_exits_with_2():
    assert mlprof("nonsense").returncode == 2
    assert mlprof().returncode == 2
