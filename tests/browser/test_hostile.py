"""What a notebook from anywhere may hold under our MIME type is drawn as text, or refused."""

from playwright.sync_api import expect

from jupyter_mlprof.model.profile import MIME_TYPE
from jupyter_mlprof.notebook_file import write
from tests.browser import notebooks
from tests.browser.page import Suggestion, open_without_kernel
from tests.browser.payloads import MARKUP, hostile


def test_nothing_in_a_payload_is_executed(page, lab):
    payloads = hostile()
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
