"""A profiled cell runs as a plain one, in a real kernel."""

import json
import time

import jsonschema
import pytest

from jupyter_mlprof.model.profile import MIME_TYPE
from tests.unit.test_schema import SCHEMA

BUSY = """from time import monotonic
end = monotonic() + 0.4
while monotonic() < end:
    sum(range(500))
"""


def test_the_bundle_is_valid_and_complete(kernel):
    ran = kernel.run("%%mlprof -n first --calls\n" + BUSY, cell_id="cell-1")
    assert ran.reply["status"] == "ok"
    assert list(ran.bundle) == [MIME_TYPE, "text/html", "text/plain"]
    jsonschema.validate(ran.bundle[MIME_TYPE], SCHEMA)
    profile = ran.profile
    assert (profile.name, profile.outcome, profile.cell.id) == ("first", "ok", "cell-1")
    assert profile.cell.source == "%%mlprof -n first --calls\n" + BUSY
    assert 0.4 <= profile.duration_s < 5
    assert profile.memory is not None
    assert profile.memory.peak_bytes >= profile.memory.start_bytes > 10_000_000
    assert profile.timeline.named("rss") is not None
    assert max(profile.lines, key=lambda line: line.wall_s).line in (4, 5)
    assert profile.functions[0].name == "<cell>"
    assert {one.name: one.state for one in profile.collectors} == {
        "sidecar": "ran",
        "nvml": "unavailable",
        "namespace": "ran",
        "loader": "unavailable",
        "steps": "unavailable",
        "torch_ops": "unavailable",
        "stacks": "ran",
        "calls": "ran",
        "journal": "ran",
    }
    assert profile.overhead.kernel_cpu_s > 0
    assert profile.verdict.rule == "compute"
    assert ran.bundle["text/plain"].startswith(f"ML profile: first\n\n{profile.verdict.text[:40]}")


def test_the_value_of_the_last_line_is_shown(kernel):
    ran = kernel.run("%%mlprof --quiet\n20 + 1")
    assert [bundle["text/plain"] for bundle in ran.bundles] == ["21"]
    assert kernel.run("%%mlprof --quiet\n20 + 1;").bundles == []
    assert kernel.value("_") == "21"


def test_top_level_await_works(kernel):
    ran = kernel.run("%%mlprof\nimport asyncio\nawait asyncio.sleep(0.3)\nkept = 5")
    assert ran.reply["status"] == "ok"
    assert ran.profile.verdict.rule == "idle" or "Too short" in ran.profile.verdict.text
    assert kernel.value("kept") == "5"


def test_magics_inside_work(kernel):
    ran = kernel.run("%%mlprof --quiet\n%time x = 1\ny = !echo hi\n%env MLPROF_TEST=1")
    assert ran.reply["status"] == "ok"
    assert kernel.value("(x, y[0])") == "(1, 'hi')"
    assert kernel.run("%%mlprof\n%%time\nz = 3").reply["status"] == "ok"
    assert kernel.value("z") == "3"
    captured = kernel.run("%%capture out\n%%mlprof\nprint('inside')")
    assert captured.reply["status"] == "ok"
    assert kernel.value("out.stdout") == "inside"


def test_an_error_is_the_users_own(kernel):
    ran = kernel.run("%%mlprof\n\nx = 1\n1 / 0\n")
    assert (ran.reply["status"], ran.reply["ename"]) == ("error", "ZeroDivisionError")
    (error,) = (m["content"] for m in ran.messages if m["msg_type"] == "error")
    trace = "\n".join(error["traceback"])
    assert "line 4" in trace or "4\x1b" in trace
    assert "jupyter_mlprof" not in trace
    assert ran.profile.outcome == "error"
    assert ran.profile.error is not None
    assert (ran.profile.error.type, ran.profile.error.line) == ("ZeroDivisionError", 4)
    assert ran.profile.verdict.text.startswith("Stopped by ZeroDivisionError in line 4")


def test_an_interrupt_is_the_users_own(kernel):
    sent = kernel.send("%%mlprof\nimport time\n\nprint('on', flush=True); time.sleep(60)")
    while kernel.client.get_iopub_msg(timeout=60)["msg_type"] != "stream":
        pass
    time.sleep(0.2)  # what is printed comes before the next statement runs
    kernel.manager.interrupt_kernel()
    ran = kernel.collect(sent)
    assert (ran.reply["status"], ran.reply["ename"]) == ("error", "KeyboardInterrupt")
    assert ran.profile.outcome == "interrupted"
    assert ran.profile.verdict.text.startswith("Stopped by KeyboardInterrupt in line 4")


