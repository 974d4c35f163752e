"""The verdict of a trial, and how it is said."""

import math

from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.trial import Interval, Trial, TrialVerdict

# A gain below the first is not worth a change; below the second it may be none.
WORTH, UNDECIDED = 1.05, 1.10
# Values that differ by less than the rounding of half precision are called equal.
EQUAL = 1e-6


def decide(speedup: Interval) -> TrialVerdict:
    """Return what an interval says: certain of a gain, certain of none, or neither."""
    if speedup.low > WORTH:
        return "pays"
    return "does-not-pay" if speedup.high < UNDECIDED else "cannot-tell"


def told(trial: Trial) -> str:
    """Return the verdict as a sentence or two."""
    assert trial.speedup is not None  # noqa: S101 - judged
    low, middle, high = trial.speedup.low, trial.speedup.middle, trial.speedup.high
    span = f"{low:.2f}x to {high:.2f}x"
    if trial.verdict == "pays":
        said = f"Pays: {numbers.ratio(middle)} faster ({span})"
    elif trial.verdict == "cannot-tell":
        said = f"Cannot tell: {span} of the speed in {trial.pairs} pairs"
    elif high < 1:
        said = f"Does not pay: {numbers.ratio(1 / middle)} slower ({span} of the speed)"
    else:
        said = f"Does not pay: no difference worth a change ({span} of the speed)"
    return f"{said}; {_result(trial)}."


def _result(trial: Trial) -> str:
    """Return what became of the values that the cell computes."""
    drift = trial.drift
    if drift is None:
        return "nothing was found whose values could be compared"
    if not drift.relative > max(EQUAL, drift.same_code):
        return f"same result in {numbers.counted(trial.compared, 'variable')}"
    if math.isinf(drift.relative):
        return f"`{drift.name}` is of another size or not finite"
    return (
        f"`{drift.name}` differs by {100 * drift.relative:.2g} %,"
        f" between two runs of the original by {100 * drift.same_code:.2g} %"
    )
