"""The loop waits for its DataLoader: rules of the kind input-pipeline."""

from collections.abc import Sequence

from jupyter_mlprof.advise.cell_source import find_assignment
from jupyter_mlprof.advise.imports import rerun_s
from jupyter_mlprof.advise.prediction import PREFETCH
from jupyter_mlprof.advise.rule import Clues, Withheld
from jupyter_mlprof.advise.worker_plan import WORKER_BYTES, Plan, make_plan, most_workers
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Confidence, Evidence, Finding, Fix
from jupyter_mlprof.model.loader import LoaderUse
from jupyter_mlprof.model.profile import Machine

RULE = "input-pipeline/workers"
WAIT_SHARE_PCT = 10.0  # where traceml-ai warns; TensorBoard's torch plugin says 5, XProf 5 and 20
GAIN_WORTH = 1.1  # below this a change of the loader is not worth its costs
IO_BOUND = 0.5  # loading that computes for less than half of its time
# torch.utils.data.DataLoader's parameters that may be given by position.
PARAMETERS = (
    "dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers",
    "collate_fn", "pin_memory", "drop_last", "timeout", "worker_init_fn",
)  # fmt: skip


def workers(clues: Clues) -> Sequence[Finding | Withheld]:
    """Advise more workers for every loader whose wait they would shorten."""
    results = (_for_loader(clues, use) for use in clues.profile.loader)
    return [result for result in results if result is not None]


def _for_loader(clues: Clues, use: LoaderUse) -> Finding | Withheld | None:
    profile = clues.profile
    whole = rerun_s(profile)
    wait_pct = 100 * steady_wait(use) / whole if whole else 0.0
    if wait_pct < WAIT_SHARE_PCT or not use.batches:
        return None
    reason = _unsuited(use)
    if reason is None:
        most, reason = most_workers(use, profile.machine)
        if most > use.workers:
            plan = make_plan(profile, use, most)
            if plan.at_worst >= GAIN_WORTH:
                return _finding(clues, use, plan, wait_pct)
            reason = _no_gain(use, profile.machine)
    return Withheld(RULE, reason)


def steady_wait(use: LoaderUse) -> float:
    """Seconds waited; with workers without the first batches, which wait for their start."""
    return use.wait_s - (use.first_wait_s if use.workers else 0.0)


def _unsuited(use: LoaderUse) -> str | None:
    """Return why workers are no cure for this loader."""
    if use.load_s is None or use.load_s <= 0:
        return "what its workers do could not be seen"
    if use.iterable:
        return "its IterableDataset would give each worker all of the data"
    if use.workers and use.first_wait_s > use.wait_s / 2:
        return "most of the wait is for workers to start" + (
            f", anew in each of {use.epochs} epochs, which persistent_workers=True avoids"
            if use.epochs > use.loaders and not use.persistent_workers
            else ""
        )
    if "TensorDataset" in use.dataset:
        return "its rows are in memory already, and handing them over costs more than they do"
    return None


def _no_gain(use: LoaderUse, machine: Machine) -> str:
    if use.cpu_share < IO_BOUND:
        return "the cell is too short to win back what starting workers costs"
    free = numbers.cores(machine.cores_free)
    return f"its loading computes, as the loop does, and they share the {free} that are free"


def _finding(clues: Clues, use: LoaderUse, plan: Plan, wait_pct: float) -> Finding:
    machine = clues.profile.machine
    values = _arguments(use, plan, machine)
    blocked = _blocked(use, machine)
    fix = None if blocked else _fix(clues, use, values)
    written = ", ".join(f"{name}={value}" for name, value in values.items())
    return Finding(
        rule=RULE,
        kind="input-pipeline",
        title=f"Load with {numbers.counted(plan.workers, 'worker')}",
        line=use.built.line if use.built else use.line,
        evidence=_evidence(use, machine, wait_pct),
        gain=plan.gain,
        confidence=_confidence(use),
        costs=_costs(use, plan, machine),
        fix=fix,
        advice=f"{_cause(use)} {blocked or _where(clues, use, fix, written)}",
    )