def test_a_syntax_error_gets_no_profile(kernel):
    ran = kernel.run("%%mlprof\ndef (:")
    assert (ran.reply["status"], ran.reply["ename"]) == ("error", "SyntaxError")
    assert ran.bundles == []
    assert kernel.run("%%mlprof\nx = 1").profile.outcome == "ok"


def test_wrong_options_stop_the_cell(kernel):
    kernel.run("ran = False")
    ran = kernel.run("%%mlprof --nonsense\nran = True")
    assert (ran.reply["status"], ran.reply["ename"]) == ("error", "UsageError")
    assert "unrecognized arguments: --nonsense" in ran.stderr
    assert kernel.value("ran") == "False"


def test_options(kernel):
    assert kernel.run("%%mlprof --quiet -o kept\nx = 1").bundles == []
    assert kernel.value("(type(kept).__name__, kept.outcome)") == "('CellProfile', 'ok')"
    code = "%%mlprof --no-source\nimport time\nsecret = 'abc'; time.sleep(0.6)"
    ran = kernel.run(code)
    assert "secret" not in json.dumps(ran.bundle)
    assert (ran.profile.cell.source, ran.profile.cell.truncated) == ("", True)


def test_the_home_folder_is_not_told(fresh_kernel):
    fresh_kernel.run("%load_ext jupyter_mlprof\nimport os")
    home = fresh_kernel.value("os.path.expanduser('~')")
    fresh_kernel.run(f"import os\nos.environ['JPY_SESSION_NAME'] = '{home}/secret/a.ipynb'")
    ran = fresh_kernel.run("%%mlprof\nopen(os.path.expanduser('~/none'))")
    assert home not in json.dumps(ran.bundle)
    assert ran.profile.cell.notebook == "~/secret/a.ipynb"
    assert ran.profile.error is not None
    assert "~/none" in ran.profile.error.message


def test_the_last_profile_can_be_had(kernel):
    kernel.run("%%mlprof --quiet -n newest\nx = 1")
    assert kernel.value("__import__('jupyter_mlprof').last().name") == "newest"


def test_a_rerun_knows_the_run_before(kernel):
    first = kernel.run("%%mlprof\nx = 1", cell_id="again").profile
    second = kernel.run("%%mlprof\nx = 2", cell_id="again").profile
    assert first.previous is None
    assert second.previous is not None
    assert second.previous.id == first.id


def test_lines_are_the_editors_below_blank_lines(kernel):
    ran = kernel.run("\n\n%%mlprof\n" + BUSY)
    assert max(ran.profile.lines, key=lambda line: line.wall_s).line in (6, 7)


def test_functions_of_other_cells_are_named_by_their_cell(kernel):
    kernel.run("def spin(end):\n    import time\n    while time.monotonic() < end: pass")
    count = kernel.value("len(In) - 2")
    profile = kernel.run("%%mlprof --calls\nimport time\nspin(time.monotonic() + 0.3)").profile
    (spin,) = (one for one in profile.functions if one.name == "spin")
    assert (spin.file, spin.line, spin.calls) == (f"In [{count}]", 1, 1)
    assert spin.callers is not None
    assert spin.callers[0].name == "<cell>"


def test_unloading_takes_all_out(fresh_kernel):
    kernel = fresh_kernel
    events = "get_ipython().events.callbacks"
    count = f"{{k: len(v) for k, v in {events}.items()}}"
    before = kernel.value(f"{count}, len(get_ipython().input_transformers_cleanup)")
    assert kernel.run("%load_ext jupyter_mlprof\n").reply["status"] == "ok"
    assert kernel.run("%load_ext jupyter_mlprof\n").reply["status"] == "ok"
    assert len(kernel.run("%%mlprof\nx = 1").bundles) == 1
    kernel.run("%unload_ext jupyter_mlprof")
    assert kernel.value(f"{count}, len(get_ipython().input_transformers_cleanup)") == before
    ran = kernel.run("%%mlprof\nx = 1")
    assert "not found" in ran.stderr


def test_a_cell_may_unload(fresh_kernel):
    kernel = fresh_kernel
    kernel.run("%load_ext jupyter_mlprof")
    ran = kernel.run("%%mlprof\n%unload_ext jupyter_mlprof\nx = 1")
    assert (ran.reply["status"], ran.bundles, ran.stderr) == ("ok", [], "")
    assert kernel.value("__import__('sys').getprofile()") == "None"
    assert kernel.run("%load_ext jupyter_mlprof").stderr == ""
    assert kernel.run("%%mlprof\nx = 1").profile.outcome == "ok"
    ran = kernel.run("%%mlprof\n%reload_ext jupyter_mlprof\nx = 1")
    assert (ran.reply["status"], ran.stderr) == ("ok", "")
    assert kernel.run("%%mlprof\nx = 1").profile.outcome == "ok"


