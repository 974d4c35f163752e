"""GPUs as the process beside a kernel sees them, through a stand-in for NVIDIA's library."""

import json
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from jupyter_mlprof.collect import sidecar_script
from jupyter_mlprof.collect.gpu_use import gpu_uses
from jupyter_mlprof.collect.module_path import module_path
from jupyter_mlprof.collect.nvml import report
from jupyter_mlprof.collect.run_samples import read_samples
from jupyter_mlprof.collect.samples import timeline
from jupyter_mlprof.collect.sidecar_proc import started
from jupyter_mlprof.model.runfile import json_lines
from tests.kernel import Kernel
from tests.nvml import DRIVER_NOT_LOADED, LOST, MISMATCH, NOT_SUPPORTED, FakeNvml

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the stand-in is built for Linux"
)
NOBODY = 4_999_999  # above the highest process id


@pytest.fixture
def fake(tmp_path):
    return FakeNvml(tmp_path)


class Beside:
    """The sidecar's script, sampling a process that does nothing."""

    def __init__(self, fake, folder, *command):
        self.fake = fake
        self.folder = folder
        self.sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(99)"])
        fake.says(pids_0=f"{self.sleeper.pid}:2000000000")
        self.script = subprocess.Popen(
            [sys.executable, *command, str(self.sleeper.pid), str(started(self.sleeper.pid))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=fake.env,
        )
        self.begun = time.monotonic()

    def order(self, **command):
        assert self.script.stdin is not None
        self.script.stdin.write(json.dumps(command).encode() + b"\n")
        self.script.stdin.flush()

    def start(self):
        self.begun = time.monotonic()
        self.order(start=str(self.folder), header={}, pynvml=module_path("pynvml"))

    def stop(self):
        self.order(stop=True)
        assert self.script.stdout is not None
        json.loads(self.script.stdout.readline())
        self.ended = time.monotonic()
        return self.samples

    @property
    def samples(self):
        return read_samples(json_lines(self.folder / "sidecar.jsonl"))

    def wait_for(self, condition):
        deadline = time.monotonic() + 20
        while not condition(self.samples):
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def gpu_rows(self):
        return sum(len(row) > 9 for row in self.samples.rows)

    def uses(self):
        return gpu_uses(self.samples, self.begun, self.ended)

    def series(self):
        samples = self.samples
        found = timeline(samples.rows, self.begun, self.ended, samples.columns)
        return {one.name: one.values for one in found.series if one.name.startswith("gpu")}


@pytest.fixture
def beside(fake, tmp_path):
    with running(fake, tmp_path / "run", "-I", "-S", sidecar_script.__file__) as made:
        yield made


IN_CONTAINER = """
import sys
from jupyter_mlprof.collect import nvml_script, sidecar_script
nvml_script._is_initial_namespace = lambda: False
sidecar_script.Sidecar(int(sys.argv[1]), sys.argv[2], sidecar_script.readers()).run()
"""


@pytest.fixture
def contained(fake, tmp_path):
    """The same where process ids are not known to be the machine's."""
    fake.env["PYTHONPATH"] = str(Path(__file__).parents[2])
    with running(fake, tmp_path / "run", "-c", IN_CONTAINER) as made:
        yield made


@contextmanager
def running(fake, folder, *command):
    folder.mkdir()
    made = Beside(fake, folder, *command)
    yield made
    for process in (made.sleeper, made.script):
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def sampled(beside, rows=5):
    """Sample until there are so many rows of GPUs."""
    beside.start()
    beside.wait_for(lambda _: beside.gpu_rows() >= rows)
    return beside.stop()


def known(values):
    return {value for value in values if value is not None}


def test_a_gpu_is_sampled(beside):
    samples = sampled(beside)
    (gpu,) = samples.gpus
    assert (gpu.index, gpu.name, gpu.memory_bytes) == (0, "Fake GPU A", 16_000_000_000)
    series = beside.series()
    assert {name: known(values) for name, values in series.items()} == {
        "gpu0_util": {40},
        "gpu0_memory": {3_000_000_000},
        "gpu0_own_memory": {2_000_000_000},
        "gpu0_power": {200},
        "gpu0_temperature": {61},
    }
    assert report(samples, beside.begun).state == "ran"
    assert report(samples, beside.begun).cost_cpu_s > 0
    (use,) = beside.uses()
    assert (use.busy_pct, use.peak_bytes, use.own_peak_bytes) == (40, 3e9, 2e9)
    assert use.energy_j == pytest.approx(200 * (beside.ended - beside.begun), rel=0.05)


def test_energy_is_summed_from_power_where_nobody_counts_it(beside):
    beside.fake.says(energy_0_error=NOT_SUPPORTED)
    sampled(beside)
    (use,) = beside.uses()
    assert use.energy_j == pytest.approx(200 * (beside.ended - beside.begun), rel=0.05)


@pytest.mark.parametrize("field", ["util", "memory", "power", "temperature"])
def test_a_field_that_is_not_supported_costs_that_field_alone(beside, field):
    beside.fake.says(**{f"{field}_0_error": NOT_SUPPORTED})
    samples = sampled(beside)
    names = {f"gpu0_{one}" for one in ("util", "memory", "own_memory", "power", "temperature")}
    assert beside.series().keys() == names - {f"gpu0_{field}"}
    assert report(samples, beside.begun).state == "ran"
    assert len(beside.uses()) == 1


def test_a_lost_gpu_ends_and_the_other_goes_on(beside):
    beside.fake.says(count=2, util_1=70, power_1=100, pids_1=f"{beside.sleeper.pid}:1")
    beside.start()
    beside.wait_for(lambda _: beside.gpu_rows() >= 4)
    before = time.monotonic() - beside.begun
    beside.fake.says(gpu_1_error=LOST)
    rows = beside.gpu_rows()
    beside.wait_for(lambda _: beside.gpu_rows() >= rows + 6)
    samples = beside.stop()
    series = beside.series()
    assert series["gpu1_util"][-1] is None
    assert known(series["gpu1_util"]) == {70}
    assert series["gpu0_util"][-1] == 40
    told = report(samples, beside.begun)
    assert told.state == "cut"
    assert (told.reason or "").startswith("GPU 1 was lost after ")
    one, two = beside.uses()
    assert one.lost_at_s is None
    assert two.lost_at_s == pytest.approx(before, abs=1)
    assert two.energy_j is None


def used(samples, index=0):
    """Return what the rows say of whether the process uses a GPU."""
    column = samples.columns.index(f"gpu{index}_used")
    return {row[column] for row in samples.rows if len(row) > column}


@pytest.mark.parametrize("ids", [f"{NOBODY}:5000", None])
def test_the_ids_of_another_namespace_are_unknown_not_zero(contained, ids):
    contained.fake.says(pids_0=ids)
    assert used(sampled(contained)) == {None}
    (use,) = contained.uses()
    assert use.own_peak_bytes is None
    assert "gpu0_own_memory" not in contained.series()
    assert "gpu0_util" in contained.series()


def test_one_id_that_is_ours_tells_that_ids_are_the_same(contained):
    contained.fake.says(count=2, util_1=99, pids_1=f"{NOBODY}:7000")
    samples = sampled(contained)
    assert (used(samples), used(samples, 1)) == ({1}, {0})
    assert {name[:4] for name in contained.series()} == {"gpu0"}


def test_a_driver_that_tells_no_processes_leaves_that_open(beside):
    beside.fake.says(pids_0_error=NOT_SUPPORTED)
    assert used(sampled(beside)) == {None}
    assert beside.uses()[0].busy_pct == 40


def test_only_gpus_that_the_kernel_uses_have_series(beside):
    beside.fake.says(count=2, util_1=99, pids_0=f"{beside.sleeper.pid}:-", pids_1=f"{NOBODY}:7000")
    sampled(beside)
    assert {name[:4] for name in beside.series()} == {"gpu0"}
    (use,) = beside.uses()
    assert (use.index, use.own_peak_bytes) == (0, None)  # the driver does not tell how much


def test_a_gpu_that_others_use_is_none_of_the_cells(beside):
    beside.fake.says(pids_0=f"{NOBODY}:7000")
    assert used(sampled(beside)) == {0}
    assert (beside.series(), beside.uses()) == ({}, ())


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"init_error": DRIVER_NOT_LOADED}, "the NVIDIA driver is not loaded"),
        ({"init_error": MISMATCH}, "of different versions"),
        ({"init_error": 999}, "NVML failed: Unknown Error"),
        ({"count": 0}, "no GPU can be seen"),
        ({"handle_0_error": LOST}, "no GPU can be seen"),
    ],
)
def test_what_does_not_work_is_told(beside, answers, reason):
    beside.fake.says(**answers)
    beside.start()
    beside.wait_for(lambda samples: len(samples.rows) > 20)
    samples = beside.stop()
    told = report(samples, beside.begun)
    assert told.state == "unavailable"
    assert reason in (told.reason or "")
    assert beside.series() == {}
    assert beside.uses() == ()


