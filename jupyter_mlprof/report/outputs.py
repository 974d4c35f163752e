"""The cells of a notebook and their outputs, as they can be shown without running anything."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any

from jupyter_mlprof.model import numbers
from jupyter_mlprof.report.clean import clean_html
from jupyter_mlprof.report.code import code_lines
from jupyter_mlprof.report.markup import Html, element, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbformat import NotebookNode

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+\Z")
MOST_TEXT, MOST_PICTURE = 100_000, 8_000_000
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")
UNSHOWN = "This output needs a script or a widget, which a report does not run."


def text_cell(cell: NotebookNode) -> Html:
    """Return a cell of Markdown, or of raw text."""
    if cell.cell_type != "markdown":
        return element("pre", _cut(cell.source), class_="mp-raw")
    return element("div", markdown(cell.source, cell.get("attachments")), class_="mp-markdown")


def markdown(text: str, attachments: Any = None) -> Html:
    """Return Markdown as nbconvert renders it, cleaned; as text where it cannot be rendered."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    pictures = attachments if isinstance(attachments, dict) else {}
    renderer = IPythonRenderer(escape=False, attachments=pictures, exclude_anchor_links=True)
    try:
        return clean_html(MarkdownWithMath(renderer=renderer).render(text[:MOST_TEXT]))
    except Exception:  # noqa: BLE001 - as an attachment that is missing
        return element("pre", _cut(text))


def code_cell(cell: NotebookNode, language: str) -> Html:
    """Return the source of a cell of code."""
    lines = code_lines(_cut(cell.source), language)
    source = Html("\n".join(lines))
    return element("pre", element("code", source), class_="mp-code") if cell.source else Html()


def merged(outputs: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Join what was written to one stream piece by piece."""
    found: list[NotebookNode] = []
    for output in outputs:
        last = found[-1] if found else None
        stream = output.output_type == "stream" and last is not None
        if last is not None and stream and last.get("name") == output.name:
            text = f"{last.get('text', '')}{output.get('text', '')}"
            found[-1] = type(output)({**output, "text": text})
        else:
            found.append(output)
    return found


def output_block(output: NotebookNode) -> Html:
    """Return an output."""
    kind = output.output_type
    if kind == "stream":
        return _text(output.get("text", ""), f"mp-stream mp-{output.name}")
    if kind == "error":
        lines = output.get("traceback")
        told = "\n".join(map(str, lines)) if isinstance(lines, list) else ""
        return _text(told or f"{output.get('ename')}: {output.get('evalue')}", "mp-error")
    return _rich(output.get("data", {}))


def _rich(bundle: dict[str, Any]) -> Html:
    """Return the richest form that needs no script."""
    whole = {kind: _joined(value) for kind, value in bundle.items()}
    known = {kind: value for kind, value in whole.items() if value is not None}
    if "text/html" in known:
        cleaned = clean_html(known["text/html"])
        if re.sub(r"<(?!img)[^>]*>|\s", "", cleaned):
            return element("div", cleaned, class_="mp-html")
    for kind in PICTURES:
        if BASE64.match(known.get(kind, "")):
            return _picture(kind, known[kind])
    if "image/svg+xml" in known:
        # As a picture an SVG runs no script and loads nothing.
        drawn = base64.b64encode(known["image/svg+xml"].encode("utf-8", "replace")).decode()
        return _picture("image/svg+xml", drawn)
    if "text/markdown" in known:
        return element("div", markdown(known["text/markdown"]), class_="mp-markdown")
    for kind in ("text/latex", "text/plain"):
        if kind in known:
            return _text(known[kind], "mp-result")
    return element("p", UNSHOWN, class_="mp-note")


def _picture(kind: str, encoded: str) -> Html:
    if len(encoded) > MOST_PICTURE:
        said = f"A picture of {numbers.size(len(encoded) * 3 / 4)} is left out."
        return element("p", said, class_="mp-note")
    return element("img", src=f"data:{kind};base64,{''.join(encoded.split())}", alt="Output")


def _text(text: str, class_: str) -> Html:
    plain = ESCAPES.sub("", text)
    # Of a line that was written over, as a progress bar is, the last state counts.
    lines = [line.rstrip("\r").rpartition("\r")[2] for line in plain.split("\n")]
    return element("pre", joined(_cut("\n".join(lines).rstrip("\n"))), class_=class_)


def _cut(text: str) -> str:
    if len(text) <= MOST_TEXT:
        return text
    return f"{text[:MOST_TEXT]}\n[{numbers.count(len(text) - MOST_TEXT)} more characters]"


def _joined(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    lines = isinstance(value, list) and all(isinstance(line, str) for line in value)
    return "".join(value) if lines else None