# IPython cannot run another cell on such a stderr: it is put back as soon as we are done.
BREAKABLE = """
import sys
import jupyter_mlprof.session as module
kept, compose = sys.stderr, module.compose
class Broken:
    def write(self, text): raise OSError("broken")
    def flush(self): pass
def put_back(result):
    sys.stderr, module.compose = kept, compose
get_ipython().events.register("post_run_cell", put_back)
"""


@pytest.mark.parametrize("broken", ["None", "Broken()"])
def test_a_cell_may_break_stderr(fresh_kernel, broken):
    fresh_kernel.run("%load_ext jupyter_mlprof")
    fresh_kernel.run(BREAKABLE)
    ran = fresh_kernel.run(f"%%mlprof\nsys.stderr = {broken}\nmodule.compose = None")
    assert (ran.reply["status"], ran.bundles) == ("ok", [])
    assert "Error in callback" not in ran.stdout
    assert fresh_kernel.run("%%mlprof\nx = 1").profile.outcome == "ok"


@pytest.mark.parametrize(
    "body",
    [
        "    q = 1\n    q",
        "\n  q = 1\n  if q:\n      q = 2\n  q",
        ">>> q = 1\n>>> q",
        "In [1]: q = 1\n   ...: q",
        "    >>> q = 1\n    >>> q",
    ],
)
def test_what_ipython_cleans_is_clean_below_the_magic(kernel, body):
    plain, ran = kernel.run(body), kernel.run(f"%%mlprof\n{body}")
    assert plain.reply["status"] == ran.reply["status"] == "ok"
    (shown,) = (one["text/plain"] for one in plain.bundles)
    assert shown in [one["text/plain"] for one in ran.bundles]
    assert len(ran.bundles) == 2


def test_an_indented_magic_profiles(kernel):
    ran = kernel.run("\n    %%mlprof\n    q = 1\n")
    assert (ran.reply["status"], ran.profile.outcome) == ("ok", "ok")


def test_the_users_transformers_run_as_often_as_without(fresh_kernel):
    fresh_kernel.run("%load_ext jupyter_mlprof")
    fresh_kernel.run(
        "seen = []\ndef look(lines):\n    seen.append(1)\n    return lines\n"
        "get_ipython().input_transformers_post.append(look)"
    )
    counts = []
    for code in ("%%mlprof\nx = 1\nx = 2", "x = 1\nx = 2"):
        fresh_kernel.run("seen.clear()")
        fresh_kernel.run(code)
        counts.append(int(fresh_kernel.value("len(seen)")))
    assert counts[0] == counts[1]


def test_a_finder_of_old_does_not_stop_an_import(fresh_kernel):
    folder = fresh_kernel.data_dir / "fake" / "torch" / "optim"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "__init__.py").touch()
    (folder / "optimizer.py").write_text(
        "hooked = []\n"
        "class Handle:\n    def remove(self): hooked.append('removed')\n"
        "def register_optimizer_step_pre_hook(hook):\n    return Handle()\n"
        "register_optimizer_step_post_hook = register_optimizer_step_pre_hook\n"
    )
    fresh_kernel.run("%load_ext jupyter_mlprof")
    fresh_kernel.run(
        "import sys\nclass Old:\n    def find_module(self, name, path=None): pass\n"
        f"sys.path.insert(0, {str(folder.parents[1])!r})"
    )
    ran = fresh_kernel.run("%%mlprof\nsys.meta_path.insert(1, Old())\nimport torch.optim.optimizer")
    assert (ran.reply["status"], ran.stderr) == ("ok", "")
    # Of the steps' own two hooks, and of that by which the operators' window counts them.
    assert fresh_kernel.value("torch.optim.optimizer.hooked") == str(["removed"] * 3)


def test_a_foreign_magic_is_kept(fresh_kernel):
    kernel = fresh_kernel
    kernel.run("from IPython.core.magic import register_cell_magic")
    kernel.run("@register_cell_magic\ndef mlprof(line, cell): print('theirs')")
    ran = kernel.run("%load_ext jupyter_mlprof")
    assert "a magic named mlprof exists already and is kept" in ran.stderr
    assert kernel.run("%%mlprof\nx").stdout.strip() == "theirs"


def test_loading_imports_nothing_heavy(fresh_kernel):
    fresh_kernel.run("%load_ext jupyter_mlprof")
    heavy = "torch tensorflow bokeh pandas numpy libcst nbformat"
    code = f"import sys; print([m for m in '{heavy}'.split() if m in sys.modules])"
    assert fresh_kernel.run(code).stdout.strip() == "[]"
