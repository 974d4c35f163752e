"""What a change would save of the whole cell, and whether that is worth advice."""

from dataclasses import dataclass

from jupyter_mlprof.advise.imports import rerun_s
from jupyter_mlprof.model.finding import Gain
from jupyter_mlprof.model.profile import CellProfile

GAIN_WORTH = 1.1  # below this a change of the loader is not worth its costs
SAVED_WORTH_S = 0.05
RUN_TO_RUN = 1.15  # by so much did identical torch loops differ from run to run
REST = 0.01  # of a cell something always stays


@dataclass(frozen=True, slots=True)
class Saving:
    """Seconds that a change would save at worst and at best."""

    low_s: float
    high_s: float

    @property
    def middle_s(self) -> float:
        """Seconds that it would save as a rule."""
        return (self.low_s + self.high_s) / 2

    def is_worth(self, profile: CellProfile, least: float = GAIN_WORTH) -> bool:
        """Tell whether the cell would become faster by so much, even at worst."""
        return self.low_s >= SAVED_WORTH_S and faster(profile, self.low_s) >= least

    def gain(self, profile: CellProfile, basis: str) -> Gain:
        """Return how much faster the whole cell would be; `basis` says of what, in words."""
        low, high = (faster(profile, saved_s) for saved_s in (self.low_s, self.high_s))
        return Gain("time", max(1.0, low / RUN_TO_RUN), max(low, high) * RUN_TO_RUN, basis)


def faster(profile: CellProfile, saved_s: float) -> float:
    """Return how many times as fast the cell, imports aside, is without these seconds."""
    whole = rerun_s(profile)
    return whole / max(REST * whole, whole - saved_s) if whole else 1.0
