"""Every cell behaves as without us: each row of the twins' table, in this environment."""

import sys

import pytest

from tests.twins.pair import Pairs
from tests.twins.rows import ROWS
from tests.twins.runner import missing

MISSING = missing(ROWS)


@pytest.fixture(scope="module")
def pairs():
    with Pairs() as running:
        yield running


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_profiled_cell_is_as_a_bare_one(row, pairs):
    reason = row.reason_not_to_run(sys.version_info[:2], MISSING)
    if reason is not None:
        pytest.skip(reason)
    result = pairs.run(row)
    assert result.difference == ""
    assert result.complaint == ""
