"""A cell that ends otherwise than by its last line leaves nothing behind, in a real kernel."""

import os
import signal
import time
from pathlib import Path

import pytest

# Waits for what ends by itself, as the DataLoader's threads do.
LEFT = """
import gc, json, os, sys, threading, time
shell = get_ipython()
def left_now():
    children = [open(f"/proc/self/task/{t}/children").read() for t in os.listdir("/proc/self/task")]
    return {
        "profile": repr(sys.getprofile()),
        "trace": repr(sys.gettrace()),
        "finders": [repr(type(one)) for one in sys.meta_path],
        "threads": sorted(one.name for one in threading.enumerate() if "mlprof" in one.name),
        "files": len(os.listdir("/proc/self/fd")),
        "children": "".join(children),
        "shell": sorted(one for one in vars(shell) if "traceback" in one and one[0] != "_"),
        "tool": getattr(sys, "monitoring", None) and sys.monitoring.get_tool(2),
    }
gc.collect()
print(json.dumps(left_now()))
"""

BAD_STR = """
class Bad(Exception):
    def __str__(self): raise ValueError("no text")
raise Bad
"""
# A further interrupt while IPython shows and stores the first one.
TWICE = """
class Twice(KeyboardInterrupt):
    def _render_traceback_(self): raise KeyboardInterrupt
raise Twice
"""
NESTED = "shell = get_ipython()\nshell.run_cell('1 / 0')\nshell.run_cell('')\nraise TypeError"

BODIES = {
    "it ends well": "x = 1",
    "an error": "1 / 0",
    "an error whose text fails": BAD_STR,
    "an interrupt within an interrupt": TWICE,
    "exit": "import sys; sys.exit(3)",
    "generator exit": "raise GeneratorExit",
    "cells inside": NESTED,
    "a line that does not compile": "x = 1\nreturn 2",
    "unloaded": "%unload_ext jupyter_mlprof\n%load_ext jupyter_mlprof",
    "unloaded before an error": "%unload_ext jupyter_mlprof\n%load_ext jupyter_mlprof\n1 / 0",
    "reloaded": "%reload_ext jupyter_mlprof\nx = 1",
    "awaits": "import asyncio\nawait asyncio.sleep(0.05)\n1 / 0",
}


def left(kernel):
    return kernel.run(LEFT).stdout


@pytest.fixture
def clean(kernel):
    """The kernel; it must be as before at the end, and profile the next cell."""
    kernel.run("%%mlprof --quiet\nx = 1")  # starts the sidecar, which stays
    before = left(kernel)
    yield kernel
    assert left(kernel) == before
    assert kernel.run("%%mlprof\nx = 1").profile.outcome == "ok"
    assert left(kernel) == before


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_nothing_is_left_behind(clean, body):
    clean.run(f"%%mlprof\n{body}")


def wait_for_output(kernel):
    while kernel.client.get_iopub_msg(timeout=60)["msg_type"] != "stream":
        pass


def wait_until_it_answers(kernel):
    """What is asked before the interrupted cell has ended is aborted."""
    for _ in range(100):
        if kernel.run("0").reply["status"] == "ok":
            return
        time.sleep(0.1)
    pytest.fail("the kernel does not answer any more")


# One long await would go on: ipykernel's loop does not wake up for an interrupt.
@pytest.mark.parametrize(
    "wait", ["time.sleep(60)", "for _ in range(600): await asyncio.sleep(0.1)"]
)
@pytest.mark.parametrize("pauses", [[], [0.01], [0.1, 0.1], [0.3, 0.05], [0.03] * 6])
def test_interrupts_one_upon_the_other_end_the_profile(clean, wait, pauses):
    sent = clean.send(f"%%mlprof\nimport asyncio, time\nprint('on', flush=True)\n{wait}")
    wait_for_output(clean)
    clean.manager.interrupt_kernel()
    for pause in pauses:
        time.sleep(pause)
        clean.manager.interrupt_kernel()
    # Of several interrupts one may meet ipykernel between the cell and its reply, which then never
    # comes, with us or without; that nothing of ours is left is what `clean` looks at.
    if not pauses:
        assert clean.collect(sent).reply["status"] == "error"
    wait_until_it_answers(clean)


def test_an_interrupt_within_an_interrupt_is_told(kernel):
    ran = kernel.run(f"%%mlprof\n{TWICE}")
    assert ran.profile.outcome == "interrupted"
    assert ran.profile.error is not None
    assert (ran.profile.error.type, ran.profile.error.line) == ("Twice", 5)


COMPILER_INTERRUPTED = """
shell = get_ipython()
class Compiler:
    kept = shell.compile
    def __getattr__(self, name): return getattr(self.kept, name)
    def __call__(self, *args, **kwargs):
        shell.compile = self.kept
        raise KeyboardInterrupt
shell.compile = Compiler()
"""


def test_an_interrupt_between_two_statements_is_told(kernel):
    kernel.run(COMPILER_INTERRUPTED)
    assert kernel.run("%%mlprof\nx = 1").profile.outcome == "interrupted"
    assert kernel.run("%%mlprof\nx = 1").profile.outcome == "ok"


def test_the_error_is_the_cells_when_its_text_fails(kernel):
    ran = kernel.run(f"%%mlprof\n{BAD_STR}")
    plain = kernel.run(BAD_STR)
    assert ran.profile.error is not None
    assert (ran.profile.error.type, ran.profile.error.message) == ("Bad", "")
    assert ran.reply["ename"] == plain.reply["ename"]
    shown, bare = ([m for m in one.messages if m["msg_type"] == "error"] for one in (ran, plain))
    assert len(shown) == len(bare)
    assert "mlprof" not in str([one["content"]["traceback"] for one in shown])


