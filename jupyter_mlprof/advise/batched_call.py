"""The DataLoader call changed to hand whole lists of indices to its dataset.

With a BatchSampler as the sampler and batch_size=None the dataset is asked once for each batch.
Order, shuffling, the last batch and what the loop gets are the same: the same samplers draw the
same random numbers.
"""

import re

import libcst as cst

from jupyter_mlprof.advise.calls import called, code
from jupyter_mlprof.advise.edit import argument, set_arguments
from jupyter_mlprof.advise.loader_call import PARAMETERS, loader_call
from jupyter_mlprof.advise.names_of_torch import prefix
from jupyter_mlprof.advise.rule import Clues
from jupyter_mlprof.advise.worker_choice import NEED_WORKERS
from jupyter_mlprof.model.finding import Fix
from jupyter_mlprof.model.loader import LoaderUse

# What reads the loader's own batches or rebuilds it would find no batch size there.
_READS_LOADER = re.compile(r"\.(?:batch_sampler|prepare|fit)\b")


def own_collation(clues: Clues, use: LoaderUse) -> bool:
    """Tell whether the cell's call passes a collate_fn, which expects single rows."""
    found = loader_call(clues, use)
    return found is not None and argument(found[0], "collate_fn", PARAMETERS) is not None


def batched(clues: Clues, use: LoaderUse) -> Fix | None:
    """Return the fix; None where the call's text does not say all that it needs."""
    found = loader_call(clues, use)
    if found is None or _reads(clues.source, use.name):
        return None
    call, place = found
    sampler = _sampler(clues, call)
    if sampler is None:
        return None
    values = {"batch_size": "None", "sampler": sampler}
    instead = {"shuffle": "False", "drop_last": "False", "batch_sampler": "None"}
    values |= {name: value for name, value in instead.items() if _given(call, name) is not None}
    if use.workers:
        values |= {name: value for name, value in NEED_WORKERS.items() if _given(call, name)}
    return set_arguments(clues.source, call, place, values, PARAMETERS)


def _reads(source: str, name: str | None) -> bool:
    own = name and re.search(rf"\b{re.escape(name)}\.(?:batch_size|drop_last|sampler)\b", source)
    return bool(own or _READS_LOADER.search(source))


def _given(call: cst.Call, name: str) -> str | None:
    """Return the text of an argument, or None."""
    index = argument(call, name, PARAMETERS)
    return None if index is None else code(call.args[index].value)


def _sampler(clues: Clues, call: cst.Call) -> str | None:
    """Return the sampler of whole batches that does as the call does now."""
    if (whole := _given(call, "batch_sampler")) not in {None, "None"}:
        return whole
    before = prefix(clues, code(call.func))
    order = None if before is None else _order(call, before)
    size, last = _given(call, "batch_size") or "1", _given(call, "drop_last") or "False"
    if order is None or size == "None":
        return None
    return f"{before}BatchSampler({order}, {size}, drop_last={last})"


def _order(call: cst.Call, before: str) -> str | None:
    """Return what gives the order of the rows."""
    own = _given(call, "sampler")
    if own not in {None, "None"}:
        return own
    rows = _rows(call)
    shuffle = _given(call, "shuffle") or "False"
    if rows is None or shuffle not in {"True", "False", "None"}:
        return None
    if shuffle != "True":
        return f"{before}SequentialSampler({rows})"
    generator = _given(call, "generator")
    more = f", generator={generator}" if generator else ""
    return f"{before}RandomSampler({rows}{more})"


def _rows(call: cst.Call) -> str | None:
    """Return an expression that is as long as the dataset and costs nothing to write twice."""
    index = argument(call, "dataset", PARAMETERS)
    value = None if index is None else call.args[index].value
    if isinstance(value, cst.Call) and called(value) == "TensorDataset" and value.args:
        value = None if value.args[0].star else value.args[0].value
    return code(value) if isinstance(value, cst.Name | cst.Attribute) else None
