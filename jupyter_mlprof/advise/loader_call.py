"""The call that builds a DataLoader, read and changed.

LibCST takes a third of a second to import: this file is imported only for a cell that gets a fix.
"""

from collections.abc import Iterable, Mapping

import libcst as cst

from jupyter_mlprof.advise.calls import call_at
from jupyter_mlprof.advise.edit import argument, set_arguments
from jupyter_mlprof.advise.rule import Clues
from jupyter_mlprof.model.finding import Fix
from jupyter_mlprof.model.loader import LoaderUse, Span

# torch.utils.data.DataLoader's parameters that may be given by position.
PARAMETERS = (
    "dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers",
    "collate_fn", "pin_memory", "drop_last", "timeout", "worker_init_fn",
)  # fmt: skip


def loader_call(clues: Clues, use: LoaderUse) -> tuple[cst.Call, Span] | None:
    """Return the call in the cell that built the loader, and where it is."""
    return call_at(clues.source, use.built, "DataLoader") if use.built else None


def given(clues: Clues, use: LoaderUse, names: Iterable[str]) -> list[str]:
    """Return which of these parameters the call passes."""
    found = loader_call(clues, use)
    if found is None:
        return []
    return [name for name in names if argument(found[0], name, PARAMETERS) is not None]


def changed(clues: Clues, use: LoaderUse, values: Mapping[str, str]) -> Fix | None:
    """Return the fix that gives the call these arguments; None where it cannot be edited."""
    found = loader_call(clues, use)
    if found is None or not values:
        return None
    return set_arguments(clues.source, *found, values, PARAMETERS)
