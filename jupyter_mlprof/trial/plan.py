"""How long each run of a trial is to be, so that enough pairs fit into the time limit."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from jupyter_mlprof.model.finding import Fix, TextEdit
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.trial.arm import Ran, Stop
from jupyter_mlprof.trial.marks import Mark

PAIRS = 5
# What is run once first, to warm up and to choose among worker counts, in runs.
FIRST = 2
LEAST_STEPS = 8
PREFETCH = 2
WORKERS = re.compile(r"(num_workers\s*=\s*)(\d+)")


@dataclass(frozen=True)
class Plan:
    """Where each run stops, how many steps the whole cell has, and after which it is steady."""

    stop: Stop = field(default_factory=Stop)
    steps: int | None = None
    skip: int = 0


def make_plan(profile: CellProfile, workers: int, limit_s: float) -> Plan | float:
    """Return the plan; or the seconds that a trial would need, where they do not fit."""
    whole = profile.duration_s
    runs = FIRST + 2 * PAIRS
    if runs * whole <= limit_s:
        return Plan()
    what, steps, passes = _steps(profile)
    if what is None or steps <= 0:
        least = (FIRST + 6) * whole
        return Plan() if least <= limit_s else least
    each = whole / steps
    skip = _skipped(steps, passes, workers)
    least = skip + max(LEAST_STEPS, skip if passes > 1 else 0)
    after = math.floor(limit_s / runs / each)
    if passes > 1:  # whole passes, since each has a start of its own
        after = after // skip * skip
    if after < least:
        if (FIRST + 6) * least * each > limit_s:
            return runs * least * each
        after = least
    return Plan() if after >= steps else Plan(Stop(what, after), steps, skip)


def _steps(profile: CellProfile) -> tuple[Mark | None, int, int]:
    """Return what can be counted, how many there were, and in how many passes over the data."""
    passes = max((use.epochs for use in profile.loader), default=1)
    if profile.steps is not None and profile.steps.count:
        return "steps", profile.steps.count, passes
    batches = sum(use.batches for use in profile.loader)
    return ("batches", batches, passes) if batches else (None, 0, 1)


def _skipped(steps: int, passes: int, workers: int) -> int:
    """Return after how many steps a run is steady: past what workers had fetched ahead."""
    if passes > 1:
        return max(1, steps // passes)
    return 1 + 2 * workers * PREFETCH


def whole_s(ran: Ran, plan: Plan) -> float:
    """Return the seconds of the whole cell, worked out from a run of a part of it."""
    if plan.steps is None or not ran.marks:
        return ran.seconds
    skip = min(plan.skip, len(ran.marks) - 1)
    once = ran.marks[skip - 1] if skip else 0.0
    return once + (plan.steps - skip) * steady_s(ran, plan)


def steady_s(ran: Ran, plan: Plan) -> float:
    """Return the seconds of a later step."""
    marks = ran.marks
    if len(marks) < 2:  # noqa: PLR2004 - a step lies between two
        return ran.seconds
    skip = min(plan.skip, len(marks) - 1) if plan.steps is not None else len(marks) // 4
    before = marks[skip - 1] if skip else 0.0
    return (marks[-1] - before) / (len(marks) - skip)


def variants(fix: Fix, most: int) -> Sequence[tuple[int, Fix]]:
    """Return the fix with the worker counts that are worth trying, its own first; each with it."""
    found = [int(one[2]) for edit in fix.edits for one in WORKERS.finditer(edit.text)]
    if not found or found[0] == 0:
        return [(max(found, default=0), fix)]
    own = found[0]
    counts = dict.fromkeys(one for one in (own, own // 2, min(most, 2 * own)) if one > 0)
    return [(count, _with_workers(fix, count)) for count in counts]


def _with_workers(fix: Fix, count: int) -> Fix:
    edits = tuple(
        TextEdit(edit.start, edit.end, WORKERS.sub(rf"\g<1>{count}", edit.text))
        for edit in fix.edits
    )
    return Fix(fix.source_sha256, edits)
