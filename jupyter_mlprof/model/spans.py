"""When each stack ran: what lets a reader look at a part of the cell's time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

# A span, a node of the call tree (-1: none kept), a set of the cell's lines (-1: none), seconds.
Sample = tuple[int, int, int, float]


@dataclass(frozen=True, slots=True)
class Spans:
    """Sampled seconds by span of the cell: span `i` covers `i * step_s` to `(i + 1) * step_s`.

    `line_sets` are the sets of the cell's lines that were on the stack together.
    """

    step_s: float = 0.0
    line_sets: tuple[tuple[int, ...], ...] = ()
    samples: tuple[Sample, ...] = ()


def on_tree(spans: Spans, place: Sequence[int]) -> Spans:
    """Return the spans of a pruned tree; `place` gives each old node its new index or -1."""
    moved = (
        (span, place[node] if node >= 0 else -1, lines, s) for span, node, lines, s in spans.samples
    )
    return replace(spans, samples=_summed(moved))


def coarsened(spans: Spans, factor: int) -> Spans:
    """Return spans that are `factor` times as long."""
    longer = ((span // factor, node, lines, s) for span, node, lines, s in spans.samples)
    return replace(spans, step_s=spans.step_s * factor, samples=_summed(longer))


def _summed(samples: Iterable[Sample]) -> tuple[Sample, ...]:
    seconds_of: dict[tuple[int, int, int], float] = defaultdict(float)
    for span, node, lines, seconds in samples:
        seconds_of[span, node, lines] += seconds
    return tuple((*key, seconds) for key, seconds in sorted(seconds_of.items()))
