"""One profile in full: verdict, bar, figures, findings, and what there is to look at closer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyter_mlprof.model import numbers
from jupyter_mlprof.report.drawings import Drawing, drawings
from jupyter_mlprof.report.findings import finding_block
from jupyter_mlprof.report.markup import Html, data, element, joined
from jupyter_mlprof.report.tables import (
    collectors_table,
    functions_table,
    holders_table,
    lines_table,
    operators_table,
)
from jupyter_mlprof.view.figures import figures
from jupyter_mlprof.view.parts import COLOURS, legend
from jupyter_mlprof.view.svg import sparkline, stacked_bar

if TYPE_CHECKING:
    from jupyter_mlprof.model.memory import Memory
    from jupyter_mlprof.model.profile import CellProfile

OPEN_FINDINGS = 3
HOW = (
    "Point at a chart for its values; drag to move, Ctrl and wheel to zoom, double-click to reset."
)
HOW_FLAME = "Point at a box for its function; click to zoom into it, double-click to reset."
ENDED = {
    "error": "Ended by an error after {}.",
    "interrupted": "Interrupted after {}.",
    "killed": "The kernel died after {}.",
}


def profile_section(profile: CellProfile, anchor: str, heading: str, language: str) -> Html:
    """Return a profile as a section of the page; `anchor` is its name there."""
    charts = drawings(profile)
    return element(
        "section",
        element("h2", heading),
        element("p", profile.verdict.text or "The profile holds no verdict.", class_="mp-verdict"),
        _outcome(profile),
        Html(stacked_bar(profile)),
        _legend(profile),
        _figures(profile),
        _findings(profile),
        _closer(profile, charts, anchor, language),
        class_="mp-profile",
        id=anchor,
    )


def _outcome(profile: CellProfile) -> Html:
    if profile.outcome == "ok":
        return Html()
    error = profile.error
    told = f"{error.type}: {error.message}" if error and profile.outcome != "killed" else ""
    where = f" (line {error.line})" if error and error.line is not None else ""
    said = ENDED[profile.outcome].format(numbers.seconds(profile.duration_s))
    return element("p", f"{told or said}{where}", class_="mp-outcome")


def _legend(profile: CellProfile) -> Html:
    items = [
        element(
            "li",
            element("i", style=f"background:{COLOURS[part.part]}", aria_hidden="true"),
            words,
        )
        for part, words in zip(profile.split, legend(profile), strict=True)
    ]
    return element("ul", items, class_="mp-legend") if items else Html()


def _figures(profile: CellProfile) -> Html:
    pairs = [
        element("div", element("dt", name), element("dd", value))
        for name, value in figures(profile)
    ]
    return element("dl", pairs, class_="mp-figures")


def _findings(profile: CellProfile) -> Html:
    blocks = [
        finding_block(profile, finding, opened=place < OPEN_FINDINGS)
        for place, finding in enumerate(profile.findings)
    ]
    nothing = element("p", "Nothing worth changing was found.", class_="mp-note")
    return element("div", element("h3", "Findings"), blocks or nothing, class_="mp-findings")


def _closer(
    profile: CellProfile, charts: dict[str, Drawing | None], anchor: str, language: str
) -> list[Html]:
    def chart(name: str) -> Html:
        return _chart(profile, charts, name, f"{anchor}-{name}")

    functions = joined(functions_table(profile))
    parts = [
        _fold("Timeline", [_note(HOW), chart("timeline")], opened=True)
        if "timeline" in charts
        else Html(),
        _fold("Lines", [lines_table(profile, language)], opened=True),
        _fold("Functions", [functions]),
        _fold("Flame graph", [_note(HOW_FLAME), chart("flame")]) if "flame" in charts else Html(),
        _fold("Operators", [operators_table(profile)]) if profile.operators else Html(),
    ]
    if profile.memory is not None:
        growth = element("p", _growth(profile.memory))
        parts.append(_fold("Memory", [growth, chart("memory"), holders_table(profile)]))
    if profile.steps is not None:
        told = f"{numbers.counted(profile.steps.count, 'step')}, "
        told += f"{numbers.seconds(profile.steps.optimizer_s)} in the optimizer."
        parts.append(_fold("Steps", [element("p", told), chart("steps")]))
    return [*parts, _fold("How this was measured", _measured(profile))]


def _fold(title: str, body: list[Html], *, opened: bool = False) -> Html:
    summary = element("summary", element("h3", title))
    return element("details", summary, element("div", body), class_="mp-fold", open=opened)


def _note(text: str) -> Html:
    return element("p", text, class_="mp-note mp-how")


def _chart(profile: CellProfile, charts: dict[str, Drawing | None], name: str, place: str) -> Html:
    """Return the place of a chart, with a static picture until it is drawn, and its data."""
    drawing = charts.get(name)
    if drawing is None:
        return element("p", "This chart cannot be drawn from the numbers stored.", class_="mp-note")
    holder = element(
        "div",
        Html(_still(profile, name)),
        class_=f"mp-chart mp-chart-{name}",
        id=place,
        data_chart=f"{place}-data",
        role="img",
        aria_label=_summary(profile, name),
    )
    return joined(holder, data({"item": drawing.item, "colours": drawing.colours}, f"{place}-data"))


def _still(profile: CellProfile, name: str) -> str:
    """Return a picture that needs no script."""
    timeline = profile.timeline
    series = timeline.named({"timeline": "cpu", "memory": "rss"}.get(name, ""))
    if series is not None:
        return sparkline(timeline.t_s, series.values, _summary(profile, name), "#CC79A7")
    if name == "steps" and profile.steps is not None:
        times = profile.steps.seconds
        return sparkline(list(map(float, range(len(times)))), times, "step times", "#CC79A7")
    return ""


def _summary(profile: CellProfile, name: str) -> str:
    """Say in words what a chart shows."""
    if name == "memory" and profile.memory is not None:
        return f"Memory over time. {_growth(profile.memory)}"
    whole = numbers.seconds(profile.duration_s)
    return {
        "timeline": f"CPU, files and memory over the {whole} of the cell",
        "flame": f"Call tree of the {whole} of the cell; the table of functions has the same times",
        "steps": "Duration of each training step",
    }.get(name, name)


def _growth(memory: Memory) -> str:
    start, end = numbers.size(memory.start_bytes), numbers.size(memory.end_bytes)
    growth = memory.end_bytes - memory.start_bytes
    verb = "Grew" if growth > 0 else "Shrank"
    sentences = [
        f"From {start} to {end}."
        if start == end
        else f"{verb} by {numbers.size(abs(growth))}, from {start} to {end}.",
        f"Peak {numbers.size(memory.peak_bytes)} after {numbers.seconds(memory.peak_t_s)}.",
    ]
    if memory.limit_bytes is not None:
        sentences.append(f"Limit {numbers.size(memory.limit_bytes)}.")
    return " ".join(sentences)


def _measured(profile: CellProfile) -> list[Html]:
    machine = profile.machine
    limit = machine.memory_limit_bytes
    facts = [
        f"Python {machine.python}",
        machine.platform,
        numbers.cores(machine.cores_allowed),
        *([f"memory limit {numbers.size(limit)}"] if limit is not None else []),
        *(gpu.name for gpu in machine.gpus),
        f"jupyter_mlprof {profile.mlprof_version}",
        profile.started_at,
    ]
    left_out = [element("p", f"Left out: {what}.", class_="mp-note") for what in profile.dropped]
    return [collectors_table(profile), *left_out, element("p", " · ".join(facts), class_="mp-note")]