def test_what_a_cell_inside_shows_does_not_end_the_outer_one(kernel):
    code = "%%mlprof\nimport time\nshell = get_ipython()\nshell.run_cell('1 / 0')\n"
    code += "try: 1 / 0\nexcept Exception: shell.showtraceback()\n"
    code += "shell.run_cell('%%mlprof\\ny = 5')\ntime.sleep(0.5)"
    ran = kernel.run(code)
    assert ran.profile.outcome == "ok"
    assert ran.profile.duration_s >= 0.5
    assert max(ran.profile.lines, key=lambda line: line.wall_s).line == 8


@pytest.mark.parametrize(
    "body",
    ["raise Slow", "import asyncio\nawait asyncio.sleep(0)\nraise Slow", "raise SlowSyntax"],
)
def test_the_time_to_show_an_error_is_not_the_cells(kernel, body):
    kernel.run("""
import time
class Slow(Exception):
    def _render_traceback_(self):
        time.sleep(1)
        return ["slow"]
class SlowSyntax(SyntaxError):
    def __str__(self):
        time.sleep(1)
        return "slow"
""")
    ran = kernel.run(f"%%mlprof\n{body}")
    assert ran.profile.duration_s < 0.7
    assert not [one for one in ran.profile.functions if "_render" in one.name]
    assert not [one for one in ran.profile.functions if one.name == "showtraceback"]


INTERRUPTED = """
import os, signal
import jupyter_mlprof.{module} as module
original = module.{name}
def interrupted(*args, **kwargs):
    module.{name} = original
    os.kill(os.getpid(), signal.SIGINT)
    return original(*args, **kwargs)
module.{name} = interrupted
"""


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("session", "compose"),
        ("notebook.hook", "outcome"),
        ("view.bundle", "bundle"),
        ("collect.capture", "_clocks"),
    ],
)
@pytest.mark.parametrize("body", ["x = 1", "1 / 0"])
def test_an_interrupt_after_the_cell_costs_the_profile_alone(clean, module, name, body):
    plain = clean.run(body).reply
    # The cell itself arms it: `_clocks` is read at the start as well.
    ran = clean.run(f"%%mlprof\n{INTERRUPTED.format(module=module, name=name)}\n{body}")
    assert ran.reply["status"] == plain["status"]
    assert ran.reply.get("ename") == plain.get("ename")
    assert "KeyboardInterrupt" not in str([m for m in ran.messages if m["msg_type"] == "error"])


def test_an_interrupt_before_the_cell_reaches_it(clean):
    clean.run(INTERRUPTED.format(module="notebook.hook", name="cell_run"))
    begun = time.monotonic()
    ran = clean.run("%%mlprof\nimport time\ntime.sleep(30)")
    assert time.monotonic() - begun < 10
    assert (ran.reply["status"], ran.reply["ename"]) == ("error", "KeyboardInterrupt")


def test_an_event_that_never_came_does_not_matter(clean):
    clean.run("shell = get_ipython()\nkept = shell.events.callbacks['post_run_cell'][:]")
    clean.run("%%mlprof\nshell.events.callbacks['post_run_cell'].clear()")
    clean.run("shell.events.callbacks['post_run_cell'][:] = kept")


def running(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def sidecar_of(kernel):
    pids = [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if b"sidecar_script" in (words := path.read_bytes())
        and str(kernel.pid).encode() in words.split(b"\0")
    ]
    (pid,) = pids
    return pid


def test_a_cell_that_waits_for_all_children_ends(fresh_kernel):
    fresh_kernel.run("%load_ext jupyter_mlprof")
    code = """%%mlprof
import os
mine = os.posix_spawnp("true", ["true"], os.environ)
waited = [os.wait()[0]]
try:
    while True:
        waited.append(os.waitpid(-1, 0)[0])
except ChildProcessError:
    pass
"""
    for _ in range(2):
        ran = fresh_kernel.run(code)
        assert ran.reply["status"] == "ok"
        assert ran.profile.memory is not None
        assert fresh_kernel.value("waited == [mine]") == "True"
    status = Path(f"/proc/{sidecar_of(fresh_kernel)}/status").read_text()
    assert f"PPid:\t{fresh_kernel.pid}\n" not in status


def test_a_killed_sidecar_is_replaced(fresh_kernel):
    fresh_kernel.run("%load_ext jupyter_mlprof")
    fresh_kernel.run("%%mlprof\nx = 1")
    before = sidecar_of(fresh_kernel)
    os.kill(before, signal.SIGKILL)
    while running(before):
        time.sleep(0.01)
    ran = fresh_kernel.run("%%mlprof\nimport time; time.sleep(0.2)")
    assert {one.name: one.state for one in ran.profile.collectors}["sidecar"] == "ran"
    assert sidecar_of(fresh_kernel) != before


def test_the_sidecar_ends_with_a_kernel_whose_workers_live_on(fresh_kernel):
    fresh_kernel.run("%load_ext jupyter_mlprof")
    fresh_kernel.run("%%mlprof\nx = 1")
    worker = int(
        fresh_kernel.run(
            "import os, time\nworker = os.fork()\n"
            "if worker == 0:\n    time.sleep(60)\n    os._exit(0)\nprint(worker)"
        ).stdout
    )
    sidecar = sidecar_of(fresh_kernel)
    try:
        os.kill(fresh_kernel.pid, signal.SIGKILL)
        deadline = time.monotonic() + 2
        while running(sidecar) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert running(worker)
        assert not running(sidecar)
    finally:
        os.kill(worker, signal.SIGKILL)
