"""Edits of a call, in the call's own layout."""

import ast

import pytest

from jupyter_mlprof.advise.calls import call_at, calls
from jupyter_mlprof.advise.edit import set_arguments
from jupyter_mlprof.advise.rules.input_pipeline import PARAMETERS
from jupyter_mlprof.model.loader import Span
from jupyter_mlprof.model.source import apply_edits

SET = {"num_workers": "4", "persistent_workers": "True"}


def edited(source, values=None):
    """The source with the arguments set on its first DataLoader call; None when refused."""
    found = next(
        (call, place)
        for call, place in calls(source)
        if getattr(call.func, "value", "") == "DataLoader"
    )
    fix = set_arguments(source, *found, values or SET, PARAMETERS)
    return None if fix is None else apply_edits(source, fix.edits)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("DataLoader(ds)", "DataLoader(ds, num_workers=4, persistent_workers=True)"),
        ("DataLoader()", "DataLoader(num_workers=4, persistent_workers=True)"),
        (
            "dl = DataLoader(ds, 32, num_workers=0)  # slow",
            "dl = DataLoader(ds, 32, num_workers=4, persistent_workers=True)  # slow",
        ),
        (
            "DataLoader(ds, 32, True, None, None, 0, collate)",
            "DataLoader(ds, 32, True, None, None, 4, collate, persistent_workers=True)",
        ),
        (
            "DataLoader(ds, num_workers = cfg.n, persistent_workers=False)",
            "DataLoader(ds, num_workers = 4, persistent_workers=True)",
        ),
        (
            "DataLoader(\n    ds,\n    batch_size=32,\n)",
            (
                "DataLoader(\n    ds,\n    batch_size=32,\n"
                "    num_workers=4,\n    persistent_workers=True,\n)"
            ),
        ),
        (
            "DataLoader(\n    ds,  # all of it\n    batch_size=32  # fits\n)",
            (
                "DataLoader(\n    ds,  # all of it\n    batch_size=32,  # fits\n"
                "    num_workers=4,\n    persistent_workers=True\n)"
            ),
        ),
        (
            "DataLoader(\n    ds, batch_size=32,\n    shuffle=True)",
            (
                "DataLoader(\n    ds, batch_size=32,\n    shuffle=True,\n"
                "    num_workers=4,\n    persistent_workers=True)"
            ),
        ),
        (
            "for é in f(DataLoader(ds), desc='😀'): pass",
            "for é in f(DataLoader(ds, num_workers=4, persistent_workers=True), desc='😀'): pass",
        ),
        (
            "s = '😀'; DataLoader(ds)",
            "s = '😀'; DataLoader(ds, num_workers=4, persistent_workers=True)",
        ),
        (
            "%%mlprof -n a\n!ls\nfiles = !ls *.png\nif x:\n    %time y\nDataLoader(ds)",
            (
                "%%mlprof -n a\n!ls\nfiles = !ls *.png\nif x:\n    %time y\n"
                "DataLoader(ds, num_workers=4, persistent_workers=True)"
            ),
        ),
    ],
)
def test_arguments_are_set_in_the_layout_of_the_call(source, expected):
    assert edited(source) == expected


@pytest.mark.parametrize("source", ["DataLoader(*args)", "DataLoader(ds, **options)"])
def test_a_call_that_unpacks_arguments_is_left_alone(source):
    assert edited(source) is None


def test_the_edits_are_the_smallest():
    source = "DataLoader(ds, 32, True, None, None, 0, collate)"
    ((call, place),) = calls(source)
    fix = set_arguments(source, call, place, SET, PARAMETERS)
    assert fix is not None
    assert [(edit.start, edit.end, edit.text) for edit in fix.edits] == [
        (37, 38, "4"),
        (47, 47, ", persistent_workers=True"),
    ]


def test_a_call_is_found_by_its_span_among_others_on_its_line():
    source = "a, b = DataLoader(train), torch.utils.data.DataLoader(test)"
    found = call_at(source, Span(1, 26, 1, 59), "DataLoader")
    assert found is not None
    assert found[1].column == 26
    assert call_at(source, Span(1, 0, 1, 1), "DataLoader") is None  # two to choose from
    assert call_at("DataLoader(x)", Span(1, 5, 1, 6), "DataLoader") is not None


@pytest.mark.parametrize("source", ["%%bash\nDataLoader(x)", "def (:", "x = [" * 5000, "\0"])
def test_what_is_not_python_has_no_calls(source):
    assert list(calls(source)) == []


def test_top_level_await_is_python():
    source = "await go()\nDataLoader(ds)"
    assert edited(source) == "await go()\nDataLoader(ds, num_workers=4, persistent_workers=True)"
    ast.parse(source)
