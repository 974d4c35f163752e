"""What is seen of torch's operators, and what is left alone, in a real kernel."""

import pytest

from jupyter_mlprof.collect.bf16 import supported

pytestmark = pytest.mark.torch

SETUP = """
import threading
import time
import torch
from torch import nn

def for_seconds(seconds):
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        yield

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 64))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
x = torch.randn(128, 256)

def train(seconds):
    for _ in for_seconds(seconds):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
"""
WINDOW = """
from jupyter_mlprof.collect.torch_window import TorchWindow
window = TorchWindow(torch.autograd.profiler, threading.get_ident())
window.watch()
window.open()
"""
PROFILING = "torch.autograd._profiler_enabled()"


@pytest.fixture(scope="module")
def torch_kernel(kernel):
    assert kernel.run(SETUP).reply["status"] == "ok"
    return kernel


def profiled(kernel, body):
    ran = kernel.run(f"%%mlprof\n{body}")
    assert ran.reply["status"] == "ok", ran.stderr
    assert "USDT" not in ran.stderr
    return ran.profile


def report(profile):
    (one,) = (one for one in profile.collectors if one.name == "torch_ops")
    return one


def dense(profile):
    return {(one.kind, one.dtype): one for one in profile.operator_window.dense}


def test_a_step_is_watched_within_the_budget(torch_kernel):
    profile = profiled(torch_kernel, "train(3)")
    window = profile.operator_window
    assert report(profile).state == "ran", report(profile).reason
    assert window.steps == 1
    # Two layers forward, one gradient of the hidden layer, two of weights.
    assert dense(profile)["matmul", "float32"].calls == 5
    assert 0 < window.share("float32") <= 1
    assert 0 < window.cpu_s <= window.wall_s
    assert 2 < window.from_s + window.wall_s + 2 < 5
    names = [one.name for one in profile.operators]
    assert "aten::addmm" in names
    assert sum(one.cpu_s for one in profile.operators) <= window.cpu_s * 1.001
    assert report(profile).cost_cpu_s < 0.05 * profile.duration_s
    assert torch_kernel.value(PROFILING) == "False"


def test_without_steps_a_stretch_of_time_is_watched(torch_kernel):
    body = "for _ in for_seconds(3.5): y = model.double()(x.double())\nmodel.float();"
    profile = profiled(torch_kernel, body)
    assert report(profile).state == "ran", report(profile).reason
    assert profile.operator_window.steps == 0
    assert profile.operator_window.wall_s >= 0.02
    assert dense(profile).keys() == {("matmul", "float64")}


def test_autocast_shows_in_the_types(torch_kernel):
    body = "with torch.autocast('cpu', dtype=torch.bfloat16): train(2.5)"
    assert ("matmul", "bfloat16") in dense(profiled(torch_kernel, body))


def test_a_short_cell_is_left_alone(torch_kernel):
    profile = profiled(torch_kernel, "for _ in range(2): x @ x.T")
    assert (report(profile).state, profile.operators) == ("off", None)
    assert "too short" in report(profile).reason


def test_a_cell_without_operators_says_so(torch_kernel):
    profile = profiled(torch_kernel, "for _ in for_seconds(2): sum(range(100))")
    assert profile.operators is None
    assert "no operator" in report(profile).reason


def test_a_profiler_of_the_cell_has_its_events(torch_kernel):
    profile = profiled(
        torch_kernel,
        "with torch.profiler.profile() as user:\n    train(1.5)\nassert len(user.events()) > 100",
    )
    assert "profiler itself" in report(profile).reason
    assert profile.operators is None


def test_whoever_starts_a_profiler_within_a_window_gets_it(torch_kernel):
    torch_kernel.run(WINDOW)
    torch_kernel.run("with torch.profiler.profile() as user: x @ x.T")
    assert torch_kernel.value("any(one.name == 'aten::mm' for one in user.events())") == "True"
    assert torch_kernel.value("window.is_open, window.given_way") == "False True"
    torch_kernel.run("window.unwatch()")
    assert torch_kernel.value(f"{PROFILING}, window._patches._done") == "False []"


def test_a_forked_worker_does_not_go_on_recording(torch_kernel):
    torch_kernel.run(WINDOW)
    torch_kernel.run(
        "import os\n"
        "pid = os.fork()\n"
        f"if pid == 0: os._exit(int({PROFILING}))\n"
        "code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])"
    )
    assert torch_kernel.value(f"code, {PROFILING}") == "0 False"
    torch_kernel.run("window.unwatch()")


def test_an_error_in_the_cell_leaves_no_profiler(torch_kernel):
    ran = torch_kernel.run("%%mlprof\nfor _ in for_seconds(3): train(0.2)\n1 / 0")
    assert ran.reply["ename"] == "ZeroDivisionError"
    assert ran.profile.operator_window is not None
    assert torch_kernel.value(PROFILING) == "False"


def test_bfloat16_is_measured_on_a_cpu_that_has_it_and_nothing_else_changes(torch_kernel):
    torch_kernel.run("torch.manual_seed(7)\nexpected = torch.randn(4)\ntorch.manual_seed(7)\n")
    window = profiled(torch_kernel, "train(3)").operator_window
    assert window is not None
    if supported():
        assert window.bf16_speedup is None or 0.02 < window.bf16_speedup < 50
    else:
        assert window.bf16_speedup is None
    state = "torch.equal(torch.randn(4), expected), torch.is_autocast_enabled('cpu')"
    assert torch_kernel.value(state) == "True False"
    assert torch_kernel.value("torch.is_grad_enabled()") == "True"
