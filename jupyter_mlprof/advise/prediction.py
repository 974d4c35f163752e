"""How long a loop over a DataLoader would take with other workers.

Worker i prepares batches i, i + k, ... up to `prefetch` ahead; the loop takes them in order. On
real loaders, loading that waits was predicted within 12 %; loading that computes is bound by the
cores that are free.
"""

from dataclasses import dataclass

PREFETCH = 2  # torch's default prefetch_factor
BATCHES_SIMULATED = 2_000


@dataclass(frozen=True, slots=True)
class Costs:
    """What workers cost: seconds to start each and all, and seconds a batch to hand over."""

    start_each_s: float
    start_all_s: float
    handover_s: float


# Starting, first using and ending workers forked from a kernel with torch took 46 ms for one,
# 88 for two, 160 for four, 265 for eight (2 cores, torch 2.13); the bounds leave room on both sides
AT_BEST = Costs(0.015, 0.0, 0.0)
EXPECTED = Costs(0.03, 0.02, 0.001)
AT_WORST = Costs(0.05, 0.05, 0.002)


def epoch_seconds(batches: int, load_s: float, compute_s: float, workers: int) -> float:
    """Return the seconds of one pass: `load_s` to load and `compute_s` to use each batch."""
    if batches > BATCHES_SIMULATED:
        part = epoch_seconds(BATCHES_SIMULATED, load_s, compute_s, workers)
        return part * batches / BATCHES_SIMULATED
    asked = [0.0] * batches  # when the loop asked for a batch: all up to prefetch at the start
    loaded = [0.0] * batches
    now = 0.0
    for batch in range(batches):
        free = loaded[batch - workers] if batch >= workers else 0.0
        loaded[batch] = max(free, asked[batch]) + load_s
        now = max(now, loaded[batch])
        ahead = batch + workers * PREFETCH
        if ahead < batches:
            asked[ahead] = now
        now += compute_s
    return now


def loop_seconds(  # noqa: PLR0913 - six measured quantities
    *,
    epochs: int,
    batches: int,
    load_s: float,
    compute_s: float,
    workers: int,
    starts: int,
    costs: Costs,
) -> float:
    """Return the seconds of all passes; `load_s` and `compute_s` are sums, as measured."""
    each = max(1, round(batches / epochs))
    one = epoch_seconds(each, load_s / batches, compute_s / batches + costs.handover_s, workers)
    return epochs * one + starts * (costs.start_all_s + workers * costs.start_each_s)
