"""The static card: complete without script, style sheet or network, and readable without SVG.

Styles are inline, since a style element would reach beyond the card and is cut out of shared
notebooks; colours are JupyterLab's with fallbacks, so that the card fits light, dark and paper.
"""

from collections.abc import Iterable
from html import escape

from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Finding
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.view.diff import fix_diff
from jupyter_mlprof.view.figures import (
    dearest_lines,
    evidence_text,
    figures,
    gain_text,
    where_text,
)
from jupyter_mlprof.view.parts import COLOURS, legend
from jupyter_mlprof.view.svg import sparkline, stacked_bar
from jupyter_mlprof.view.trial import trial_text

LIMIT = 50_000
LINES, FUNCTIONS = 12, 15
OPEN_FINDINGS = 1

_FAINT = "color:var(--jp-content-font-color2,inherit)"
_BORDER = "1px solid var(--jp-border-color2,rgba(128,128,128,.4))"
_CELL = "text-align:left;padding:1px 10px 1px 0;vertical-align:top;border:0;background:none"
_MONOSPACE = "font-family:var(--jp-code-font-family,monospace);overflow-wrap:anywhere"
_CODE = (
    "font-family:var(--jp-code-font-family,monospace);font-size:92%;"
    "margin:4px 0;padding:6px 8px;overflow-x:auto;line-height:1.35;border-radius:3px;"
    "background:var(--jp-layout-color2,rgba(128,128,128,.12));"
    "color:var(--jp-content-font-color1,inherit)"
)
# Okabe and Ito's blue and vermillion, as in JupyterLab's card; the signs tell them apart as well.
_GREEN, _VERMILLION, _GREY = "#009E73", "#D55E00", "rgba(128,128,128,.4)"
# Beside words that say the same.
_EDGES = {
    "pays": _GREEN,
    "does-not-pay": _VERMILLION,
    "cannot-tell": _GREY,
    "refused": _GREY,
}
_TINTS = {"+": "rgba(0,114,178,.18)", "-": "rgba(213,94,0,.18)"}


def html(profile: CellProfile) -> str:
    """Return the card as HTML; detail is left out rather than exceed 50 kB."""
    for lines, functions in ((LINES, FUNCTIONS), (5, 5), (0, 0)):
        card = _card(profile, lines, functions)
        if len(card.encode("utf-8", "surrogatepass")) <= LIMIT:
            return card
    return f"<div><p><strong>{escape(profile.verdict.text)}</strong></p></div>"


def _card(profile: CellProfile, lines: int, functions: int) -> str:
    title = f"ML profile: {profile.name}" if profile.name else "ML profile"
    parts = [
        f'<div style="{_FAINT};font-size:85%">{escape(title)}</div>',
        f'<p style="margin:2px 0 8px"><strong>{escape(profile.verdict.text)}</strong></p>',
        stacked_bar(profile),
        _legend(profile),
        _figures(profile),
        *(_finding(profile, one, place) for place, one in enumerate(profile.findings)),
        _closer(profile, lines, functions),
    ]
    style = (
        f"max-width:860px;padding:8px 12px;border:{_BORDER};border-radius:4px;"
        "font-family:var(--jp-ui-font-family,system-ui,sans-serif);"
        "font-size:var(--jp-ui-font-size1,13px);line-height:1.4;"
        "color:var(--jp-content-font-color1,inherit)"
    )
    return f'<div style="{style}">{"".join(parts)}</div>'


def _legend(profile: CellProfile) -> str:
    items = [
        f'<span style="display:inline-block;margin-right:14px">'
        f'<span aria-hidden="true" style="color:{COLOURS[part.part]}">&#9632;</span>'
        f" {escape(words)}</span>"
        for part, words in zip(profile.split, legend(profile), strict=True)
    ]
    return f'<div style="{_FAINT};font-size:90%">{"".join(items)}</div>' if items else ""


def _figures(profile: CellProfile) -> str:
    items = [
        f'<span style="display:inline-block;margin-right:14px">{escape(name)}'
        f" <b>{escape(value)}</b></span>"
        for name, value in figures(profile)
    ]
    return f'<div style="{_FAINT};font-size:90%;margin-bottom:6px">{"".join(items)}</div>'


def _finding(profile: CellProfile, finding: Finding, place: int) -> str:
    opened = " open" if place < OPEN_FINDINGS else ""
    head = f"<b>{escape(finding.title)}</b>{where_text(finding)}: {escape(gain_text(finding.gain))}"
    costs = f"Costs: {'; '.join(finding.costs)}." if finding.costs else ""
    return (
        f'<details{opened} style="border-top:{_BORDER};padding:6px 0"><summary>{head}</summary>'
        f"{_diff(profile, finding)}"
        f'<div style="margin:4px 0">{escape(finding.advice)}</div>'
        f'<div style="margin:4px 0;{_FAINT}">{escape(costs)}</div>'
        f"{_trial(finding)}"
        f"{_folded('Evidence', _list(_evidence(finding)))}</details>"
    )


