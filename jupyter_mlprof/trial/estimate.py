"""What the whole cell would take, worked out from a run of a part of it."""

from jupyter_mlprof.advise.imports import rerun_s
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.trial.arm import Ran
from jupyter_mlprof.trial.plan import Plan


def whole_s(ran: Ran, plan: Plan, starts: int, rest_s: float) -> float:
    """Return the seconds of the whole cell.

    What the first steps took beyond later ones counts once, the start of workers in it `starts`
    times; `rest_s` is added for what comes after the steps.
    """
    if plan.steps is None or not ran.marks:
        return ran.seconds
    once_s = _first_s(ran, plan)
    again_s = 0.0 if plan.passes else (starts - 1) * min(ran.first_wait_s, max(0.0, once_s))
    return once_s + again_s + plan.steps * steady_s(ran, plan) + rest_s


def rest_s(profile: CellProfile, ran: Ran, plan: Plan) -> float:
    """Return the seconds of the profiled run after its steps; `ran` tells those before."""
    if plan.steps is None or not ran.marks:
        return 0.0
    before_s = max(0.0, _first_s(ran, plan)) if ran.loop_at_s is None else ran.loop_at_s
    return max(0.0, rerun_s(profile) - plan.counted_s - before_s)


def steady_s(ran: Ran, plan: Plan) -> float:
    """Return the seconds of a later step."""
    marks = ran.marks
    if len(marks) < 2:  # noqa: PLR2004 - a step lies between two
        return ran.seconds
    skip = _skipped(ran, plan) if plan.steps is not None else len(marks) // 4
    before = marks[skip - 1] if skip else 0.0
    return (marks[-1] - before) / (len(marks) - skip)


def _first_s(ran: Ran, plan: Plan) -> float:
    """Return how much longer the skipped steps took, with all before them, than later ones."""
    skip = _skipped(ran, plan)
    return (ran.marks[skip - 1] if skip else 0.0) - skip * steady_s(ran, plan)


def _skipped(ran: Ran, plan: Plan) -> int:
    return min(plan.skip, len(ran.marks) - 1)
