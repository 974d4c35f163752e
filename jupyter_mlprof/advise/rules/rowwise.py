"""Rows that are in memory are fetched one by one and put together again for each batch."""

from jupyter_mlprof.advise.dataset_kind import is_in_memory, takes_lists
from jupyter_mlprof.advise.loader_evidence import loading, share_evidence, waited, within_cell
from jupyter_mlprof.advise.loader_place import place
from jupyter_mlprof.advise.rule import Clues
from jupyter_mlprof.advise.slicing import loading_s, slicing_saves
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Evidence, Finding, Fix
from jupyter_mlprof.model.loader import LoaderUse

RULE = "input-pipeline/rowwise"
SHARE_PCT = 15.0  # a few rows in memory are loaded like this everywhere, and it hardly matters


def rowwise(clues: Clues, use: LoaderUse) -> Finding | None:
    """Advise to slice whole batches out of rows in memory."""
    if not use.load_s or use.iterable or not use.batch_size or not is_in_memory(use.dataset):
        return None
    saving = slicing_saves(use)
    share = within_cell(clues.profile, saving.low_s)
    if share < SHARE_PCT or not saving.is_worth(clues.profile):
        return None
    from jupyter_mlprof.advise.batched_call import batched, own_collation

    if own_collation(clues, use):
        return None
    fix = batched(clues, use) if takes_lists(use.dataset) else None
    return Finding(
        rule=RULE,
        kind="input-pipeline",
        title="Slice whole batches, not single rows",
        line=use.built.line if use.built else use.line,
        evidence=_evidence(clues, use, saving.low_s),
        gain=saving.gain(clues.profile, _basis(use)),
        confidence="medium",
        costs=_costs(use, fix),
        fix=fix,
        advice=f"{_cause(use)} {_what(clues, use, fix)}",
    )


def _basis(use: LoaderUse) -> str:
    waited = "waiting for workers" if use.workers else "loading"
    batches = numbers.counted(use.batches, "batch", "batches")
    return (
        f"{numbers.seconds(loading_s(use))} of {waited}, less what slicing {batches} takes, by the"
        " bytes and rows of a batch"
    )


def _evidence(clues: Clues, use: LoaderUse, saved_s: float) -> tuple[Evidence, ...]:
    profile = clues.profile
    rows = use.batches * (use.batch_size or 1)
    each_s = use.batch_load_s / (use.batch_size or 1)
    how = "loading less slicing, share of the cell without its imports"
    return (
        share_evidence("row by row", profile, saved_s, how, SHARE_PCT),
        Evidence("loading one row", each_s, "s", None, "time in the dataset and collation"),
        Evidence("rows fetched", rows, "", None, "batches times rows of a batch, at most"),
        waited(profile, use, None),
        *loading(use),
    )


def _cause(use: LoaderUse) -> str:
    each = numbers.seconds(use.batch_load_s / (use.batch_size or 1))
    return (
        f"The rows are in memory already, and the DataLoader asks for one after the other and"
        f" stacks {use.batch_size} of them for each batch: {each} a row."
    )


def _what(clues: Clues, use: LoaderUse, fix: Fix | None) -> str:
    if fix is not None:
        return "With a BatchSampler as its sampler it slices each batch out at once."
    where = place(clues, use)
    call = "sampler=BatchSampler(..., batch_size, drop_last) and batch_size=None"
    inside = "a RandomSampler(dataset) inside where it shuffles, else a SequentialSampler(dataset)"
    if takes_lists(use.dataset):
        return f"Give {where} {call}, {inside}: it then slices each batch out at once."
    return (
        "Stack the rows into tensors once, before the loop, make a TensorDataset of these, and give"
        f" {where} {call}, {inside}."
    )


def _costs(use: LoaderUse, fix: Fix | None) -> tuple[str, ...]:
    costs = ["the loader's own batch_size is None afterwards"]
    if fix is None and not takes_lists(use.dataset):
        costs.append("the stacked rows take as much memory again as the rows")
    if use.workers:
        costs.append("the loop slices the batches itself, without workers")
    return tuple(costs)
