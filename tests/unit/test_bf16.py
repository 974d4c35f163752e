"""What is measured in bfloat16 after a cell, and what is made of it."""

import sys
from types import SimpleNamespace

import pytest

from jupyter_mlprof.collect import bf16
from jupyter_mlprof.collect.bf16 import Trial, bf16_speedup, supported
from jupyter_mlprof.collect.operator_sums import Sum

WEIGHTS = (512, 1024)


def mm(rows, seconds, name="aten::mm", dtype="float32", calls=10):
    return Sum(name, dtype, ((rows, 512), WEIGHTS), calls, seconds)


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(get_num_threads=lambda: 1))


@pytest.fixture
def measured(monkeypatch):
    """Times as fast by rows; what was measured is kept in a list."""
    ratios: dict[int, float] = {}
    seen: list[int] = []
    monkeypatch.setattr(bf16, "supported", lambda: True)

    def speedup(trial):
        seen.append(trial.shapes[0][0])
        return ratios[trial.shapes[0][0]]

    monkeypatch.setattr(bf16, "_speedup", speedup)
    return ratios, seen


def test_the_speedup_is_that_of_all_operators_together(measured):
    ratios, _ = measured
    ratios |= {256: 2.0, 64: 1.0}
    assert bf16_speedup([mm(256, 0.02), mm(64, 0.01)], 0.04, 9.0) == pytest.approx(0.03 / 0.02)


def test_what_was_not_measured_takes_the_least_of_its_kind_or_that_of_small_ones(measured):
    ratios, seen = measured
    ratios |= {200 + i: 3.0 for i in range(4)}
    ratios[201] = 1.5
    alike = Sum("aten::addmm", "float32", ((1024,), (256, 512), WEIGHTS), 1, 0.009)
    small = mm(8, 0.004, calls=1000)
    dense = [*(mm(200 + i, 0.01, calls=1) for i in range(4)), alike, small]
    new_s = 3 * 0.01 / 3 + 0.01 / 1.5 + 0.009 / 1.5 + 0.004 / 0.4
    assert bf16_speedup(dense, 0.1, 9.0) == pytest.approx(0.053 / new_s)
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("dense", "window_s", "room_s"),
    [
        ([mm(256, 0.02)], 0.2, 9.0),  # a small share
        ([mm(256, 0.02, dtype="bfloat16")], 0.03, 9.0),
        ([mm(256, 0.02, name="aten::add")], 0.03, 9.0),
        ([mm(256, 0.02)], 0.03, 0.001),  # no budget left
        ([Sum("aten::mm", "float32", ((2, 3), (4, 5)), 1, 0.02)], 0.03, 9.0),
        ([Sum("aten::convolution_backward", "float32", ((1, 2, 3, 3),) * 3, 1, 0.02)], 0.03, 9.0),
        ([Sum("aten::lstm_rnn_layer", "float32", ((2, 3), (3, 5)), 1, 0.02)], 0.03, 9.0),
        ([Sum("aten::mm", "float32", ((9, 1 << 20), (1 << 20, 99)), 1, 0.02)], 0.03, 9.0),
    ],
)
def test_otherwise_it_is_unknown(measured, dense, window_s, room_s):
    assert bf16_speedup(dense, window_s, room_s) is None
    assert measured[1] == []


def test_a_long_operator_is_cut_to_what_the_budget_allows():
    trial = Trial(mm(256, 0.1), ((256, 512), WEIGHTS), 0.01)
    assert trial.cpu_s == pytest.approx(0.04)
    assert trial.within(0.05) is trial
    cut = trial.within(0.02)
    assert cut is not None
    assert cut.shapes == ((128, 512), WEIGHTS)
    assert trial.within(0.005) is None
    batches = Trial(mm(8, 0.1, name="aten::bmm"), ((8, 4, 4), (8, 4, 4)), 0.01).within(0.02)
    assert batches is not None
    assert batches.shapes == ((4, 4, 4), (4, 4, 4))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("processor\t: 0\nflags\t\t: fpu avx512_bf16 sse\n", True),
        ("Features\t: fp asimd bf16\n", True),
        ("flags\t\t: fpu avx512f\nbugs\t: avx512_bf16\n", False),
        ("", False),
    ],
)
def test_the_cpu_is_asked(monkeypatch, text, expected):
    monkeypatch.setattr("jupyter_mlprof.collect.cgroups.text", lambda _path: text)
    assert supported() is expected
