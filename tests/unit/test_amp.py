"""When 16-bit precision is advised, and when not."""

from dataclasses import replace

import pytest

from jupyter_mlprof.advise.cell_source import EarlierCell
from jupyter_mlprof.advise.rule import Clues
from jupyter_mlprof.advise.rules.amp import amp
from jupyter_mlprof.model.operators import DenseTime, OperatorWindow
from jupyter_mlprof.model.profile import Gpu
from jupyter_mlprof.model.steps import Steps
from tests.samples import machine, profile

SOURCE = """for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()
"""
TORCH = (EarlierCell(1, "import torch\n"),)


def window(busy_s=0.16, dtype="float32", *, device=False, **changes):
    """A step of 0.2 s, most of it in matrix products."""
    dense = DenseTime("matmul", dtype, 6, busy_s, busy_s if device else None)
    gpu_s = 0.18 if device else None
    known = OperatorWindow(1.0, 1.2, 1, 90, 0.19, gpu_s, (dense,), "highest")
    return replace(known, **changes)


def found(one, source=SOURCE, capability=None, seconds=(0.2,) * 49, duration_s=10.2):
    gpus = () if capability is None else (Gpu(0, "GPU", 16_000_000_000, capability),)
    steps = Steps(len(seconds) + 1, seconds, 0.1) if seconds else None
    made = profile(
        operator_window=one,
        steps=steps,
        machine=machine(gpus=gpus),
        loader=(),
        duration_s=duration_s,
    )
    return [*amp(Clues(made, source, TORCH))]


def test_the_gain_is_what_was_measured_over_the_share():
    (finding,) = found(window(bf16_speedup=2.0))
    # 50 steps of 0.2 s, four fifths of them at twice the speed: at best by a tenth more.
    assert finding.gain.low == pytest.approx(10.2 / (10.2 - 0.7 * 4.0) / 1.15, rel=0.01)
    assert finding.gain.high == pytest.approx(10.2 / (10.2 - 8 * (1 - 1 / 2.2)) * 1.15, rel=0.01)
    assert finding.fix is not None
    assert finding.line == 2
    assert "digits" in finding.costs[0]
    assert [one.value for one in finding.evidence] == [pytest.approx(80), 2.0]


@pytest.mark.parametrize(
    ("one", "source"),
    [
        (None, SOURCE),
        (window(), SOURCE),  # not measured
        (window(bf16_speedup=0.6), SOURCE),
        (window(bf16_speedup=1.2), SOURCE),
        (window(0.04, bf16_speedup=2.0), SOURCE),  # a small share
        (window(dtype="float64", bf16_speedup=2.0), SOURCE),
        (window(bf16_speedup=2.0), SOURCE.replace("model", "model.half()")),
    ],
)
def test_it_is_silent_on_a_cpu_without_such_evidence(one, source):
    assert found(one, source) == []


def test_a_few_steps_of_a_long_cell_are_not_worth_it():
    assert found(window(bf16_speedup=2.0), seconds=(0.2,) * 4) == []


def test_the_generation_of_a_gpu_decides():
    assert found(window(device=True), capability=6.1) == []
    assert found(window(device=True), capability=None) == []
    (newer,) = found(window(device=True), capability=8.0)
    assert newer.fix is not None
    assert "cuda" in newer.fix.edits[0].text
    (older,) = found(window(device=True), capability=7.5)
    assert older.fix is None
    assert "float16" in older.title
    assert "scaler" in older.advice


def test_with_tf32_on_little_is_left_to_win():
    assert found(window(device=True, matmul_precision="high"), capability=8.0) == []
    # An older GPU has no TF32, whatever is set.
    assert found(window(device=True, matmul_precision="high"), capability=7.0)


def test_what_is_not_understood_gets_an_instruction():
    (finding,) = found(window(bf16_speedup=2.0), source="train(model, loader)\n")
    assert finding.fix is None
    assert 'with torch.autocast("cpu", dtype=torch.bfloat16):' in finding.advice
