"""A finding: title and gain, the change as a diff, advice, cost, and the evidence folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyter_mlprof.report.markup import Html, element, joined
from jupyter_mlprof.view.diff import fix_diff
from jupyter_mlprof.view.figures import evidence_text, gain_text

if TYPE_CHECKING:
    from jupyter_mlprof.model.finding import Finding
    from jupyter_mlprof.model.profile import CellProfile

SIGNS = {"+": "ins", "-": "del"}


def finding_block(profile: CellProfile, finding: Finding, *, opened: bool) -> Html:
    """Return a finding, which folds to its title and gain."""
    where = f"line {finding.line}" if finding.line is not None else ""
    summary = element(
        "summary",
        element("strong", finding.title),
        element("span", where, class_="mp-where") if where else "",
        element("span", gain_text(finding.gain), class_="mp-gain"),
    )
    costs = f"Costs: {'; '.join(finding.costs)}." if finding.costs else ""
    body = element(
        "div",
        _diff(profile, finding),
        element("p", finding.advice),
        element("p", costs, class_="mp-note") if costs else "",
        _evidence(finding),
    )
    return element("details", summary, body, class_="mp-finding", open=opened)


def _evidence(finding: Finding) -> Html:
    basis = f"expected {gain_text(finding.gain)}: {finding.gain.basis}"
    rows = [
        *map(evidence_text, finding.evidence),
        f"{basis} (confidence {finding.confidence})",
        f"rule {finding.rule}",
    ]
    items = [element("li", row) for row in rows]
    return element(
        "details", element("summary", "Evidence"), element("ul", items), class_="mp-evidence"
    )


def _diff(profile: CellProfile, finding: Finding) -> Html:
    rows = [
        element(
            SIGNS[row.sign],
            element("span", f"{row.line}", class_="mp-line-number"),
            element("span", f"{row.sign} ", class_="mp-sign"),
            row.text,
        )
        for row in fix_diff(profile.cell.source, finding.fix)
    ]
    return element("pre", joined(*rows), class_="mp-diff") if rows else Html()
