"""Which variables hold the memory, by what they keep alive."""

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.object_size import Sizes, buffer
from jupyter_mlprof.model.collectors import CollectorReport
from jupyter_mlprof.model.memory import Holder

HOLDERS_KEPT = 20
LEAST_BYTES = 100_000
BUDGET_SHARE = 0.02
BUDGET_S = (0.005, 0.05)  # at least and at most
PEEK_S = 0.005
# IPython's own names; `Out` is of interest, since it keeps every result that was displayed.
HIDDEN = re.compile(r"_{1,3}|_i{1,3}|_i\d+|_\d+|_dh|_oh|_ih|In|exit|quit|get_ipython|__\w+__")


@dataclass
class Namespace:
    """Looks at the variables when the cell has ended."""

    name: str = "namespace"
    _cell: CellCode | None = None
    _begun: float = 0.0
    _cost: float = 0.0
    _cut: bool = False

    def available(self, cell: CellCode) -> str | None:
        return None

    def start(self, cell: CellCode) -> None:
        self._cell, self._begun = cell, time.monotonic()

    def stop(self) -> Parts:
        duration = time.monotonic() - self._begun
        least, most = BUDGET_S
        return self._look(min(most, max(least, BUDGET_SHARE * duration)))

    def peek(self) -> Parts:
        return self._look(PEEK_S)

    def _look(self, seconds: float) -> Parts:
        """Return what the variables hold now, as far as is seen in so many seconds."""
        before = time.thread_time()
        sizes = Sizes(time.monotonic() + seconds)
        found = holders(self._cell.namespace if self._cell else {}, sizes)
        self._cut = sizes.cut
        self._cost += time.thread_time() - before
        return {"holders": found}

    def report(self) -> CollectorReport:
        reason = "not all variables were looked into, for want of time" if self._cut else None
        return CollectorReport(self.name, "cut" if self._cut else "ran", reason, self._cost)


def holders(namespace: Mapping[str, object], sizes: Sizes) -> tuple[Holder, ...]:
    """Return the variables that hold most, the largest first.

    What several variables share counts for the one that is the thing itself, else for the first.
    """
    variables = [
        (name, value) for name, value in tuple(namespace.items()) if not HIDDEN.fullmatch(name)
    ]
    # Arrays and tensors tell their size at once; what is displayed is as a rule a variable, too.
    variables.sort(key=lambda one: (one[0] == "Out", buffer(one[1]) is None))
    named = frozenset(id(value) for _, value in variables)
    found = [
        Holder(name, size, described(value))
        for name, value in variables
        if (size := sizes.of(value, named - {id(value)})) >= LEAST_BYTES
    ]
    return tuple(sorted(found, key=lambda one: -one.bytes)[:HOLDERS_KEPT])


def described(value: Any) -> str:
    """Say what a value is: `Tensor 64 x 3 float32`, `list of 512`, or its class."""
    kind = type(value).__name__
    if buffer(value) is not None:
        return " ".join(filter(None, (kind, _shape(value), _dtype(value))))
    for base in (dict, list, tuple, set, frozenset):
        if issubclass(type(value), base):
            return f"{kind} of {base.__len__(value)}"
    return kind


def _shape(value: Any) -> str:
    shape: Iterable[object] = getattr(value, "shape", ())
    return " x ".join(map(str, shape)) if isinstance(shape, tuple) else ""


def _dtype(value: Any) -> str:
    dtype = str(getattr(value, "dtype", ""))
    return dtype.removeprefix("torch.") if len(dtype) < 20 else ""  # noqa: PLR2004 - a record's
