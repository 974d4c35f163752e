"""What bounds the cell, in one sentence that a person can act on."""

from collections.abc import Callable, Sequence

from jupyter_mlprof.advise.imports import import_s, rerun_s
from jupyter_mlprof.advise.rule import Withheld
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.profile import CellProfile, Verdict
from jupyter_mlprof.model.source import shown_line

SHORT_S = 0.25  # below this the sampler, at 50 Hz, has seen too little to name a line
DATA_SHARE = 0.1
IMPORT_SHARE = 0.5
IMPORTS_ASIDE = 0.02
IDLE_CORES = 0.35
CPU_CORES = 0.7
LOADING = ("input-pipeline", "per-item-io")
# What lies below the wait for a loader, where that is not that too few load.
CAUSES = {
    "input-pipeline/restarted-workers": "its workers are started anew for each pass",
    "input-pipeline/workers-cost": "its workers cost more than they load",
    "input-pipeline/rowwise": "rows that are in memory are fetched one by one",
    "input-pipeline/slow-transform": "most of its loading is Python code that can be shortened",
    "input-pipeline/pinned-memory": "its batches are copied to the GPU from pageable memory",
    "per-item-io/open-per-item": "a file is opened anew for each item",
}
NOTHING = "Nothing worth changing was found."

Try = Callable[[CellProfile, Sequence[Withheld]], Verdict | None]


def verdict(profile: CellProfile, source: str, withheld: Sequence[Withheld] = ()) -> Verdict:
    """Return the first statement that the measurements carry."""
    said = _data(profile, withheld) or _short(profile) or _imports(profile)
    said = said or _bound(profile, source)
    if profile.outcome == "ok" or profile.error is None:
        return said
    where = f" in line {profile.error.line}" if profile.error.line else ""
    stop = f"Stopped by {profile.error.type}{where} after {numbers.seconds(profile.duration_s)}"
    return Verdict(f"stopped/{said.rule}", f"{stop}; what was seen until then: {said.text}")


def waited_s(profile: CellProfile) -> float:
    """Return the seconds that the cell waited for its loaders."""
    return sum(use.wait_s for use in profile.loader)


def _data(profile: CellProfile, withheld: Sequence[Withheld]) -> Verdict | None:
    whole = rerun_s(profile)
    waited = min(
        whole, waited_s(profile)
    )  # imports inside the loading are in one but not the other
    short = profile.duration_s < SHORT_S and not profile.findings
    if not whole or waited / whole < DATA_SHARE or short:
        return None
    text = f"{numbers.share(waited, whole)} of {_whole(profile)} waited for the DataLoader"
    found = next((one for one in profile.findings if one.kind in LOADING), None)
    if found is not None:
        return Verdict(found.rule, f"{text}: {CAUSES.get(found.rule) or _idle(profile)}.")
    if withheld:
        return Verdict("data", f"{text}. {withheld[0].change} not advised: {withheld[0].reason}.")
    return Verdict("data", f"{text}. {_most(profile)}")


def _whole(profile: CellProfile) -> str:
    """Return the time of the cell, imports aside where they count."""
    imports = import_s(profile)
    if imports < IMPORTS_ASIDE * profile.duration_s:
        return numbers.seconds(profile.duration_s)
    return f"{numbers.seconds(rerun_s(profile))} ({numbers.seconds(imports)} of imports aside)"


def _idle(profile: CellProfile) -> str:
    """Say who loads while the loop waits, and what stands idle meanwhile."""
    use = max(profile.loader, key=lambda one: one.wait_s)
    loads = f"{use.workers} workers load" if use.workers > 1 else "one process loads"
    if use.load_s and use.cpu_share < IDLE_CORES:
        waits = numbers.percent(100 * (1 - use.cpu_share))
        return f"{loads}, and {waits} of the loading waits for storage or network"
    free = profile.machine.cores_free - (use.workers or 1)
    return f"{loads} while about {numbers.cores(round(max(free, 1)))} could help"


def _short(profile: CellProfile) -> Verdict | None:
    if profile.duration_s >= SHORT_S or profile.findings:
        return None
    return Verdict("short", f"Too short to tell: {numbers.seconds(profile.duration_s)}. {NOTHING}")


def _imports(profile: CellProfile) -> Verdict | None:
    """Name the imports when a fresh kernel spends the cell on them."""
    importing = import_s(profile)
    if importing < IMPORT_SHARE * profile.duration_s:
        return None
    share = numbers.share(importing, profile.duration_s)
    return Verdict(
        "imports",
        f"Import-bound: {share} of {numbers.seconds(profile.duration_s)} went into importing"
        " modules, which the next run in this kernel will not repeat.",
    )


def _bound(profile: CellProfile, source: str) -> Verdict:
    """Tell computing from waiting by the cores that were busy."""
    busy = profile.cpu_s / profile.duration_s if profile.duration_s else 0.0
    whole = numbers.seconds(profile.duration_s)
    where = _dearest(profile, source)
    if busy < IDLE_CORES:
        idle = numbers.percent(100 * (1 - busy))
        return Verdict("idle", f"Waiting: no core was busy for {idle} of {whole}{where}.")
    of = numbers.cores(profile.machine.cores_allowed)
    cores = f"{numbers.cores(busy).removesuffix(' cores').removesuffix(' core')} of {of} busy"
    # What other processes take cannot be had: a cell that uses the rest is computing.
    computing = busy >= CPU_CORES * min(1.0, profile.machine.cores_free)
    kind = "Compute-bound" if computing else "Computing and waiting by turns"
    return Verdict(
        "compute", f"{kind}: {cores}{_others(profile)} over {whole}{where}. {_most(profile)}"
    )


def _most(profile: CellProfile) -> str:
    """Name the change that may win most."""
    return f"{profile.findings[0].title}." if profile.findings else NOTHING


def _others(profile: CellProfile) -> str:
    """Tell of a machine that is busy with other work, which slows the cell."""
    elsewhere = profile.machine.cores_busy_elsewhere or 0.0
    if profile.machine.cores_free >= profile.machine.cores_allowed / 2:
        return ""
    return f" ({numbers.cores(elsewhere)} by other processes)"


def _dearest(profile: CellProfile, source: str) -> str:
    """Name the line with most time, the deepest where one line calls another."""
    if not profile.lines:
        return ""
    lines = source.split("\n")
    most = max(line.wall_s for line in profile.lines)

    nearly = 0.9
    line = max(
        (one for one in profile.lines if one.wall_s >= nearly * most),
        key=lambda one: (
            (len(lines[one.line - 1]) - len(lines[one.line - 1].lstrip()), one.wall_s)
            if 0 < one.line <= len(lines)
            else (0, one.wall_s)
        ),
    )
    share = numbers.share(line.wall_s, profile.duration_s)
    return f", {share} in line {line.line}{shown_line(source, line.line)}"
