"""Numbers as both sides say them."""

import json
from pathlib import Path

import pytest

from jupyter_mlprof.model import numbers

CASES = json.loads((Path(__file__).parents[1] / "fixtures/numbers.json").read_text("utf-8"))
FORMATS = {
    "seconds": numbers.seconds,
    "bytes": numbers.size,
    "power": numbers.power,
    "energy": numbers.energy,
    "percent": numbers.percent,
    "ratio": numbers.ratio,
    "cores": numbers.cores,
    "count": numbers.count,
}


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [(kind, value, expected) for kind, cases in CASES.items() for value, expected in cases],
)
def test_numbers_are_said_as_the_front_end_says_them(kind, value, expected):
    assert FORMATS[kind](value) == expected


def test_other_numbers():
    assert numbers.seconds(float("nan")) == "unknown"
    assert numbers.share(1, 0) == "unknown"
    assert numbers.share(1, 3) == "33 %"
    assert numbers.counted(1, "batch", "batches") == "1 batch"
    assert numbers.counted(2, "worker") == "2 workers"
    assert numbers.evidence(3, "batches") == "3 batches"
