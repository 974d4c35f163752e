"""From the sums of each loader to what a profile says of it."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from jupyter_mlprof.collect.loader_sums import Use
from jupyter_mlprof.model.loader import LoaderUse, Unseen

SPIN_S = 0.005


def loader_uses(
    uses: Sequence[Use], namespace: Mapping[str, object], waited_per_cpu_s: float
) -> tuple[LoaderUse, ...]:
    """Return one LoaderUse for each loader; those that the same call built count as one."""
    groups: dict[object, list[Use]] = {}
    for use in uses:
        groups.setdefault(use.built or use.number, []).append(use)
    return tuple(_loader_use(group, namespace, waited_per_cpu_s) for group in groups.values())


def _loader_use(
    uses: Sequence[Use], namespace: Mapping[str, object], waited_per_cpu_s: float
) -> LoaderUse:
    first = uses[0]
    seen = any(use.fetches for use in uses)
    cpu_s = sum(use.fetch_cpu_s * use.weight for use in uses) + _threads_s(uses)
    return LoaderUse(
        name=_variable(uses[-1].loader(), namespace),
        line=first.line,
        built=first.built,
        **asdict(first.facts),
        on_gpu=any(use.on_gpu for use in uses),
        batch_bytes=first.batch_bytes,
        loaders=len(uses),
        epochs=sum(use.epochs for use in uses),
        batches=sum(use.batches for use in uses),
        loop_s=sum(use.loop_s for use in uses),
        wait_s=sum(use.wait_s for use in uses),
        first_wait_s=sum(use.first_wait_s for use in uses),
        fetch_s=sum(use.fetch_s * use.weight for use in uses) if seen else None,
        fetch_cpu_s=cpu_s if seen else None,
        # Of the cell's thread, and taken to hold for its workers too.
        fetch_core_wait_s=cpu_s * waited_per_cpu_s if seen else None,
        collate_s=sum(use.collate_s * use.weight for use in uses) if seen else None,
        start_s=sum(use.start_s for use in uses),
        fetches=sum(use.fetches + use.passed_over for use in uses) if seen else None,
        unseen=_unseen(uses),
        in_thread=any(use.in_thread for use in uses),
    )


def _unseen(uses: Sequence[Use]) -> Unseen | None:
    """Say why the fetches of workers were not seen, if they were not."""
    if any(use.fetches for use in uses) or not any(use.batches for use in uses):
        return None
    return "started-before" if any(use.started_before for use in uses) else "not-watched"


def _threads_s(uses: Sequence[Use]) -> float:
    """CPU seconds of other threads while batches were fetched, without OpenMP's spinning.

    OpenMP's threads spin for some milliseconds after torch has used them, which is the loop's
    computing and not the loading's; workers compute with one thread.
    """
    torch = sys.modules.get("torch")
    spinning = torch.get_num_threads() - 1 if torch is not None else 0
    fetches = sum(use.fetches * use.weight for use in uses if use.facts.workers == 0)
    threads_s = sum(use.fetch_threads_s * use.weight for use in uses)
    return max(0.0, threads_s - fetches * spinning * SPIN_S)


def _variable(loader: object, namespace: Mapping[str, object]) -> str | None:
    names = (name for name, value in namespace.items() if value is loader is not None)
    return next((name for name in names if not name.startswith("_")), None)
