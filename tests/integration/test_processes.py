"""CPU and memory of child processes, whoever starts them and however they end, in a real kernel."""

import json
import sys
import textwrap

import pytest

from jupyter_mlprof.model.runfile import SIDECAR_FILE, json_lines

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="how the time of ended processes is kept is Linux's",
)

# A worker tells its own CPU seconds when it has worked for so long.
BUSY = """import os, sys, time

def busy(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        sum(range(1000))
    times = os.times()
    return os.getpid(), times.user + times.system
"""
WAYS = {
    method: f"""
import multiprocessing
with multiprocessing.get_context("{method}").Pool(4) as pool:
    told = pool.map(busy, [2.0] * 4, chunksize=1)
"""
    for method in ("fork", "spawn", "forkserver")
}
WAYS["loky"] = """
import joblib
told = joblib.Parallel(n_jobs=4, backend="loky")(joblib.delayed(busy)(2.0) for _ in range(4))
"""
WAYS["subprocess"] = """
import json, subprocess, sys
code = "import json, mlprof_busy; print(json.dumps(mlprof_busy.busy(2.0)))"
started = [subprocess.Popen([sys.executable, "-c", code], stdout=-1) for _ in range(4)]
told = [json.loads(one.communicate()[0]) for one in started]
"""


@pytest.fixture
def busy(kernel, tmp_path):
    """Put what workers run where all of them can import it."""
    (tmp_path / "mlprof_busy.py").write_text(BUSY)
    kernel.run(
        f"import os, sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        f"os.environ['PYTHONPATH'] = {str(tmp_path)!r}\nfrom mlprof_busy import busy\nimport json"
    )
    return kernel


def total(profile, name):
    """Return the seconds under a rate."""
    series = profile.timeline.named(name)
    before, area = 0.0, 0.0
    for t, value in zip(profile.timeline.t_s, series.values, strict=True):
        area += (t - before) * (value or 0.0)
        before = t
    return area


@pytest.mark.parametrize("way", WAYS)
def test_busy_workers_are_counted_once(busy, way):
    if way == "loky":
        pytest.importorskip("joblib", reason="joblib is not installed")
    ran = busy.run(f"%%mlprof\n{WAYS[way]}")
    assert ran.reply["status"] == "ok"
    told = json.loads(busy.value("json.dumps(told)"))
    # One that worked twice tells its sum the second time.
    of = {pid: max(cpu for one, cpu in told if one == pid) for pid, _ in told}
    expected = sum(of.values())
    profile = ran.profile
    # To start and to end takes a little; some ways start helpers, and loky imports them.
    helpers = {"fork": 0.1, "loky": 1.0}.get(way, 0.3)
    assert 0.95 * expected < total(profile, "children_cpu") < 1.05 * expected + helpers
    assert profile.cpu_s > 0.95 * expected
    assert max(profile.timeline.named("children").values) >= 4
    assert max(profile.timeline.named("children_rss").values) > 4 * 5_000_000


SHORT = """%%mlprof
import os, subprocess, sys, time
before = sum(os.times()[2:4])
for _ in range(25):
    subprocess.run([sys.executable, "-S", "-c", "sum(range(2_000_000))"])
waited_for = sum(os.times()[2:4]) - before
"""


def test_workers_that_live_shorter_than_a_look_takes_are_counted(kernel):
    profile = kernel.run(SHORT).profile
    waited_for = float(kernel.value("waited_for"))
    assert waited_for > 0.5
    assert total(profile, "children_cpu") == pytest.approx(waited_for, rel=0.05, abs=0.05)
    assert profile.cpu_s > 0.95 * waited_for


def test_what_a_child_used_before_the_cell_is_not_the_cells(busy):
    busy.run(
        "import subprocess, sys, time\n"
        "code = 'import mlprof_busy; mlprof_busy.busy(1.0); input()'\n"
        "child = subprocess.Popen([sys.executable, '-c', code], stdin=-1)\n"
        "time.sleep(2.5)"
    )
    ran = busy.run("%%mlprof\ntime.sleep(0.5)\nchild.communicate(b'\\n')\ntime.sleep(0.5)")
    assert ran.reply["status"] == "ok"
    assert ran.profile.cpu_s < 0.4


ORPHAN = """%%mlprof
import json, os, subprocess, sys, time
inner = "import json, mlprof_busy; print(json.dumps(mlprof_busy.busy(1.5)), flush=True)"
outer = (
    "import subprocess, sys, time;"
    f"subprocess.Popen([sys.executable, '-c', {inner!r}]);"
    "time.sleep(0.8)"
)
# Its output ends when the grandchild does, which its parent does not wait for.
told = [json.loads(subprocess.run([sys.executable, "-c", outer], stdout=-1).stdout)]
time.sleep(0.5)
"""


def test_a_grandchild_that_outlives_its_parent_is_counted_on(busy):
    profile = busy.run(ORPHAN).profile
    ((_, cpu),) = json.loads(busy.value("json.dumps(told)"))
    assert cpu > 0.3
    assert total(profile, "children_cpu") > 0.95 * cpu
    assert total(profile, "children_cpu") < 1.05 * cpu + 0.3


def test_the_time_of_children_never_falls(busy, tmp_path):
    """Pools come and go; what the process beside the kernel wrote is read as it is."""
    ran = busy.run(f"%%mlprof\nfor _ in range(3):\n{indented(WAYS['fork'].replace('2.0', '0.3'))}")
    rows = [row for row in json_lines(run_file(busy, ran.profile)) if isinstance(row, list)]
    times = [row[4] for row in rows]
    assert len(times) > 10
    assert times == sorted(times)


def indented(code):
    return textwrap.indent(code.strip(), "    ")


def run_file(kernel, profile):
    return kernel.data_dir / "mlprof" / "runs" / profile.id / SIDECAR_FILE
