"""Profiles to JSON and back."""

import json
import math
from dataclasses import replace

import pytest

from jupyter_mlprof.errors import ProfileError
from jupyter_mlprof.model.codec import dumps, from_json, load, loads, to_json
from tests.samples import loader_use, profile


def test_a_profile_survives_the_round_trip():
    assert loads(dumps(profile())) == profile()


def test_nan_and_infinity_are_null():
    odd = profile(loader=(loader_use(wait_s=math.nan, loop_s=math.inf),))
    (use,) = json.loads(dumps(odd))["loader"]
    assert (use["wait_s"], use["loop_s"]) == (None, None)
    assert math.isnan(loads(dumps(odd)).loader[0].wait_s)


def test_floats_keep_microseconds():
    assert to_json(profile(duration_s=1234.1234567))["duration_s"] == 1234.123457
    assert to_json(profile(duration_s=0.00000123456789))["duration_s"] == 1.23457e-06


def test_unknown_keys_are_ignored():
    value = {**to_json(profile()), "colour": "blue"}
    value["cell"] = {**value["cell"], "tags": []}
    assert from_json(value) == profile()


def test_an_unknown_major_version_is_refused():
    with pytest.raises(ProfileError, match="schema version 2, this package reads 1: update"):
        from_json({**to_json(profile()), "schema_version": 2})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"outcome": "fine"}, "profile.outcome cannot be str"),
        ({"duration_s": "10"}, "profile.duration_s cannot be str"),
        ({"duration_s": True}, "profile.duration_s cannot be bool"),
        ({"lines": {}}, "profile.lines cannot be dict"),
        ({"lines": [{"line": 1.5, "wall_s": 1, "samples": 1}]}, r"profile.lines\[0\].line"),
        ({"lines": [{"wall_s": 1, "samples": 1}]}, r"profile.lines\[0\].line is missing"),
        ({"flame": {"frames": [], "nodes": [[1, 2]]}}, r"profile.flame.nodes\[0\] cannot be list"),
        ({"cell": None}, "profile.cell cannot be NoneType"),
    ],
)
def test_a_wrong_field_is_named(change, says):
    with pytest.raises(ProfileError, match=says):
        from_json({**to_json(profile()), **change})


@pytest.mark.parametrize("text", ["", "[1]", "nonsense", "[" * 100_000, '"a"', b"\xff\xfe"])
def test_what_is_no_profile_is_refused(text):
    with pytest.raises(ProfileError, match="This is no profile"):
        loads(text)


def test_load_names_the_file(tmp_path):
    path = tmp_path / "one.mlprof.json"
    path.write_text(dumps(replace(profile(), name="é")), "utf-8")
    assert load(path).name == "é"
    with pytest.raises(ProfileError, match=r"Cannot read .*other.json: No such file"):
        load(tmp_path / "other.json")
