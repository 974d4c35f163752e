"""A loader's workers cost more than they bring: keep them, or have fewer or none."""

from jupyter_mlprof.advise.loader_evidence import loading, share_evidence, waited, within_cell
from jupyter_mlprof.advise.loader_place import place
from jupyter_mlprof.advise.rule import Clues, Withheld
from jupyter_mlprof.advise.worker_choice import NEED_WORKERS, Choice, best_choice, starts
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Evidence, Finding, Fix
from jupyter_mlprof.model.loader import LoaderUse

RESTARTED = "input-pipeline/restarted-workers"
COST = "input-pipeline/workers-cost"
SHARE_PCT = 10.0


def worker_processes(clues: Clues, use: LoaderUse) -> Finding | Withheld | None:
    """Look at what starting and feeding the workers costs, and at what would cost less."""
    profile = clues.profile
    choice = best_choice(profile, use)
    if choice is None or within_cell(profile, _cost_s(use, choice)) < SHARE_PCT:
        return None
    if choice.saving.is_worth(profile):
        return _finding(clues, use, choice)
    if choice.way != "keep":
        return None
    saved = numbers.percent(within_cell(profile, choice.saving.low_s))
    reason = f"that would save {saved} of the cell at worst, too little to be sure of"
    return Withheld(RESTARTED, reason, "Keeping its workers is")


def _cost_s(use: LoaderUse, choice: Choice) -> float:
    return use.start_s if choice.way != "none" else choice.saving.middle_s


def _finding(clues: Clues, use: LoaderUse, choice: Choice) -> Finding:
    keep = choice.way == "keep"
    fix = _fix(clues, use, choice)
    return Finding(
        rule=RESTARTED if keep else COST,
        kind="input-pipeline",
        title=_title(choice),
        line=use.built.line if use.built else use.line,
        evidence=_evidence(clues, use, choice),
        gain=choice.saving.gain(clues.profile, _basis(use, choice)),
        confidence="medium",
        costs=_costs(use, choice),
        fix=fix,
        advice=f"{_cause(use, choice)} {_what(clues, use, choice, fix)}",
    )


def _title(choice: Choice) -> str:
    if choice.way == "keep":
        return "Keep the workers between the passes"
    if choice.way == "none":
        return "Load without workers"
    return f"Load with {numbers.counted(choice.workers, 'worker')}"


def _evidence(clues: Clues, use: LoaderUse, choice: Choice) -> tuple[Evidence, ...]:
    profile = clues.profile
    how = f"share of the cell without its imports, {numbers.counted(starts(use), 'start')}"
    started = share_evidence("starting and ending workers", profile, use.start_s, how)
    if choice.way == "none":
        source = "what the loop waited, less the loading, of the cell without its imports"
        over = share_evidence("what the workers cost", profile, choice.saving.middle_s, source)
        return (over, waited(profile, use, None), started, *loading(use))
    limit = Evidence(started.name, started.value, "%", SHARE_PCT, how)
    return (limit, waited(profile, use, None), *loading(use))


def _basis(use: LoaderUse, choice: Choice) -> str:
    start = numbers.seconds(use.start_s)
    if choice.way == "keep":
        first = numbers.seconds(use.first_wait_s)
        return (
            f"workers are started once instead of {starts(use)} times: at least {start} of starting"
            f" and ending them, and at best also the {first} of waits for first batches"
        )
    if choice.way == "none":
        load = numbers.seconds(use.batch_load_s * use.batches)
        return (
            f"{numbers.seconds(use.wait_s)} of waiting become {load} of loading, give or take 30 %"
        )
    return f"{use.workers - choice.workers} of {use.workers} workers less to start, of {start}"


def _cause(use: LoaderUse, choice: Choice) -> str:
    if choice.way == "none":
        load = numbers.seconds(use.batch_load_s)
        wait = numbers.seconds(use.wait_s / use.batches)
        who = numbers.counted(use.workers, "worker")
        return (
            f"A batch takes {load} to load, yet the loop waits {wait} for each: starting {who} and"
            " handing the batches over costs more than they load meanwhile."
        )
    each = numbers.seconds(use.start_s / starts(use))
    who = numbers.counted(use.workers, "worker is", "workers are")
    if choice.way == "keep":
        return f"The {who} started anew in each of {starts(use)} passes, {each} each time."
    return (
        f"The {who} started in {each}, and {choice.workers} would load as fast as the loop takes."
    )


def _what(clues: Clues, use: LoaderUse, choice: Choice, fix: Fix | None) -> str:
    where = place(clues, use)
    if choice.way == "keep":
        if fix is not None:
            return "With persistent_workers=True they stay until the loader is gone."
        if use.loaders > 1:
            return (
                f"Build {where} once, before the loop over the passes, and give it"
                " persistent_workers=True."
            )
        return f"Give {where} persistent_workers=True."
    if fix is not None:
        return "The loop then does its loading itself." if not choice.workers else ""
    return f"Give {where} num_workers={choice.workers}."


def _costs(use: LoaderUse, choice: Choice) -> tuple[str, ...]:
    if choice.way != "keep":
        return ("random numbers drawn inside the dataset come from other streams than before",)
    kept = numbers.counted(use.workers, "process keeps its", "processes keep their")
    return (
        f"{kept} memory between passes",
        "what the loop changes in the dataset between passes no longer reaches them",
        "random numbers drawn inside the dataset come from other streams than before",
    )


def _fix(clues: Clues, use: LoaderUse, choice: Choice) -> Fix | None:
    from jupyter_mlprof.advise.loader_call import changed, given

    if choice.way == "keep":
        rebuilt = use.loaders > 1 or _reaches_in(clues.source)
        return None if rebuilt else changed(clues, use, {"persistent_workers": "True"})
    if choice.way == "fewer":
        return changed(clues, use, {"num_workers": str(choice.workers)})
    written = given(clues, use, NEED_WORKERS)
    return changed(clues, use, {name: NEED_WORKERS[name] for name in written})


def _reaches_in(source: str) -> bool:
    """Tell whether the cell changes its dataset by the way: kept workers would not see that."""
    return "set_epoch" in source or ".dataset." in source
