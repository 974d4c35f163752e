"""What a notebook from anywhere may hold under our MIME type is drawn as text, or refused."""

from playwright.sync_api import expect

from jupyter_mlprof.model.codec import to_json
from jupyter_mlprof.model.finding import Evidence, Finding, Fix, Gain, TextEdit
from jupyter_mlprof.model.profile import MIME_TYPE
from jupyter_mlprof.notebook_file import write
from tests import samples
from tests.browser import notebooks
from tests.browser.page import Suggestion, open_without_kernel

MARKUP = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"
OUT_OF_RANGE = 10_000


def payload():
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
    return to_json(samples.profile(cell=cell, findings=(finding,)))


def with_markup(value):
    """Put markup before each text; words that have to be one of a list or a hash stay."""
    if isinstance(value, dict):
        kept = ("part", "state", "metric", "confidence", "source_sha256")
        return {name: one if name in kept else with_markup(one) for name, one in value.items()}
    if isinstance(value, list):
        return [with_markup(one) for one in value]
    return MARKUP + value if isinstance(value, str) else value


def of_wrong_types(profile):
    """Give every field a value of another type than its own."""
    others = {dict: [1], list: {"0": 1}, str: [MARKUP], int: MARKUP, float: {}, type(None): -1}
    return {name: others[type(value)] for name, value in profile.items()} | {"schema_version": 1}


def test_nothing_in_a_payload_is_executed(page, lab):
    profile = payload()
    payloads = {
        "markup": with_markup(profile),
        "newer": {**profile, "schema_version": 2},
        "wrong types": of_wrong_types(profile),
        "wrong items": {**profile, "findings": [1, None, {"fix": {"edits": "all"}}], "split": [[]]},
        "no object": [MARKUP],
    }
    path = lab.root / "hostile.ipynb"
    write(notebooks.showing(*({MIME_TYPE: one} for one in payloads.values())), path)
    # Trusted: nothing but our own code stands between the payload and the page.
    lab.trust(path)
    notebook = open_without_kernel(page, lab, path)
    expect(notebook.cards).to_have_count(len(payloads))
    card = dict(zip(payloads, notebook.cards.all(), strict=True))

    expect(card["markup"].locator("strong").first).to_contain_text(MARKUP)
    expect(card["newer"]).to_contain_text("written by a newer jupyter_mlprof (schema 2)")
    expect(card["wrong types"]).to_contain_text("The profile holds no verdict.")
    expect(card["wrong items"]).to_contain_text("waited for the DataLoader")
    expect(card["no object"]).to_contain_text("not a profile that jupyter_mlprof can read")

    suggestion = Suggestion(card["markup"])
    expect(suggestion.status).to_contain_text("This suggestion is damaged")
    expect(suggestion.button).to_be_disabled()
    for one in card.values():
        expect(one).not_to_contain_text("could not be drawn")
        one.evaluate("card => card.querySelectorAll('details').forEach(d => { d.open = true })")
    expect(notebook.cards.locator("img, script, iframe, [onerror]")).to_have_count(0)
    assert page.evaluate("window.hacked") is None
