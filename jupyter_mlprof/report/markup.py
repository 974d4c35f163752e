"""HTML put together so that text cannot become markup: what is not marked as HTML is escaped."""

import json
from collections.abc import Iterable
from html import escape
from typing import Any

VOID = {"br", "hr", "img", "meta", "input"}


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(tag: str, *inner: str | Iterable[str], **attributes: str | float | bool | None) -> Html:
    """Return an element; an attribute that is None or False is left out, and True has no value.

    `class_` gives the class, and `data_x` the attribute `data-x`.
    """
    given = "".join(
        f" {_name(name)}" + ("" if value is True else f'="{escape(str(value))}"')
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in VOID:
        return Html(f"<{tag}{given}>")
    return Html(f"<{tag}{given}>{joined(*inner)}</{tag}>")


def joined(*inner: str | Iterable[str]) -> Html:
    """Return the parts one after the other, each escaped unless it is HTML."""
    return Html(
        "".join(
            (part if isinstance(part, Html) else escape(part))
            if isinstance(part, str)
            else joined(*part)
            for part in inner
        )
    )


def data(value: Any, name: str) -> Html:
    """Return an element that holds a JSON value, which no text in it can end."""
    text = json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
    return Html(f'<script type="application/json" id="{escape(name)}">{text}</script>')


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")
