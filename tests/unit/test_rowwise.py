"""Rows in memory that are fetched one by one: when slicing is advised, and how."""

import pytest

from jupyter_mlprof.advise.cell_source import EarlierCell
from jupyter_mlprof.advise.rule import Clues
from jupyter_mlprof.advise.rules.rowwise import rowwise
from jupyter_mlprof.model.finding import Finding
from jupyter_mlprof.model.loader import Span
from jupyter_mlprof.model.source import apply_edits
from tests.samples import loader_use, profile

IMPORTS = "import torch\nfrom torch.utils.data import DataLoader\n"


def table(**changes):
    """8000 rows of 64 bytes in 80 batches, 5 us a row; computing takes 20 ms."""
    known = {
        "dataset": "TensorDataset",
        "batch_size": 100,
        "batch_bytes": 6400,
        "batches": 80,
        "loop_s": 0.24,
        "wait_s": 0.21,
        "first_wait_s": 0.003,
        "fetch_s": 0.16,
        "fetch_cpu_s": 0.2,
        "collate_s": 0.04,
    }
    return loader_use(**(known | changes))


def found(use, source="", earlier=(), duration_s=0.25):
    return rowwise(Clues(profile(loader=(use,), duration_s=duration_s), source, earlier), use)


def changed(call, imports=IMPORTS, earlier=(), rest="", **changes):
    """Return what becomes of a call, or None where it cannot be edited."""
    source = f"{imports}loader = {call}\n{rest}"
    line = imports.count("\n") + 1
    use = table(built=Span(line, 9, line, 9 + len(call)), **changes)
    finding = found(use, source, earlier)
    assert isinstance(finding, Finding)
    if finding.fix is None:
        return None
    return apply_edits(source, finding.fix.edits).split("\n")[line - 1].removeprefix("loader = ")


def test_the_gain_is_what_is_loaded_less_what_slicing_takes():
    finding = found(table())
    # 80 batches of 40 + 50 us at worst and 8 + 20 us at best, and their bytes.
    low_s, high_s = 0.2 - 80 * 94.3e-6, 0.2 - 80 * 28.64e-6
    assert finding.gain.low == pytest.approx(0.25 / (0.25 - low_s) / 1.15, rel=0.01)
    assert finding.gain.high == pytest.approx(0.25 / (0.25 - high_s) * 1.15, rel=0.01)
    share = finding.evidence[0]
    assert share.value == pytest.approx(100 * low_s / 0.25, rel=0.01)
    assert share.value > share.threshold == 15


@pytest.mark.parametrize(
    ("changes", "duration_s"),
    [
        ({"dataset": "Images"}, 0.25),
        ({"iterable": True}, 0.25),
        ({"batch_size": None}, 0.25),
        ({"fetch_s": None, "collate_s": None}, 0.25),
        ({}, 5.0),  # a small share of the cell
        ({"batches": 12, "fetch_s": 0.024, "collate_s": 0.006}, 0.1),  # too little to save
        ({"batch_bytes": 4_000_000}, 0.25),  # rows so long that slicing them takes as long
    ],
)
def test_otherwise_it_is_silent(changes, duration_s):
    assert found(table(**changes), duration_s=duration_s) is None


def test_no_more_is_saved_than_was_waited():
    assert found(table(fetch_s=0.5)).gain == found(table(fetch_s=0.17)).gain


def test_the_batch_sampler_does_as_the_call_did():
    data = "torch.utils.data."
    assert changed("DataLoader(data, batch_size=256)") == (
        f"DataLoader(data, batch_size=None, sampler={data}BatchSampler("
        f"{data}SequentialSampler(data), 256, drop_last=False))"
    )
    assert changed("DataLoader(TensorDataset(X, y), 64, True, drop_last=True)") == (
        "DataLoader(TensorDataset(X, y), None, False, drop_last=False, "
        f"sampler={data}BatchSampler({data}RandomSampler(X), 64, drop_last=True))"
    )
    assert changed("DataLoader(self.train, SIZE, shuffle=True, generator=g)") == (
        "DataLoader(self.train, None, shuffle=False, generator=g, "
        f"sampler={data}BatchSampler({data}RandomSampler(self.train, generator=g), SIZE, "
        "drop_last=False))"
    )


def test_own_samplers_are_kept():
    assert changed("DataLoader(data, 8, sampler=weighted)") == (
        "DataLoader(data, None, sampler="
        "torch.utils.data.BatchSampler(weighted, 8, drop_last=False))"
    )
    assert changed("DataLoader(data, batch_sampler=buckets)") == (
        "DataLoader(data, batch_sampler=None, batch_size=None, sampler=buckets)"
    )


def test_slicing_needs_no_workers():
    assert changed(
        "DataLoader(data, 8, num_workers=2, persistent_workers=True)", workers=2, wait_s=0.21
    ) == (
        "DataLoader(data, None, num_workers=0, persistent_workers=False, sampler="
        "torch.utils.data.BatchSampler(torch.utils.data.SequentialSampler(data), 8,"
        " drop_last=False))"
    )


@pytest.mark.parametrize(
    ("imports", "call", "earlier", "prefix"),
    [
        ("from torch.utils import data as d\n", "d.DataLoader(rows, 8)", "", "d."),
        ("\n", "DataLoader(rows, 8)", "from torch.utils.data import *", ""),
        ("\n", "DataLoader(rows, 8)", "import torch.nn", "torch.utils.data."),
    ],
)
def test_samplers_are_called_by_a_name_that_is_known(imports, call, earlier, prefix):
    text = changed(call, imports, [EarlierCell(1, earlier)])
    assert f"={prefix}BatchSampler({prefix}SequentialSampler(rows), 8, drop_last=False)" in text


@pytest.mark.parametrize(
    "call",
    [
        "DataLoader(data, 8, shuffle=train)",
        "DataLoader(make_data(), 8)",
        "DataLoader(TensorDataset(*parts), 8)",
        "DataLoader(data, **options)",
    ],
)
def test_a_call_that_does_not_say_enough_is_pointed_at(call):
    assert changed(call) is None


def test_without_a_known_name_for_the_samplers_there_is_no_edit():
    assert changed("DataLoader(data, 8)", "from torch.utils.data import DataLoader\n") is None


def test_a_loader_whose_batch_size_is_read_is_not_edited():
    assert changed("DataLoader(data, 8)", rest="n = len(loader) * loader.batch_size\n") is None
    assert changed("DataLoader(data, 8)", rest="n = len(loader) * options.batch_size\n")


def test_a_function_that_collates_rows_gets_rows():
    call = "DataLoader(data, 8, collate_fn=together)"
    use = table(built=Span(3, 9, 3, 9 + len(call)))
    assert found(use, f"{IMPORTS}loader = {call}\n") is None


@pytest.mark.parametrize(
    ("dataset", "sliceable"),
    [
        ("Subset[Subset[TensorDataset]]", True),
        ("ndarray", True),
        ("Subset[list]", False),
        ("ConcatDataset[TensorDataset]", False),
    ],
)
def test_only_what_takes_a_list_of_indices_is_edited(dataset, sliceable):
    assert (changed("DataLoader(data, 8)", dataset=dataset) is not None) is sliceable
    assert ("Stack the rows" in found(table(dataset=dataset)).advice) is not sliceable
