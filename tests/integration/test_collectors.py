"""What collectors say of programs whose answer is known, in a real kernel."""

import os
import sys
import time
from pathlib import Path

import pytest

SPLIT = """%%mlprof --calls
import time
def busy(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass
busy(0.9)
time.sleep(0.6)
"""


def seconds_of(profile, line):
    return next((one.wall_s for one in profile.lines if one.line == line), 0.0)


def test_lines_get_their_time(kernel):
    profile = kernel.run(SPLIT).profile
    # On a busy machine the sampler may come late, and gives what passed to the line it finds.
    assert seconds_of(profile, 7) == pytest.approx(0.9, abs=0.3)
    assert seconds_of(profile, 8) == pytest.approx(0.6, abs=0.3)
    assert seconds_of(profile, 7) + seconds_of(profile, 8) == pytest.approx(1.5, abs=0.2)
    busy = next(one for one in profile.functions if one.name == "busy")
    assert busy.self_s == pytest.approx(0.9, abs=0.3)
    assert busy.calls == 1


def test_a_call_that_holds_the_gil_is_not_lost(kernel):
    code = "%%mlprof\nimport ctypes, time; libc = ctypes.PyDLL(None)\ntime.sleep(0.2)\n"
    code += "libc.usleep(800_000)\nx = 1\n"
    profile = kernel.run(code).profile
    # Its time is kept, though it may go to a neighbour: when the call gives the GIL back, another
    # thread may get it first, and the cell be past the line when the sampler's turn comes.
    assert seconds_of(profile, 3) + seconds_of(profile, 4) > 0.8
    rss = profile.timeline.named("rss")
    assert rss is not None
    assert len(rss.values) >= 4  # the process beside the kernel saw through it


def test_the_tree_adds_up(kernel):
    profile = kernel.run(SPLIT).profile
    nodes = profile.flame.nodes
    roots = sum(seconds for parent, _, seconds in nodes if parent == -1)
    assert roots == pytest.approx(profile.duration_s, abs=0.2)
    for place, (parent, _, seconds) in enumerate(nodes):
        assert parent < place
        assert parent == -1 or nodes[parent][2] >= seconds - 1e-6


def test_threads_are_seen_in_their_lines_and_functions(kernel):
    cell = """%%mlprof
import threading, time
def longer():
    time.sleep(0.6)
def shorter():
    time.sleep(0.3)
threads = [threading.Thread(target=one) for one in (longer, shorter, shorter)]
for one in threads: one.start()
for one in threads: one.join()
"""
    profile = kernel.run(cell).profile
    lines = {one.line: one.wall_s for one in profile.lines}
    assert lines[4] > 0.5
    # A line's time is that in which any thread was there, a function's that of all.
    assert 0.2 < lines[6] < lines[4]
    total = {one.name: one.total_s for one in profile.functions if one.file == "<cell>"}
    assert total["shorter"] > 1.5 * lines[6]
    assert "other threads" not in total
    roots = {
        profile.flame.frames[frame].name for parent, frame, _ in profile.flame.nodes if parent < 0
    }
    assert roots == {"<cell>", "other threads"}


def test_an_older_pool_is_seen_while_it_works_for_a_cell(kernel):
    kernel.run(
        "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(1)\n"
        "pool.submit(int).result()"
    )
    cell = "%%mlprof\nimport time\ndef task():\n    time.sleep(0.4)\npool.submit(task).result()"
    profile = kernel.run(cell).profile
    assert {4, 5} <= {one.line for one in profile.lines}
    idle = kernel.run("%%mlprof\nimport time\ntime.sleep(0.3)").profile
    assert "other threads" not in {one.name for one in idle.flame.frames}
    assert kernel.run("pool.shutdown()").reply["status"] == "ok"


def calls_of(profile):
    return next(one for one in profile.collectors if one.name == "calls")


def test_calls_are_counted_exactly(kernel):
    code = "%%mlprof --calls\ndef f(): return 1\nfor _ in range(300_000): f()\n"
    profile = kernel.run(code).profile
    assert calls_of(profile).state == "ran"
    assert next(one for one in profile.functions if one.name == "f").calls == 300_000
    assert kernel.value("__import__('sys').getprofile()") == "None"


def test_functions_too_quick_to_be_sampled_are_counted(kernel):
    profile = kernel.run("%%mlprof --calls\ndef quick(): pass\nfor _ in range(50): quick()").profile
    (quick,) = (one for one in profile.functions if one.name == "quick")
    assert quick.calls == 50
    assert (quick.file, quick.line) == ("<cell>", 2)


def test_too_many_calls_cut_the_counting(kernel):
    code = "%%mlprof\ndef f(): return 1\nfor _ in range(6_000_000): f()\n"
    profile = kernel.run(code).profile
    assert calls_of(profile).state == "cut"
    assert "its share of the budget; --calls counts to the end" in calls_of(profile).reason
    assert profile.calls.to_s < 0.5 * profile.duration_s
    assert kernel.value("__import__('sys').getprofile()") == "None"


