"""How many workers a loader has room for, how many pay, and what they would gain."""

from dataclasses import dataclass

from jupyter_mlprof.advise.imports import rerun_s
from jupyter_mlprof.advise.prediction import (
    AT_BEST,
    AT_WORST,
    EXPECTED,
    PREFETCH,
    Costs,
    loop_seconds,
)
from jupyter_mlprof.advise.saving import RUN_TO_RUN
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Gain
from jupyter_mlprof.model.loader import LoaderUse
from jupyter_mlprof.model.profile import CellProfile, Machine

WORKERS_MOST = 8
NEARLY_BEST = 1.03
CORES_SLACK = 0.1  # the load of other processes is known no better
WORKER_BYTES = 50_000_000  # what a forked worker was seen to take for itself, at least


@dataclass(frozen=True, slots=True)
class Plan:
    """A number of workers, what it would do to the whole cell, and the speed-up at worst."""

    workers: int
    persistent: bool
    gain: Gain
    at_worst: float


def most_workers(use: LoaderUse, machine: Machine) -> tuple[int, str]:
    """Return how many workers cores, memory and /dev/shm have room for, and what limits them."""
    room: list[tuple[float, str]] = [(WORKERS_MOST, "more workers were not seen to help")]
    if use.cpu_share > 0:
        cores = (machine.cores_free + CORES_SLACK) / use.cpu_share
        free = numbers.cores(machine.cores_free)
        room.append((cores, f"its loading computes and only {free} of this machine are free"))
    ahead = (use.batch_bytes or 0) * (use.prefetch or PREFETCH)
    if machine.shm_free_bytes is not None and ahead:
        shared = machine.shm_free_bytes / ahead
        room.append((shared, "shared memory has no room for the batches of more workers"))
    if machine.memory_available_bytes is not None:
        memory = machine.memory_available_bytes / (WORKER_BYTES + ahead)
        room.append((memory, "there is no memory for more workers"))
    most, reason = min(room)
    return int(most), reason


def make_plan(profile: CellProfile, use: LoaderUse, most: int) -> Plan:
    """Choose the fewest workers that load as fast as the loop computes, or `most`.

    Of these, no more than bring the expected time within 3 % of its best: with few batches the
    last workers cost more to start than they load.
    """
    load_s = use.batch_load_s * use.batches
    enough = (
        k
        for k in range(use.workers + 1, most + 1)
        if load_s / k <= use.compute_s + use.other_wait_s
    )
    counts = range(use.workers + 1, next(enough, most) + 1)
    times = {k: _whole(profile, use, k, EXPECTED) for k in counts}
    count = next(k for k in counts if times[k] <= NEARLY_BEST * min(times.values()))
    whole = rerun_s(profile)
    worst, best = (whole / _whole(profile, use, count, costs) for costs in (AT_WORST, AT_BEST))
    shared = f"{numbers.seconds(load_s)} of loading by {numbers.counted(count, 'worker')}"
    basis = f"{shared} beside {numbers.seconds(use.compute_s)} of computing, give or take 15 %"
    low, high = max(1.0, worst / RUN_TO_RUN), max(best, worst) * RUN_TO_RUN
    return Plan(count, use.epochs > use.loaders, Gain("time", low, high, basis), worst)


def _whole(profile: CellProfile, use: LoaderUse, count: int, costs: Costs) -> float:
    """Seconds of the whole cell, imports aside, with so many workers."""
    load_s = use.batch_load_s * use.batches
    loop = loop_seconds(
        epochs=use.epochs,
        batches=use.batches,
        load_s=load_s,
        compute_s=use.compute_s + use.other_wait_s,
        workers=count,
        starts=min(use.epochs, use.loaders),
        costs=costs,
    )
    if costs is AT_WORST:  # the loading competes for cores with a computation that uses them all
        loop = max(
            loop, load_s * use.cpu_share / max(1.0, profile.machine.cores_free) + use.compute_s
        )
    return max(rerun_s(profile) - use.loop_s, 0.0) + loop
