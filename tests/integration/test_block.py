"""A statement, a block and every cell profiled: `%mlprof`, `mlprof.profile()`, `%mlprof_auto`."""

import os
import subprocess
import sys
import threading

import pytest

import jupyter_mlprof as mlprof
from jupyter_mlprof.model.profile import MIME_TYPE

WORK = """import time
import jupyter_mlprof as mlprof
def work(seconds):
    time.sleep(seconds)
    return 2 * seconds
"""
SCRIPT = f"""{WORK}
def main():
    with mlprof.profile():
        work(0.3)


main()
print("done")
"""


@pytest.fixture(scope="module", autouse=True)
def _work(kernel):
    kernel.run(WORK)


@pytest.fixture
def auto(kernel):
    yield lambda word: kernel.run(f"%mlprof_auto {word}")
    kernel.run("%mlprof_auto off")


def shown(ran):
    """The profiles shown by a cell."""
    return [bundle for bundle in ran.bundles if MIME_TYPE in bundle]


def test_a_statement_is_profiled_and_gives_its_value(kernel):
    ran = kernel.run("\nx = 1\n%mlprof -n name -o kept work(0.3)", cell_id="one")
    assert ran.bundles[-1]["text/plain"] == "0.6"
    profile = ran.profile
    assert (profile.name, profile.cell.id, profile.outcome) == ("name", "one", "ok")
    assert 0.3 <= profile.duration_s < 3
    # The whole cell is the source, so lines are those of the editor.
    assert profile.cell.source.startswith("\nx = 1")
    assert [line.line for line in profile.lines] == [3]
    assert kernel.value("kept.id") == profile.id


def test_a_statement_sees_the_variables_of_a_function(kernel):
    ran = kernel.run("def f(seconds):\n    %mlprof --quiet work(seconds)\nf(0.01)")
    assert ran.reply["status"] == "ok"
    assert kernel.run("y = %mlprof --quiet work(0.01)\ny").bundles[-1]["text/plain"] == "0.02"


def test_an_error_in_a_statement_ends_the_cell(kernel):
    ran = kernel.run("%mlprof work('long')\nwent_on = True")
    assert ran.reply["ename"] == "TypeError"
    assert ran.profile.error.type == "TypeError"
    assert "jupyter_mlprof" not in "".join(ran.reply["traceback"])
    assert kernel.value("'went_on' in globals()") == "False"


def test_a_wrong_statement_is_one_sentence(kernel):
    ran = kernel.run("%mlprof --what work(1)")
    assert ran.reply["ename"] == "UsageError"
    assert kernel.run("%mlprof 1 +").reply["ename"] == "SyntaxError"
    assert kernel.run("%mlprof_auto maybe").reply["ename"] == "UsageError"


def test_a_block_is_profiled_as_far_as_it_ran_inside(kernel):
    ran = kernel.run("work(0.2)\nwith mlprof.profile('block') as block:\n    work(0.3)\nwork(0.2)")
    profile = ran.profile
    assert (profile.name, profile.outcome) == ("block", "ok")
    assert 0.3 <= profile.duration_s < 0.5 or profile.cpu_s > 0.1
    assert [line.line for line in profile.lines] == [3]
    assert kernel.value("block.profile.id") == profile.id
    assert kernel.value("mlprof.last().id") == profile.id


def test_an_error_leaves_a_block_as_it_came(kernel):
    ran = kernel.run("with mlprof.profile(quiet=True) as block:\n    1 / 0")
    assert ran.reply["ename"] == "ZeroDivisionError"
    assert shown(ran) == []
    assert kernel.value("block.profile.error.line") == "2"


def test_the_outer_one_wins(kernel):
    cell = "%%mlprof\nwith mlprof.profile() as block:\n    %mlprof work(0.01)"
    ran = kernel.run(cell)
    assert ran.stderr == ""
    assert ran.profile.cell.source == cell
    assert kernel.value("block.profile") == "None"


def test_a_block_in_another_thread_says_that_it_is_not_profiled(kernel):
    cell = (
        "%%mlprof\nimport threading\ndef run():\n    with mlprof.profile():\n        pass\n"
        "thread = threading.Thread(target=run)\nthread.start()\nthread.join()"
    )
    assert "this block is not" in kernel.run(cell).stderr


def test_auto_shows_nothing_where_nothing_was_found(kernel, auto):
    auto("on")
    ran = kernel.run("work(0.2)", cell_id="auto")
    assert shown(ran) == []
    assert kernel.value("mlprof.last().cell.source") == "work(0.2)"
    # Nor is anything kept of a cell that is over at once.
    kernel.run("work(0.001)")
    assert kernel.value("mlprof.last().cell.source") == "work(0.2)"


def test_auto_shows_all_if_asked_for(kernel, auto):
    auto("all")
    assert kernel.run("work(0.01)").profile.cell.source == "work(0.01)"
    assert shown(kernel.run("%mlprof_auto off")) == []
    assert shown(kernel.run("work(0.01)")) == []


def test_a_script_prints_its_profile(tmp_path):
    file = tmp_path / "train.py"
    file.write_text(SCRIPT)
    run = subprocess.run(
        [sys.executable, file], capture_output=True, text=True, check=True, env=os.environ
    )
    assert run.stdout == "done\n"
    assert run.stderr.startswith("ML profile: train.py\n")
    assert "work(0.3)" in run.stderr


def test_a_test_profiles_a_block():
    with mlprof.profile("here", quiet=True) as block:
        threading.Event().wait(0.2)
    assert block.profile is not None
    assert block.profile.name == "here"
    assert block.profile.cell.notebook is None
    (line,) = block.profile.lines
    code = block.profile.cell.source.split("\n")[line.line - 1]
    assert code.strip() == "threading.Event().wait(0.2)"
    assert any(one.file.endswith("test_block.py") for one in block.profile.functions)