def test_calls_that_come_late_are_cut_too(kernel):
    code = "%%mlprof\nimport time\ndef f(): return 1\ntime.sleep(1)\n"
    profile = kernel.run(code + "for _ in range(8_000_000): f()\n").profile
    assert calls_of(profile).state == "cut"
    assert 1 <= profile.calls.to_s < profile.duration_s


def test_a_larger_budget_counts_for_longer(kernel):
    code = "\nimport time\ndef f(): return 1\ntime.sleep(0.5)\nfor _ in range(8_000_000): f()\n"
    counted = []
    for budget in (5, 80):
        profile = kernel.run(f"%%mlprof --budget {budget}{code}").profile
        assert profile.overhead.budget_pct == budget
        counted.append(next(one for one in profile.functions if one.name == "f").calls or 0)
    assert counted[0] < counted[1]


def test_a_profiler_in_a_function_of_another_cell_works(kernel):
    kernel.run(
        "import cProfile\ndef profiled():\n    one = cProfile.Profile()\n    one.enable()\n"
        "    sorted(range(10), key=lambda x: -x)\n    one.disable()\n    return one.getstats()"
    )
    ran = kernel.run("%%mlprof --calls\nstats = profiled()")
    assert ran.reply["status"] == "ok"
    assert int(kernel.value("len(stats)")) > 0
    assert kernel.value("__import__('sys').getprofile()") == "None"
    assert calls_of(ran.profile).state == "cut"


@pytest.mark.parametrize(
    "body",
    ["import cProfile\np = cProfile.Profile()\np.enable()\np.disable()", "%prun -q sum([1])"],
)
def test_the_users_own_profiler_goes_first(kernel, body):
    ran = kernel.run(f"%%mlprof\n{body}")
    assert ran.reply["status"] == "ok"
    calls = calls_of(ran.profile)
    assert (calls.state, calls.reason) == (
        "unavailable",
        "the cell uses a profiler or debugger of its own",
    )


def test_the_peak_of_memory_is_seen(kernel):
    code = "%%mlprof\nimport time\nbig = bytearray(200_000_000)\ntime.sleep(0.4)\n"
    code += "del big\ntime.sleep(0.3)\n"
    profile = kernel.run(code).profile
    memory = profile.memory
    assert memory.peak_bytes - memory.start_bytes == pytest.approx(2e8, rel=0.05)
    assert memory.end_bytes - memory.start_bytes < 2e7
    assert 0 < memory.peak_t_s < profile.duration_s - 0.2


def test_children_are_seen(kernel):
    code = """%%mlprof
import subprocess, sys
spin = "import time\\nwhile time.process_time() < 0.8: pass"
subprocess.run([sys.executable, "-c", spin])
"""
    profile = kernel.run(code).profile
    children = profile.timeline.named("children")
    assert children is not None
    assert max(value or 0 for value in children.values) >= 1
    assert 0.7 < profile.cpu_s < 1.2  # nearly all of it the child's


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat").read_text()
    return stat.rpartition(")")[2].split()[0] != "Z"


def sidecars_of(pid):
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if any(b"sidecar_script" in word for word in words) and str(pid).encode() in words:
            found.append(int(path.parent.name))
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sidecar runs on Linux only")
def test_one_sidecar_a_kernel_which_ends_with_it(fresh_kernel):
    kernel = fresh_kernel
    kernel.run("%load_ext jupyter_mlprof")
    pid = kernel.pid
    assert sidecars_of(pid) == []
    for _ in range(3):
        kernel.run("%%mlprof\nx = 1")
    (sidecar,) = sidecars_of(pid)
    os.kill(pid, 9)
    deadline = time.monotonic() + 5
    while alive(sidecar) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(sidecar)


def test_an_unwritable_data_folder_costs_the_timeline_alone(fresh_kernel):
    kernel = fresh_kernel
    blocker = kernel.data_dir / "mlprof"
    blocker.write_text("a file where the folder should be")
    kernel.run("%load_ext jupyter_mlprof")
    ran = kernel.run("%%mlprof\nimport time; time.sleep(0.3)")
    assert ran.reply["status"] == "ok"
    assert ran.stderr == ""
    assert ran.profile.memory is None
    assert ran.profile.lines


def test_a_failing_collector_is_reported_and_the_rest_goes_on(fresh_kernel):
    kernel = fresh_kernel
    kernel.run("%load_ext jupyter_mlprof")
    kernel.run(
        "import jupyter_mlprof.collect.stacks as s\n"
        "def broken(self): raise ValueError('on purpose')\n"
        "s.Stacks._function_times = broken"
    )
    ran = kernel.run("%%mlprof\nkept = 1")
    stacks = next(one for one in ran.profile.collectors if one.name == "stacks")
    assert (stacks.state, stacks.reason) == ("failed", "ValueError: on purpose")
    assert ran.reply["status"] == "ok"
    assert kernel.value("kept") == "1"