def _trial(finding: Finding) -> str:
    if finding.trial is None:
        return ""
    style = f"margin:4px 0;padding-left:8px;border-left:3px solid {_EDGES[finding.trial.verdict]}"
    return f'<div style="{style}">{escape(trial_text(finding.trial))}</div>'


def _evidence(finding: Finding) -> list[str]:
    basis = f"expected {gain_text(finding.gain)}: {finding.gain.basis}"
    return [*map(evidence_text, finding.evidence), f"{basis} (confidence {finding.confidence})"]


def _diff(profile: CellProfile, finding: Finding) -> str:
    rows = [
        f'<span style="display:block;background:{_TINTS[row.sign]}">'
        f"{row.line:>4} {row.sign} {escape(row.text)}</span>"
        for row in fix_diff(profile.cell.source, finding.fix)
    ]
    return f'<pre style="{_CODE}">{"".join(rows)}</pre>' if rows else ""


def _list(items: Iterable[str]) -> str:
    rows = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f'<ul style="margin:2px 0;padding-left:20px">{rows}</ul>'


def _folded(title: str, body: str) -> str:
    summary = f'<summary style="{_FAINT}">{escape(title)}</summary>'
    return f'<details style="margin:2px 0">{summary}{body}</details>' if body else ""


def _closer(profile: CellProfile, lines: int, functions: int) -> str:
    body = "".join(
        (
            _folded("Lines", _lines(profile, lines)),
            _folded("Functions", _functions(profile, functions)),
            _folded("Memory and CPU over time", _timeline(profile)),
            _folded("How this was measured", _measured(profile)),
        )
    )
    closer = f'<div style="padding-left:14px">{body}</div>'
    return (
        f'<details style="border-top:{_BORDER};padding-top:6px"><summary>Look closer</summary>'
        f"{closer}</details>"
    )


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(
        f'<th style="{_CELL};font-weight:normal;{_FAINT}">{escape(one)}</th>' for one in heads
    )
    body = "".join(f'<tr style="background:none">{"".join(row)}</tr>' for row in rows)
    return (
        f'<div style="overflow-x:auto"><table style="border:0;margin:2px 0;font-size:90%">'
        f'<tr style="background:none">{head}</tr>{body}</table></div>'
    )


def _number(text: str) -> str:
    return f'<td style="{_CELL};white-space:nowrap">{escape(text)}</td>'


def _words(text: str, style: str = "") -> str:
    return f'<td style="{_CELL};{style}">{escape(text)}</td>'


def _lines(profile: CellProfile, most: int) -> str:
    rows = [
        (
            _number(str(line.line)),
            _number(numbers.seconds(line.wall_s)),
            _number(numbers.share(line.wall_s, profile.duration_s)),
            _words(code.strip()[:120], _MONOSPACE),
        )
        for line, code in dearest_lines(profile, most)
    ]
    return _table(("line", "time", "share", "code"), rows) if rows else ""


def _functions(profile: CellProfile, most: int) -> str:
    rows = [
        (
            _words(one.name[:80], _MONOSPACE),
            _words(f"{one.file}:{one.line}"[-80:], _MONOSPACE),
            _number(numbers.seconds(one.self_s)),
            _number(numbers.seconds(one.total_s)),
            _number("" if one.calls is None else numbers.count(one.calls)),
        )
        for one in profile.functions[:most]
    ]
    if not rows:
        return ""
    return _table(("function", "where", "self", "total", "calls"), rows) + _calls_note(profile)


def _calls_note(profile: CellProfile) -> str:
    calls = profile.calls
    if calls is None or calls.reason is None:
        return ""
    span = f"{numbers.seconds(calls.from_s)} to {numbers.seconds(calls.to_s)}"
    return f"<p>{escape(f'Calls were counted from {span}: {calls.reason}')}</p>"


def _timeline(profile: CellProfile) -> str:
    pictures = []
    for name, title, colour in (("rss", "memory", "#0072B2"), ("cpu", "CPU", "#D55E00")):
        series = profile.timeline.named(name)
        if series is None:
            continue
        top = max((value or 0.0 for value in series.values), default=0.0)
        words = f"{title}, at most {numbers.evidence(top, series.unit)}"
        picture = sparkline(profile.timeline.t_s, series.values, words, colour)
        pictures.append(f"<div>{escape(words)}<br>{picture}</div>")
    return "".join(pictures)


def _measured(profile: CellProfile) -> str:
    rows = [
        (
            _words(one.name),
            _words(one.state),
            _number(numbers.seconds(one.cost_cpu_s)),
            _words(one.reason or ""),
        )
        for one in profile.collectors
    ]
    said = _list(f"left out: {what}" for what in profile.dropped) if profile.dropped else ""
    return _table(("collector", "state", "CPU time", ""), rows) + said
