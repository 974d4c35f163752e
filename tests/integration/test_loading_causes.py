"""The cause below the wait for a DataLoader, found in a real kernel; its fix changes no batch."""

import pytest

from jupyter_mlprof.model.source import apply_edits

pytestmark = pytest.mark.torch

SETUP = """
import torch
from torch.utils.data import *

def same(a, b):
    "Whether two lists of batches are of the same kinds and numbers."
    if isinstance(a, torch.Tensor):
        return a.dtype == b.dtype and torch.equal(a, b)
    alike = type(a) is type(b) and len(a) == len(b)
    return alike and all(same(one, other) for one, other in zip(a, b))
"""


@pytest.fixture(scope="module")
def causes_kernel(kernel):
    assert kernel.run(SETUP).reply["status"] == "ok"
    return kernel


def found(kernel, cell):
    ran = kernel.run(cell)
    assert ran.reply["status"] == "ok", ran.reply
    return ran.profile.findings


@pytest.mark.parametrize(
    ("rows", "options"),
    [
        ("TensorDataset(X, y)", "batch_size=64"),
        ("TensorDataset(X, y)", "batch_size=64, shuffle=True"),
        ("random_split(TensorDataset(X, y), [30_000, 10_000])[0]", "64, True, drop_last=True"),
        ("X.numpy()", "64, sampler=WeightedRandomSampler(y.double() + 1, 40_000)"),
    ],
)
def test_rows_in_memory_are_sliced_and_the_batches_stay_the_same(causes_kernel, rows, options):
    causes_kernel.run(
        "torch.manual_seed(1)\nX, y = torch.randn(40_000, 8), torch.arange(40_000) % 5\n"
        f"rows = {rows}\n"
    )
    cell = (
        "%%mlprof\ntorch.manual_seed(0)\nseen = []\n"
        f"loader = DataLoader(rows, {options})\n"
        "for epoch in range(3):\n    seen += list(loader)\n"
    )
    (finding,) = found(causes_kernel, cell)
    assert finding.rule == "input-pipeline/rowwise"
    causes_kernel.run("before = seen")
    assert finding.fix is not None
    changed = causes_kernel.run(apply_edits(cell, finding.fix.edits))
    assert changed.reply["status"] == "ok", changed.reply
    assert not changed.profile.findings
    assert causes_kernel.value("len(seen) > 300 and same(before, seen)") == "True"


def test_a_few_rows_in_memory_are_left_alone(causes_kernel):
    causes_kernel.run("X, y = torch.randn(600, 784), torch.randint(0, 10, (600,))")
    assert not found(
        causes_kernel,
        "%%mlprof\nw = torch.randn(784, 784)\nloader = DataLoader(TensorDataset(X, y), 100)\n"
        "for epoch in range(2):\n    for x, _ in loader:\n        for _ in range(9): x = x @ w\n",
    )
