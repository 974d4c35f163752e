"""The loop waits for its DataLoader: rules of the kind input-pipeline."""

from jupyter_mlprof.advise.dataset_kind import is_in_memory
from jupyter_mlprof.advise.imports import rerun_s
from jupyter_mlprof.advise.loader_evidence import OF_THE_CELL, loading
from jupyter_mlprof.advise.loader_place import place
from jupyter_mlprof.advise.prediction import PREFETCH
from jupyter_mlprof.advise.rule import Clues, Withheld
from jupyter_mlprof.advise.saving import GAIN_WORTH
from jupyter_mlprof.advise.worker_plan import WORKER_BYTES, Plan, make_plan, most_workers
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Confidence, Evidence, Finding, Fix
from jupyter_mlprof.model.loader import LoaderUse, Unseen
from jupyter_mlprof.model.profile import Machine

RULE = "input-pipeline/workers"
WAIT_SHARE_PCT = 10.0  # where traceml-ai warns; TensorBoard's torch plugin says 5, XProf 5 and 20
IO_BOUND = 0.5  # loading that computes for less than half of its time
UNSEEN: dict[Unseen | None, str] = {
    "started-before": "its workers were started before this cell, so how long they load is unknown",
    "not-watched": "what its workers do could not be seen",
    None: "what its workers do could not be seen",
}


def more_workers(clues: Clues, use: LoaderUse) -> Finding | Withheld | None:
    """Advise more workers for a loader whose wait they would shorten."""
    profile = clues.profile
    whole = rerun_s(profile)
    if not whole or not use.batches:
        return None
    wait_pct = min(100.0, 100 * steady_wait(use) / whole)
    if wait_pct < WAIT_SHARE_PCT:
        starts = 100 * use.start_s / whole >= WAIT_SHARE_PCT
        return Withheld(RULE, _starting(use)) if starts else None
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
    """Seconds waited; with workers without what more of them cannot shorten.

    That is the first batch of each pass, which waits for their start, and their end.
    """
    return use.wait_s - (max(use.first_wait_s, use.start_s) if use.workers else 0.0)


def _unsuited(use: LoaderUse) -> str | None:
    """Return why workers are no cure for this loader."""
    load_s = use.load_s or 0.0
    reasons = (
        (load_s <= 0, UNSEEN[use.unseen]),
        (use.on_gpu, "its batches are made on the GPU, which forked workers cannot use"),
        (
            use.iterable,
            "each worker would get all of its IterableDataset, which get_worker_info() can divide",
        ),
        (use.start_s > use.wait_s / 2, _starting(use)),
        (
            use.workers > 0 and use.first_wait_s > use.wait_s / 2,
            "most of the wait is for the first batch of each pass, which comes no sooner with them",
        ),
        (
            use.batches <= use.epochs and use.epochs > 1,
            "each pass takes one batch only, and workers would start anew for each",
        ),
        (
            load_s < use.other_wait_s,
            "most of the wait is for its sampler or for pinning memory, not for loading",
        ),
        (
            is_in_memory(use.dataset),
            "its rows are in memory already, and handing them over costs more than they do",
        ),
    )
    return next((reason for holds, reason in reasons if holds), None)


def _starting(use: LoaderUse) -> str:
    text = "most of the wait is for workers to start"
    if use.epochs > use.loaders and not use.persistent_workers:
        text += f", anew in each of {use.epochs} epochs, which persistent_workers=True avoids"
    return text


def _no_gain(use: LoaderUse, machine: Machine) -> str:
    if use.cpu_share < IO_BOUND:
        return "the cell is too short to win back what starting workers costs"
    free = numbers.cores(machine.cores_free)
    return f"its loading computes, as the loop does, and all they have to share is {free}"


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
    from jupyter_mlprof.advise.loader_call import changed, given

    # An explicit pin_memory=False is the user's choice.
    if given(clues, use, ("pin_memory",)):
        values = {name: value for name, value in values.items() if name != "pin_memory"}
    return changed(clues, use, values)


def _cause(use: LoaderUse) -> str:
    load = numbers.seconds(use.batch_load_s)
    compute = numbers.seconds(use.compute_s / use.batches)
    who = f"{use.workers} workers load" if use.workers > 1 else "One process loads"
    return f"{who} while the loop waits: a batch takes {load} to load and {compute} to use."


def _where(clues: Clues, use: LoaderUse, fix: Fix | None, written: str) -> str:
    """Say which text to change."""
    if fix is not None:
        return "The loop then works on one batch while the next ones are loaded."
    where = place(clues, use)
    return f"{where[0].upper()}{where[1:]} needs {written}."


def _blocked(use: LoaderUse, machine: Machine) -> str | None:
    """Return what has to be done before workers can start at all."""
    if use.shared is not None:
        return (
            f"Its dataset keeps {use.shared} open, which workers would share and disturb one"
            " another: open it in __getitem__ or in a worker_init_fn first, then give the"
            " DataLoader more workers."
        )
    method = use.start_method or machine.start_method
    if method != "fork" and use.dataset_in_notebook:
        return (
            f"Here workers are started by {method}, which cannot find classes and"
            " functions that are defined in a notebook: move the dataset into a .py file first."
        )
    return None


def _evidence(use: LoaderUse, machine: Machine, wait_pct: float) -> tuple[Evidence, ...]:
    how = "CPU time and waits for a core, share of the loading"
    free = "what this process may use, less what others do"
    load, compute, batches = loading(use)
    return (
        Evidence("waited for the DataLoader", wait_pct, "%", WAIT_SHARE_PCT, OF_THE_CELL),
        load,
        compute,
        Evidence("loading that computes", 100 * use.cpu_share, "%", None, how),
        Evidence("cores free", machine.cores_free, "cores", None, free),
        batches,
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
    ahead = (use.batch_bytes or 0) * (use.prefetch or PREFETCH) * plan.workers
    if ahead > WORKER_BYTES:
        size = numbers.size(ahead)
        costs.append(f"up to {size} of shared memory for batches loaded ahead")
    return tuple(costs)
