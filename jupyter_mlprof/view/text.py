"""A profile as plain text, 80 columns wide."""

import textwrap

from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Finding
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.view.diff import DiffRow, fix_diff
from jupyter_mlprof.view.figures import (
    dearest_lines,
    evidence_text,
    figures,
    gain_text,
    where_text,
)
from jupyter_mlprof.view.parts import legend
from jupyter_mlprof.view.trial import trial_text

WIDTH = 80
LIMIT = 10_000
LINES = 5


def text(profile: CellProfile) -> str:
    """Return the verdict, the figures, the findings with diffs and the dearest lines."""
    title = f"ML profile: {profile.name}" if profile.name else "ML profile"
    blocks = [
        title,
        _wrap(profile.verdict.text),
        _wrap(" | ".join(legend(profile))),
        _table([(name, value) for name, value in figures(profile)]),
        *(_finding(profile, finding) for finding in profile.findings),
        _lines(profile),
    ]
    if profile.dropped:
        blocks.append(_wrap(f"Left out to keep the notebook small: {', '.join(profile.dropped)}."))
    whole = visible("\n\n".join(block for block in blocks if block))
    return whole if len(whole) <= LIMIT else whole[: LIMIT - 4] + "\n..."


def visible(text: str) -> str:
    """Write out control characters: a stored profile must not steer the reader's terminal."""
    return "".join(
        one if one.isprintable() or one in "\n\N{NO-BREAK SPACE}" else f"\\x{ord(one):02x}"
        for one in text.replace("\t", "    ")
    )


def _wrap(sentence: str, indent: str = "") -> str:
    """Wrap to the width, keeping each percent sign with its number."""
    bound = sentence.replace(" %", "\N{NO-BREAK SPACE}%")
    filled = textwrap.fill(
        bound, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )
    return filled.replace("\N{NO-BREAK SPACE}%", " %")


def _table(rows: list[tuple[str, str]]) -> str:
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _finding(profile: CellProfile, finding: Finding) -> str:
    parts = [
        f"* {finding.title}{where_text(finding)}: {gain_text(finding.gain)}",
        "\n".join(map(_diff_row, fix_diff(profile.cell.source, finding.fix))),
        _wrap(f"{finding.advice} Expected: {finding.gain.basis}.", "  "),
        _wrap("; ".join(map(evidence_text, finding.evidence)) + ".", "  "),
    ]
    if finding.costs:
        parts.append(_wrap(f"Costs: {'; '.join(finding.costs)}.", "  "))
    if finding.trial is not None:
        parts.append(_wrap(trial_text(finding.trial), "  "))
    return "\n".join(part for part in parts if part)


def _diff_row(row: DiffRow) -> str:
    """Return a line of the diff; what is too long goes on below, indented."""
    first = f"{row.line:>6} {row.sign} "
    lines = textwrap.wrap(
        row.text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * (len(first) + 4),
        break_on_hyphens=False,
        replace_whitespace=False,
    )
    return "\n".join(lines or [first.rstrip()])


def _lines(profile: CellProfile) -> str:
    """Return the dearest lines; a line holds the time of what it called."""
    rows = [
        f"{line.line:>4}  {numbers.seconds(line.wall_s):>9}"
        f"  {numbers.share(line.wall_s, profile.duration_s):>6}  {code.strip()}"[:WIDTH].rstrip()
        for line, code in dearest_lines(profile, LINES)
    ]
    return "\n".join(["line       time   share", *rows]) if rows else ""
