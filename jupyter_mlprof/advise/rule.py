"""The seam between the advisor and its rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from jupyter_mlprof.advise.cell_source import EarlierCell
from jupyter_mlprof.model.finding import Finding
from jupyter_mlprof.model.profile import CellProfile


@dataclass(frozen=True, slots=True)
class Withheld:
    """Advice that the code invites and the run speaks against, with the reason as a clause.

    `change` is the beginning of the sentence that ends in "not advised".
    """

    rule: str
    reason: str
    change: str = "More workers are"


@dataclass(frozen=True)
class Clues:
    r"""What a rule may look at: the profile, the whole cell, and the cells before it, newest first.

    The source has `\n` newlines.
    """

    profile: CellProfile
    source: str
    earlier: Sequence[EarlierCell] = ()


class Rule(Protocol):
    """Looks for one cause; gives what it found, or why it keeps silent where one might ask."""

    def __call__(self, clues: Clues) -> Sequence[Finding | Withheld]: ...
