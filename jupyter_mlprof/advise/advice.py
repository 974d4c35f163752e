"""All rules on one profile."""

from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_mlprof.advise.cell_source import EarlierCell
from jupyter_mlprof.advise.rule import Clues, Rule, Withheld
from jupyter_mlprof.advise.rules.amp import amp
from jupyter_mlprof.advise.rules.data_loading import data_loading
from jupyter_mlprof.model.finding import Finding
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.model.source import normalized

RULES: tuple[Rule, ...] = (data_loading, amp)


@dataclass(frozen=True, slots=True)
class Advice:
    """Findings, those that may win most first, and the advice that was withheld."""

    findings: tuple[Finding, ...]
    withheld: tuple[Withheld, ...]


def advise(profile: CellProfile, source: str, earlier: Sequence[EarlierCell] = ()) -> Advice:
    """Apply every rule to the profile of a cell with this whole source."""
    clues = Clues(profile, normalized(source), earlier)
    results = [result for rule in RULES for result in rule(clues)]
    findings = [one for one in results if isinstance(one, Finding)]
    findings.sort(key=lambda finding: -finding.gain.low * finding.gain.high)
    withheld = tuple(one for one in results if isinstance(one, Withheld))
    return Advice(tuple(findings), withheld)
