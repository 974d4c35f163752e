"""Which stack ran when, in spans of time that grow longer with the cell."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from jupyter_mlprof.model.spans import Spans, coarsened, on_tree

FIRST_STEP_S = 0.05
SPANS_MOST = 240  # about what a chart of 300 pixels can tell apart
SAMPLES_MOST = 12_000  # while the cell runs; a sample takes some 200 bytes
SAMPLES_KEPT = 2_500  # in the profile, where one takes about 16


@dataclass
class SpanSums:
    """Seconds by span, node of the call tree and set of the cell's lines.

    The spans double in length when they, or what was seen in them, become too many.
    """

    step_s: float = FIRST_STEP_S
    _most: int = SAMPLES_MOST
    _line_sets: dict[frozenset[int], int] = field(default_factory=dict)
    _sums: dict[tuple[int, int, int], float] = field(default_factory=lambda: defaultdict(float))

    def add(self, begun: float, ended: float, node: int, lines: frozenset[int]) -> None:
        """Add the time between two moments, in seconds from the start of the cell."""
        while ended >= SPANS_MOST * self.step_s:
            self._double()
        if len(self._sums) > self._most:
            self._double()
            # Where longer spans do not help, do not try at each sample.
            self._most = max(SAMPLES_MOST, 2 * len(self._sums))
        known = self._line_sets.setdefault(lines, len(self._line_sets))
        # A call that holds the GIL gives one sample of many spans.
        for span in range(int(max(0.0, begun) / self.step_s), int(ended / self.step_s) + 1):
            start = span * self.step_s
            seconds = min(ended, start + self.step_s) - max(begun, start)
            if seconds > 0:
                self._sums[span, node, known] += seconds

    def spans(self, place: Sequence[int]) -> Spans:
        """Return what was seen; `place` gives each node its index in the tree that is kept."""
        samples = tuple((*key, seconds) for key, seconds in sorted(self._sums.items()))
        line_sets = tuple(tuple(sorted(lines)) for lines in self._line_sets)
        spans = on_tree(Spans(self.step_s, line_sets, samples), place)
        while len(spans.samples) > SAMPLES_KEPT and spans.samples[-1][0] > 0:
            spans = coarsened(spans, 2)
        return spans

    def _double(self) -> None:
        sums: dict[tuple[int, int, int], float] = defaultdict(float)
        for (span, node, lines), seconds in self._sums.items():
            sums[span // 2, node, lines] += seconds
        self.step_s *= 2
        self._sums = sums
