"""How long each run of a trial is to be, so that enough pairs fit into the time limit."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from jupyter_mlprof.advise.imports import rerun_s
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.trial.arm import Stop
from jupyter_mlprof.trial.interval import LEAST_PAIRS
from jupyter_mlprof.trial.marks import Mark
from jupyter_mlprof.trial.version import Version, busiest

PAIRS = 5
# The rest of the limit is for starting copies, which no profile tells.
SHARE = 0.85
LEAST_STEPS = 8
PREFETCH = 2  # torch's own default: batches that each worker loads ahead


@dataclass(frozen=True)
class Plan:
    """Where each run stops, how many steps the whole cell has, and after which it is steady.

    With `passes` a run holds whole passes over the data, and so the starts of workers. `counted_s`
    are the seconds of the profiled run that its steps account for.
    """

    stop: Stop = field(default_factory=Stop)
    steps: int | None = None
    skip: int = 0
    passes: bool = False
    counted_s: float = 0.0

    def allows(self, version: Version) -> bool:
        """Tell whether a run is long enough to see the version's steady state."""
        if self.steps is None or self.passes or self.stop.after is None:
            return True
        return self.stop.after >= _skip(version) + _window(version)


def make_plan(
    profile: CellProfile, before: Version, after: Sequence[Version], gain: float, limit_s: float
) -> Plan | float:
    """Return the plan; or the seconds that a trial would need, where they do not fit.

    Best are runs of the whole cell, then of whole passes over the data, then of the first steps.
    `gain` is how many times faster the change is expected to be at least.
    """
    whole = rerun_s(profile)
    ways = list(_ways(profile, before, after[0]))
    for pairs in range(PAIRS, LEAST_PAIRS - 1, -1):
        longest = SHARE * limit_s / _runs(pairs, len(after), gain)
        if whole <= longest:
            return Plan()
        fitting = (way.fitted(longest) for way in ways)
        plan = next((one for one in fitting if one), None)
        if plan:
            return plan
    shortest = min([whole, *(way.least * way.each_s for way in ways)])
    return shortest * _runs(LEAST_PAIRS, len(after), gain) / SHARE


def _runs(pairs: int, variants: int, gain: float) -> float:
    """Return the length of a trial in runs of the original: one of each first, then the pairs."""
    return 1 + pairs + (variants + pairs) / max(1.0, gain)


@dataclass(frozen=True)
class _Way:
    """A plan that waits for its number of steps: `plan.skip` and then multiples of `unit`."""

    plan: Plan
    least: int
    most: int
    unit: int
    each_s: float

    def fitted(self, longest: float) -> Plan | None:
        """Return the plan with as many steps as fit into so many seconds."""
        steps = min(self.most, int(longest / self.each_s)) if self.each_s else self.most
        skip = self.plan.skip
        steps = skip + (steps - skip) // self.unit * self.unit
        if steps < self.least:
            return None
        return replace(self.plan, stop=Stop(self.plan.stop.what, steps))


def _ways(profile: CellProfile, before: Version, after: Version) -> Iterator[_Way]:
    """Yield the ways to run a part of the cell."""
    what, steps, passes = _steps(profile)
    if what is None:
        return
    stop, a_pass = Stop(what), max(1, steps // passes)
    if passes > 2:  # noqa: PLR2004 - two of two are the whole cell
        span = _counted_s(profile, what, between=True)
        plan = Plan(stop, steps, a_pass, passes=True, counted_s=span)
        yield _Way(plan, 2 * a_pass, steps - a_pass, a_pass, span / steps)
    skip, window = (max(of(before), of(after)) for of in (_skip, _window))
    span = _counted_s(profile, what, between=False)
    plan = Plan(stop, steps, skip, counted_s=span)
    most = a_pass if passes > 1 else steps - 1
    yield _Way(plan, skip + window, most, max(1, after.workers), span / steps)


def _steps(profile: CellProfile) -> tuple[Mark | None, int, int]:
    """Return what can be counted, how many there were, and in how many passes over the data."""
    use = busiest(profile)
    passes = max(1, use.epochs) if use else 1
    if profile.steps is not None and profile.steps.count:
        return "steps", profile.steps.count, passes
    batches = sum(use.batches for use in profile.loader)
    return ("batches", batches, passes) if batches else (None, 0, 1)


def _counted_s(profile: CellProfile, what: Mark, *, between: bool) -> float:
    """Return the seconds that the steps account for, with or without those between passes."""
    loops = [use.loop_s for use in profile.loader]
    if what == "batches":
        return sum(loops)
    use, steps = busiest(profile), profile.steps
    if use is not None and use.loop_s and not between:
        return use.loop_s
    assert steps is not None  # noqa: S101 - they are what is counted
    return statistics.fmean(steps.seconds) * steps.count if steps.seconds else rerun_s(profile)


def _skip(version: Version) -> int:
    """Return after how many steps a run is steady: past what workers fetched during the first."""
    return max(1, version.workers * PREFETCH)


def _window(version: Version) -> int:
    """Return how many steps are measured at least: workers that are behind deliver in bursts."""
    bursts = max(1, version.workers)
    return -(-LEAST_STEPS // bursts) * bursts