def test_without_a_driver_nothing_but_that_is_told(beside, tmp_path):
    (tmp_path / "libnvidia-ml.so.1").unlink()
    beside.start()
    beside.wait_for(lambda samples: len(samples.rows) > 10)
    assert report(beside.stop(), 0.0).reason == "no NVIDIA driver was found"


def test_a_slow_driver_holds_nothing_up(beside):
    beside.fake.says(init_seconds=30)
    beside.start()
    beside.wait_for(lambda samples: len(samples.rows) > 10)
    asked = time.monotonic()
    samples = beside.stop()
    assert time.monotonic() - asked < 5
    assert "had not answered" in (report(samples, 0.0).reason or "")


def test_a_killed_process_leaves_what_was_seen_of_the_gpu(beside):
    beside.start()
    beside.wait_for(lambda _: beside.gpu_rows() >= 3)
    beside.sleeper.kill()
    assert beside.script.wait(20) == 0
    beside.ended = time.monotonic()
    assert beside.uses()[0].busy_pct == 40
    *_, last = json_lines(beside.folder / "sidecar.jsonl")
    assert "gone" in last


@contextmanager
def kernel_with(fake, folder):
    with Kernel(folder / "data", **fake.env) as kernel:
        assert kernel.run("%load_ext jupyter_mlprof").reply["status"] == "ok"
        yield kernel


def test_a_cell_tells_what_it_made_of_the_gpu(fake, tmp_path):
    fake.says(count=2)
    with kernel_with(fake, tmp_path) as kernel:
        fake.says(pids_0=f"{kernel.pid}:2000000000")
        kernel.run("%%mlprof\nimport time; time.sleep(0.5)")
        profile = kernel.run("%%mlprof\nimport time; time.sleep(1.5)").profile
        fake.says(pids_0=None, pids_1=f"{kernel.pid}:1000000")
        second = kernel.run("%%mlprof\nimport time; time.sleep(1.5)").profile
    (use,) = profile.gpus
    assert (use.index, use.name, use.busy_pct, use.own_peak_bytes) == (0, "Fake GPU A", 40, 2e9)
    assert use.energy_j == pytest.approx(200 * profile.duration_s, rel=0.1)
    assert profile.timeline.named("gpu0_util") is not None
    assert profile.timeline.named("gpu1_util") is None
    assert next(one for one in profile.collectors if one.name == "nvml").state == "ran"
    assert [one.index for one in second.gpus] == [1]
