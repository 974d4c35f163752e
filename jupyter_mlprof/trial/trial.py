"""Original and changed cell in turn, and whether the change pays."""

import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Finding, Fix
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.model.trial import Drift, Trial
from jupyter_mlprof.trial.arm import Kernel, Ran, ran
from jupyter_mlprof.trial.estimate import rest_s, steady_s, whole_s
from jupyter_mlprof.trial.interval import LEAST_PAIRS, MOST_PAIRS, interval
from jupyter_mlprof.trial.plan import Plan, make_plan
from jupyter_mlprof.trial.refusals import refusal
from jupyter_mlprof.trial.values import difference
from jupyter_mlprof.trial.version import Version, original, variants
from jupyter_mlprof.trial.words import decide, told

# A copy that takes so much longer than the cell did hangs.
PATIENCE, PATIENCE_S = 5.0, 10.0


@dataclass(frozen=True)
class Tried:
    """A trial, and the fix that was found to be the best of its kind."""

    trial: Trial
    fix: Fix | None


@dataclass
class _Pairs:
    """The runs of both, in pairs."""

    before: list[Ran] = field(default_factory=list)
    after: list[Ran] = field(default_factory=list)


class _Refused(Exception):  # noqa: N818 - not an error: an answer
    """The trial cannot be made; says why."""


def try_fix(profile: CellProfile, finding: Finding, kernel: Kernel, limit_s: float) -> Tried:
    """Try the finding's fix in about so many seconds. An interrupt ends it."""
    begun = time.monotonic()
    reason = refusal(profile)
    if reason is None:
        try:
            tried = _Trial(profile, finding, kernel, begun + limit_s).run()
        except _Refused as refused:
            reason = str(refused)
    if reason is not None:
        tried = Tried(Trial("refused", f"Not tried: {reason}."), None)
    took = time.monotonic() - begun
    return replace(tried, trial=replace(tried.trial, took_s=took))


@dataclass
class _Trial:
    """One trial, up to a deadline of the monotonic clock."""

    profile: CellProfile
    finding: Finding
    kernel: Kernel
    deadline: float
    plan: Plan = field(default_factory=Plan)
    rest_s: float = 0.0
    pairs: _Pairs = field(default_factory=_Pairs)

    def run(self) -> Tried:
        """Choose the best variant, then run it beside the original."""
        limit_s = self.deadline - time.monotonic()
        assert self.finding.fix is not None  # noqa: S101 - the caller looks
        before, choices = original(self.profile), variants(self.profile, self.finding.fix)
        plan = make_plan(self.profile, before, choices, self.finding.gain.low, limit_s)
        if not isinstance(plan, Plan):
            text = f"Cannot tell in {limit_s:.0f} s: a trial needs about {numbers.seconds(plan)}."
            return Tried(Trial("cannot-tell", text), None)
        self.plan = plan
        first = self._ran(before)
        self.rest_s = rest_s(self.profile, first, plan)
        after, second = self._best([choices[0], *filter(plan.allows, choices[1:])])
        pairs = self._pairs_that_fit(whole=first.seconds + second.seconds)
        if pairs < LEAST_PAIRS:
            need = (LEAST_PAIRS + 1) * (first.seconds + second.seconds)
            text = f"Cannot tell in the time: a trial needs about {numbers.seconds(need)}."
            return Tried(Trial("cannot-tell", text), None)
        self._run_pairs(before, after, pairs)
        return Tried(self._judged(before, after), after.fix)

    def _best(self, choices: Sequence[Version]) -> tuple[Version, Ran]:
        """Run each variant once, as long as there is time, and return the fastest.

        What was chosen so is run anew beside the original: the best of several is partly luck.
        """
        best: tuple[Version, Ran] | None = None
        share = (self.deadline - time.monotonic()) / 3
        until = time.monotonic() + share
        for version in choices:
            if best is not None and time.monotonic() + best[1].seconds > until:
                break
            one = self._ran(version)
            if best is None or self._whole_s(one, version) < self._whole_s(best[1], best[0]):
                best = version, one
        assert best is not None  # noqa: S101 - there is one at least
        return best

    def _pairs_that_fit(self, whole: float) -> int:
        left = self.deadline - time.monotonic()
        return min(MOST_PAIRS, int(left / max(whole, 1e-3)))

    def _run_pairs(self, before: Version, after: Version, pairs: int) -> None:
        """Run so many pairs, the order inside each by chance."""
        chance = random.Random()  # noqa: S311 - its own, and nothing secret
        for _ in range(pairs):
            arms = [(self.pairs.before, before), (self.pairs.after, after)]
            chance.shuffle(arms)
            for runs, version in arms:
                runs.append(self._ran(version))

    def _ran(self, version: Version) -> Ran:
        patience_s = PATIENCE * self.profile.duration_s + PATIENCE_S
        one = ran(self.kernel, version.source, self.plan.stop, patience_s)
        if one.failed is not None:
            raise _Refused(one.failed)
        return one

    def _whole_s(self, one: Ran, version: Version) -> float:
        return whole_s(one, self.plan, version.starts, self.rest_s)

    def _judged(self, old: Version, new: Version) -> Trial:
        """Work the verdict out."""
        before = [self._whole_s(one, old) for one in self.pairs.before]
        after = [self._whole_s(one, new) for one in self.pairs.after]
        speedup = interval([one / other for one, other in zip(before, after, strict=True)])
        steady = [
            statistics.median(steady_s(one, self.plan) for one in runs)
            for runs in (self.pairs.before, self.pairs.after)
        ]
        compared, drift = self._drift()
        peaks = [
            statistics.median(one.peak_bytes for one in runs)
            for runs in (self.pairs.before, self.pairs.after)
        ]
        trial = Trial(
            verdict=decide(speedup),
            text="",
            pairs=len(before),
            speedup=speedup,
            steady=steady[0] / steady[1] if self.pairs.before[0].marks and steady[1] else None,
            before_s=statistics.median(before),
            after_s=statistics.median(after),
            steps=self.plan.stop.after,
            memory_change_bytes=int(peaks[1] - peaks[0]),
            compared=compared,
            drift=drift,
        )
        return replace(trial, text=told(trial))

    def _drift(self) -> tuple[int, Drift | None]:
        """Return how many variables were compared, and the one that differs most."""
        first, again, changed = (
            one.values or {}
            for one in (self.pairs.before[0], self.pairs.before[1], self.pairs.after[0])
        )
        common = [name for name in first if name in changed and name in again]
        drifts = [
            Drift(
                name,
                difference(first[name], changed[name]),
                difference(first[name], again[name]),
            )
            for name in common
        ]
        return len(common), max(drifts, key=lambda one: one.relative, default=None)
