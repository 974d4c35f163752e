"""Optimizer steps, through torch's global hooks."""

import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from types import ModuleType
from typing import Any

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.imports import ImportWatch
from jupyter_mlprof.model.collectors import CollectorReport
from jupyter_mlprof.model.steps import Steps as StepTimes

COST_PER_STEP_S = 1.5e-6


@dataclass
class Steps:
    """Notes when each optimizer steps and how long it takes."""

    name: str = "steps"
    _handles: list[Any] = field(default_factory=list)
    _ends: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    _begun: dict[int, float] = field(default_factory=dict)
    _inside: float = 0.0
    _watch: ImportWatch | None = None

    def available(self, cell: CellCode) -> str | None:
        return None

    def start(self, cell: CellCode) -> None:
        self._watch = ImportWatch("torch.optim.optimizer", self._hook)
        self._watch.start()

    def stop(self) -> Parts:
        if self._watch:
            self._watch.stop()
        for handle in self._handles:
            handle.remove()
        return self.peek()

    def peek(self) -> Parts:
        if not self._ends:
            return {}
        ends = max(tuple(self._ends.values()), key=len)
        between = tuple(later - earlier for earlier, later in pairwise(ends))
        return {"steps": StepTimes(len(ends), between, self._inside)}

    def report(self) -> CollectorReport:
        if "torch" not in sys.modules:
            return CollectorReport(self.name, "unavailable", "the kernel has not imported torch")
        steps = sum(map(len, self._ends.values()))
        return CollectorReport(self.name, "ran", None, steps * COST_PER_STEP_S)

    def _hook(self, optimizer: ModuleType) -> None:
        before, after = self._before, self._after
        self._handles = [
            optimizer.register_optimizer_step_pre_hook(before),
            optimizer.register_optimizer_step_post_hook(after),
        ]

    def _before(self, optimizer: object, _args: object, _kwargs: object) -> None:
        self._begun[id(optimizer)] = time.monotonic()

    def _after(self, optimizer: object, _args: object, _kwargs: object) -> None:
        now = time.monotonic()
        self._ends[id(optimizer)].append(now)
        self._inside += now - self._begun.get(id(optimizer), now)