def _arguments(use: LoaderUse, plan: Plan, machine: Machine) -> dict[str, str]:
    values = {"num_workers": str(plan.workers)}
    if plan.persistent and not use.persistent_workers:
        values["persistent_workers"] = "True"
    if machine.gpus and not use.pin_memory:
        values["pin_memory"] = "True"
    return values


def _fix(clues: Clues, use: LoaderUse, values: dict[str, str]) -> Fix | None:
    # LibCST takes a third of a second to import: only a cell that gets a fix waits for it.
    from jupyter_mlprof.advise.calls import call_at
    from jupyter_mlprof.advise.edit import argument, set_arguments

    found = call_at(clues.source, use.built, "DataLoader") if use.built else None
    if found is None:
        return None
    call, place = found
    # An explicit pin_memory=False is the user's choice.
    if argument(call, "pin_memory", PARAMETERS) is not None:
        values = {name: value for name, value in values.items() if name != "pin_memory"}
    return set_arguments(clues.source, call, place, values, PARAMETERS)


def _cause(use: LoaderUse) -> str:
    load = numbers.seconds((use.load_s or 0.0) / use.batches)
    compute = numbers.seconds(use.compute_s / use.batches)
    who = f"{use.workers} workers load" if use.workers > 1 else "One process loads"
    return f"{who} while the loop waits: a batch takes {load} to load and {compute} to use."


def _where(clues: Clues, use: LoaderUse, fix: Fix | None, written: str) -> str:
    """Say which text to change."""
    if fix is not None:
        return "The loop then works on one batch while the next ones are loaded."
    if use.built is not None:
        return f"In line {use.built.line}, give the DataLoader {written}."
    found = find_assignment(clues.earlier, use.name) if use.name else None
    if found is None:
        return f"Where this DataLoader is built, give it {written}."
    cell, line = found
    text = cell.source.split("\n")[line - 1].strip()
    return (
        f"In [{cell.execution_count}], line {line} (`{text[:80]}`), give the DataLoader {written}."
    )


def _blocked(use: LoaderUse, machine: Machine) -> str | None:
    """Return what has to be done before workers can start at all."""
    if machine.start_method != "fork" and use.dataset_in_notebook:
        return (
            f"Here workers are started by {machine.start_method}, which cannot find classes and"
            " functions that are defined in a notebook: move the dataset into a .py file first."
        )
    return None


def _evidence(use: LoaderUse, machine: Machine, wait_pct: float) -> tuple[Evidence, ...]:
    return (
        Evidence(
            "waited for the DataLoader",
            wait_pct,
            "%",
            WAIT_SHARE_PCT,
            "share of the cell without its imports",
        ),
        Evidence(
            "loading, all workers", use.load_s, "s", None, "time in the dataset and collation"
        ),
        Evidence("computing", use.compute_s, "s", None, "time in the loop between batches"),
        Evidence(
            "loading that computes",
            100 * use.cpu_share,
            "%",
            None,
            "CPU time and waits for a core, share of the loading",
        ),
        Evidence(
            "cores free",
            machine.cores_free,
            "cores",
            None,
            "what this process may use, less what others do",
        ),
        Evidence("batches", use.batches, "", None, f"in {numbers.counted(use.epochs, 'epoch')}"),
    )


def _confidence(use: LoaderUse) -> Confidence:
    few = 8
    if use.batches < few:
        return "low"
    return "high" if use.cpu_share < IO_BOUND else "medium"


def _costs(use: LoaderUse, plan: Plan, machine: Machine) -> tuple[str, ...]:
    more = numbers.counted(plan.workers - use.workers, "process", "processes")
    costs = [f"{more} more, about 0.1 s to start"]
    if plan.workers > machine.cores_allowed:
        costs.append(
            "torch warns that workers outnumber the cores; these mostly wait, they do not compute"
        )
    costs.append("random numbers drawn inside the dataset come from other streams than before")
    batch = use.batch_bytes or 0
    if batch * PREFETCH * plan.workers > WORKER_BYTES:
        size = numbers.size(batch * PREFETCH * plan.workers)
        costs.append(f"up to {size} of shared memory for batches loaded ahead")
    return tuple(costs)
