"""Whether workers that a loader has pay, and what to do with them where they do not."""

from dataclasses import dataclass
from typing import Literal

from jupyter_mlprof.advise.imports import rerun_s
from jupyter_mlprof.advise.saving import REST, Saving
from jupyter_mlprof.model.loader import LoaderUse
from jupyter_mlprof.model.profile import CellProfile

BETTER = 0.9  # so much shorter has a cell without workers to be, to give up the user's choice
WITHOUT_WORKERS = (0.7, 1.3)  # loading in the loop's own process, over that in workers
PER_BATCH_S = 1e-4  # what a batch costs a loader without workers, beside its loading
# Arguments that torch refuses without workers, and what they are then.
NEED_WORKERS = {
    "num_workers": "0",
    "persistent_workers": "False",
    "prefetch_factor": "None",
    "timeout": "0",
    "multiprocessing_context": "None",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """To keep the workers between passes, or to have `workers` of them."""

    way: Literal["keep", "none", "fewer"]
    workers: int
    saving: Saving


def starts(use: LoaderUse) -> int:
    """Return how often the workers were started."""
    return use.loaders if use.persistent_workers else max(use.epochs, use.loaders)


def best_choice(profile: CellProfile, use: LoaderUse) -> Choice | None:
    """Return what saves most; no workers only where that clearly saves more than keeping them."""
    if not use.workers:
        return None
    keep, none, fewer = _keep(use), _none(use), _fewer(use)
    found = [one for one in (keep, fewer) if one is not None]
    best = max(found, key=lambda one: one.saving.middle_s, default=None)
    if none is None or best is None:
        return none or best
    whole = rerun_s(profile)
    rest, rest_without = (max(REST * whole, whole - one.saving.middle_s) for one in (best, none))
    return none if rest_without < BETTER * rest else best


def _keep(use: LoaderUse) -> Choice | None:
    """Start them once: at best, what they read again for each first batch is saved too."""
    often = starts(use)
    if often < 2:  # noqa: PLR2004 - once is needed anyway
        return None
    again = (often - 1) / often
    first_s = max(0.0, use.first_wait_s - often * use.batch_load_s)
    high_s = min(use.wait_s, use.start_s + first_s)
    return Choice(
        "keep", use.workers, Saving(use.start_s * again, max(use.start_s, high_s) * again)
    )


def _none(use: LoaderUse) -> Choice | None:
    """Load in the loop's own process: all of the wait goes, and all of the loading comes."""
    if not use.load_s or use.iterable:
        return None
    load_s = use.batch_load_s * use.batches
    best, worst = (
        use.wait_s - factor * load_s - use.batches * PER_BATCH_S for factor in WITHOUT_WORKERS
    )
    return Choice("none", 0, Saving(max(0.0, worst), max(0.0, best)))


def _fewer(use: LoaderUse) -> Choice | None:
    """Have just so many that they load as fast as the loop computes."""
    load_s = use.batch_load_s * use.batches
    if not load_s or use.iterable:
        return None
    enough = next((k for k in range(1, use.workers) if load_s / k <= use.compute_s), None)
    if enough is None:
        return None
    saved_s = use.start_s * (1 - enough / use.workers)
    return Choice("fewer", enough, Saving(saved_s / 2, saved_s))
