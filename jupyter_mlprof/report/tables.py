"""The tables of a profile: lines of the cell with their heat, functions, variables, collectors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jupyter_mlprof.model import numbers
from jupyter_mlprof.report.code import code_lines
from jupyter_mlprof.report.markup import Html, element

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jupyter_mlprof.model.profile import CellProfile

MOST_FUNCTIONS = 100
MOST_LINES = 2_000


def lines_table(profile: CellProfile, language: str) -> Html:
    """Return the source of the cell, each line with its time and a bar for its heat."""
    times = {line.line: line.wall_s for line in profile.lines}
    dearest = max([one for one in times.values() if math.isfinite(one)], default=0.0)
    last = min(max(times, default=0), MOST_LINES)
    code = code_lines(profile.cell.source, language) if profile.cell.source else [Html()] * last
    rows = [
        _line(number, text, times.get(number), dearest, profile.duration_s)
        for number, text in enumerate(code[:MOST_LINES], start=1)
    ]
    notes = []
    if not profile.cell.source:
        notes.append("This profile was made without the source of the cell.")
    if not times:
        notes.append("No line was seen running: the time is too short.")
    if len(code) > MOST_LINES:
        notes.append(f"The first {numbers.count(MOST_LINES)} of {numbers.count(len(code))} lines.")
    said = [element("p", note, class_="mp-note") for note in notes]
    body = element("tbody", rows)
    return Html("".join([*said, element("table", body, class_="mp-lines") if rows else ""]))


def _line(
    number: int, code: Html, seconds: float | None, dearest: float, duration_s: float
) -> Html:
    heat = ""
    if seconds is not None:
        width = max(0.0, min(100.0, 100 * seconds / dearest)) if dearest > 0 else 0.0
        heat = element("i", style=f"width:{width:.1f}%") if math.isfinite(width) else ""
    return element(
        "tr",
        element("td", str(number), class_="mp-line-number"),
        element("td", numbers.seconds(seconds) if seconds is not None else "", class_="mp-number"),
        element(
            "td",
            numbers.share(seconds, duration_s) if seconds is not None else "",
            class_="mp-number mp-share",
        ),
        element("td", heat, class_="mp-heat"),
        element("td", element("code", code)),
    )


def functions_table(profile: CellProfile) -> Html:
    """Return the functions with their times; the page's script lets a click sort them."""
    if not profile.functions:
        return element("p", "No function was seen running.")
    shown = profile.functions[:MOST_FUNCTIONS]
    counted = any(one.calls is not None for one in shown)
    rows = [
        [
            _function(one.name, one.file, one.line),
            _number(numbers.seconds(one.self_s), one.self_s),
            _number(numbers.seconds(one.total_s), one.total_s),
            *(
                [_number("" if one.calls is None else numbers.count(one.calls), one.calls)]
                * counted
            ),
        ]
        for one in shown
    ]
    heads = ["Function", "Self", "Total", *(["Calls"] * counted)]
    more = len(profile.functions) - len(shown)
    note = element("p", f"{numbers.count(more)} cheaper ones are left out.", class_="mp-note")
    return Html(table(heads, rows, "mp-functions mp-sortable") + (note if more else ""))


def _function(name: str, file: str, line: int) -> Html:
    where = f"line {line}" if file == "<cell>" else f"{file}:{line}"
    return element("td", element("code", name), " ", element("span", where, class_="mp-where"))


def operators_table(profile: CellProfile) -> Html:
    """Return the operators of the framework, dearest first."""
    rows = [
        [
            element("td", element("code", one.name)),
            _number("" if one.line is None else str(one.line), one.line),
            _number(numbers.count(one.calls), one.calls),
            _number(numbers.seconds(one.cpu_s), one.cpu_s),
            _number("" if one.device_s is None else numbers.seconds(one.device_s), one.device_s),
        ]
        for one in (profile.operators or ())[:MOST_FUNCTIONS]
    ]
    return table(["Operator", "Line", "Calls", "CPU", "Device"], rows, "mp-sortable")


def holders_table(profile: CellProfile) -> Html:
    """Return the variables that hold memory."""
    holders = profile.memory.holders if profile.memory else ()
    if not holders:
        return element("p", "No variable was seen that holds much of it.")
    rows = [
        [
            element("td", element("code", one.name)),
            element("td", one.type),
            _number(numbers.size(one.bytes), one.bytes),
        ]
        for one in holders
    ]
    return table(["Variable", "What it is", "Size"], rows, "mp-holders")


def collectors_table(profile: CellProfile) -> Html:
    """Return what was measured, and what that cost."""
    rows = [
        [
            element("td", one.name),
            element("td", one.state),
            _number(numbers.seconds(one.cost_cpu_s), one.cost_cpu_s),
            element("td", one.reason or ""),
        ]
        for one in profile.collectors
    ]
    return table(["Collector", "State", "CPU time", "Why"], rows, "mp-collectors")


def table(heads: Sequence[str], rows: Iterable[Iterable[Html]], class_: str) -> Html:
    """Return a table that scrolls within itself where the page is narrow."""
    head = element("tr", [element("th", one, scope="col") for one in heads])
    body = [element("tr", cells) for cells in rows]
    inner = element("table", element("thead", head), element("tbody", body), class_=class_)
    return element("div", inner, class_="mp-scroll")


def _number(text: str, value: float | None) -> Html:
    """Return a cell that is sorted by its value."""
    known = value is not None and math.isfinite(value)
    return element("td", text, class_="mp-number", data_value=value if known else None)
