"""The loop waits for its DataLoader: one cause, one finding for each loader."""

from collections.abc import Callable, Sequence

from jupyter_mlprof.advise.imports import rerun_s
from jupyter_mlprof.advise.rule import Clues, Withheld
from jupyter_mlprof.advise.rules.input_pipeline import more_workers
from jupyter_mlprof.advise.rules.rowwise import rowwise
from jupyter_mlprof.advise.rules.worker_processes import worker_processes
from jupyter_mlprof.model.finding import Finding
from jupyter_mlprof.model.loader import LoaderUse

Cause = Callable[[Clues, LoaderUse], Finding | Withheld | None]

# More workers hide a cause that lies below the wait; they come last.
BELOW: tuple[Cause, ...] = (worker_processes, rowwise)
WAIT_WORTH = 0.05  # of the cell; what is less cannot be a finding


def data_loading(clues: Clues) -> Sequence[Finding | Withheld]:
    """Give each loader's dearest cause, or why there is no advice."""
    whole = rerun_s(clues.profile)
    waiting = (
        use for use in clues.profile.loader if use.batches and use.wait_s >= WAIT_WORTH * whole > 0
    )
    return [result for use in waiting for result in _for_loader(clues, use)]


def _for_loader(clues: Clues, use: LoaderUse) -> Sequence[Finding | Withheld]:
    below = [one for cause in BELOW if (one := cause(clues, use)) is not None]
    found = [one for one in below if isinstance(one, Finding)]
    if found:
        return [max(found, key=lambda one: one.gain.low * one.gain.high)]
    more = more_workers(clues, use)
    if isinstance(more, Finding):
        return [more]
    return below if more is None else [*below, more]
