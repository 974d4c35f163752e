"""The page around what is reported: policy, style, scripts, and the table of contents.

The policy lets run the scripts of this page alone, by their hashes, and lets nothing be fetched: a
report is opened by people who trust the reporter, not every output in the notebook.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from jupyter_mlprof import __version__
from jupyter_mlprof.model import numbers
from jupyter_mlprof.report.drawings import bokehjs
from jupyter_mlprof.report.markup import Html, element, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jupyter_mlprof.model.profile import CellProfile


@dataclass(frozen=True, slots=True)
class Entry:
    """A profiled cell in the table of contents."""

    anchor: str
    heading: str
    profile: CellProfile


def whole_page(title: str, entries: Sequence[Entry], body: Sequence[Html]) -> str:
    """Return the whole page."""
    scripts = [_inline(one) for one in (*bokehjs(), _file("report.js"))] if entries else []
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(scripts)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content=f"jupyter_mlprof {__version__}"),
        element("title", f"ML profile: {title}"),
        element("style", Html(_file("report.css"))),
    )
    content = element("main", _header(title, entries), _contents(entries), body)
    tail = [element("script", Html(script)) for script in scripts]
    return f"<!DOCTYPE html>\n{element('html', head, element('body', content, tail), lang='en')}\n"


def _policy(scripts: Sequence[str]) -> str:
    """Allow our scripts, styles in place, and pictures that are in the page."""
    hashes = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts]
    allowed = " ".join(f"'sha256-{one}'" for one in hashes) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:;"
        " font-src data:; base-uri 'none'; form-action 'none'"
    )


def _inline(script: str) -> str:
    """Return a script as it may stand in a page, and as the browser hashes it."""
    return script.replace("\r\n", "\n").replace("</script", "<\\/script")


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _header(title: str, entries: Sequence[Entry]) -> Html:
    whole = sum(entry.profile.duration_s for entry in entries)
    told = [f"{numbers.counted(len(entries), 'profiled cell')}, {numbers.seconds(whole)}"]
    if len(entries) != 1:
        told[0] += " together" if entries else ""
    if entries:
        first = entries[0].profile
        told += [f"{first.started_at[:10]}", f"Python {first.machine.python}"]
        told.append(numbers.cores(first.machine.cores_allowed))
    return element(
        "header",
        element("p", "ML profile", class_="mp-kicker"),
        element("h1", title),
        element("p", " · ".join(told) if entries else "No profiled cell", class_="mp-note"),
    )


def _contents(entries: Sequence[Entry]) -> Html:
    if len(entries) < 2:  # noqa: PLR2004 - one needs no list
        return Html()
    longest = max(entry.profile.duration_s for entry in entries)
    rows = [_row(entry, longest) for entry in entries]
    return element(
        "nav",
        element("h2", "Profiled cells"),
        element("ol", rows),
        aria_label="Profiled cells",
        class_="mp-contents",
    )


def _row(entry: Entry, longest: float) -> Html:
    seconds = entry.profile.duration_s
    width = f"{100 * seconds / longest:.1f}%" if 0 < seconds <= longest else "0"
    bar = element("span", element("i", style=f"width:{width}"), class_="mp-track")
    return element(
        "li",
        element("a", entry.heading, href=f"#{entry.anchor}"),
        element("span", numbers.seconds(seconds), class_="mp-number"),
        bar,
        element("span", entry.profile.verdict.text, class_="mp-said"),
    )


def cell(prompt: str, *inner: str | Sequence[Html], anchor: str | None = None) -> Html:
    """Return a cell of the notebook with its prompt at the side."""
    side = element("div", prompt, class_="mp-prompt")
    return element("div", side, element("div", joined(*inner)), class_="mp-cell", id=anchor)
