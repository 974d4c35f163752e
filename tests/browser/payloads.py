"""What a notebook from anywhere may hold under our MIME type."""

from typing import Any

from jupyter_mlprof.model.codec import to_json
from jupyter_mlprof.model.finding import Evidence, Finding, Fix, Gain, TextEdit
from tests import samples
from tests.browser import notebooks

MARKUP = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"
OUT_OF_RANGE = 10_000


def payload() -> dict[str, Any]:
    """Return a profile of a cell that holds `pass`, with a fix that reaches beyond it."""
    cell = samples.cell(notebooks.SHOWN)
    finding = Finding(
        rule="input-pipeline/workers",
        kind="input-pipeline",
        title="Load with 4 workers",
        line=1,
        evidence=(Evidence("waited", 78.0, "%", 10.0, "of the cell"),),
        gain=Gain("time", 1.9, 2.6, "8 s of loading by 4 workers"),
        confidence="high",
        costs=("4 processes more",),
        fix=Fix(cell.source_sha256, (TextEdit(0, OUT_OF_RANGE, "gone"),)),
        advice="One process loads while the loop waits.",
    )
    wire: dict[str, Any] = to_json(samples.profile(cell=cell, findings=(finding,)))
    return wire


def with_markup(value: Any) -> Any:
    """Put markup before each text; words that have to be one of a list or a hash stay."""
    if isinstance(value, dict):
        kept = ("part", "state", "metric", "confidence", "source_sha256")
        return {name: one if name in kept else with_markup(one) for name, one in value.items()}
    if isinstance(value, list):
        return [with_markup(one) for one in value]
    return MARKUP + value if isinstance(value, str) else value


def of_wrong_types(profile: dict[str, Any]) -> dict[str, Any]:
    """Give every field a value of another type than its own."""
    others = {dict: [1], list: {"0": 1}, str: [MARKUP], int: MARKUP, float: {}, type(None): -1}
    return {name: others[type(value)] for name, value in profile.items()} | {"schema_version": 1}


def hostile() -> dict[str, Any]:
    """Return payloads that are none, or not only, of a profile."""
    profile = payload()
    return {
        "markup": with_markup(profile),
        "newer": {**profile, "schema_version": 2},
        "wrong types": of_wrong_types(profile),
        "wrong items": {**profile, "findings": [1, None, {"fix": {"edits": "all"}}], "split": [[]]},
        "no object": [MARKUP],
    }
