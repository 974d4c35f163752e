"""Two profiles held against each other, in words: what changed, and by how much."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.functions import FunctionTime
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.view.text import visible

# One run of each: what differs by less is as a rule the machine's doing.
NOISE = 0.10
# A function is told of when it changed by that share of the longer run, and by NOISE of its own.
LEAST_SHARE = 0.01
FUNCTIONS = 8
NAME = 40


@dataclass(frozen=True)
class Comparison:
    """A cell before and after a change."""

    before: CellProfile
    after: CellProfile

    @property
    def speedup(self) -> float:
        """How many times faster it became; infinite for a cell that took no time."""
        after = self.after.duration_s
        return self.before.duration_s / after if after > 0 else float("inf")

    @property
    def slower(self) -> float:
        """By what share it became slower; negative where it became faster."""
        before = self.before.duration_s
        return self.after.duration_s / before - 1 if before > 0 else 0.0

    def __str__(self) -> str:
        title = self.after.name or self.before.name
        head = f"{title}: {self._said()}" if title else self._said()
        verdicts = f"before: {self.before.verdict.text}\nafter:  {self.after.verdict.text}"
        return visible("\n\n".join(part for part in (head, verdicts, self._table()) if part))

    __repr__ = __str__

    def _said(self) -> str:
        before, after = (numbers.seconds(one.duration_s) for one in (self.before, self.after))
        if abs(self.slower) < NOISE:
            return f"{before} before, {after} after: no difference that one run of each would show."
        faster = self.speedup > 1
        ratio = numbers.ratio(self.speedup if faster else 1 / self.speedup)
        return f"{ratio} {'faster' if faster else 'slower'}: {before} before, {after} after."

    def _table(self) -> str:
        rows = [*_figures(self.before, self.after), *self._functions()]
        width = max(len(name) for name, _, _ in rows)
        lines = [f"{name:<{width}}  {before:>9}  {after:>9}" for name, before, after in rows]
        return "\n".join([f"{'':<{width}}  {'before':>9}  {'after':>9}", *lines])

    def _functions(self) -> list[tuple[str, str, str]]:
        """Return the functions whose own time changed most."""
        old, new = _own_times(self.before.functions), _own_times(self.after.functions)
        least = LEAST_SHARE * max(self.before.duration_s, self.after.duration_s)
        changed = [
            (name, old.get(name, 0.0), new.get(name, 0.0)) for name in old.keys() | new.keys()
        ]
        notable = [
            one for one in changed if abs(one[1] - one[2]) > max(least, NOISE * max(one[1], one[2]))
        ]
        notable.sort(key=lambda one: (-abs(one[1] - one[2]), one[0]))
        return [
            (f"in {name[:NAME]}", numbers.seconds(before), numbers.seconds(after))
            for name, before, after in notable[:FUNCTIONS]
        ]


def _own_times(functions: Iterable[FunctionTime]) -> dict[str, float]:
    """Return the seconds in each function itself, by its name: lines move when a cell changes."""
    times: dict[str, float] = {}
    for one in functions:
        times[one.name] = times.get(one.name, 0.0) + one.self_s
    return times


def _figures(before: CellProfile, after: CellProfile) -> list[tuple[str, str, str]]:
    pairs: list[tuple[str, str, str]] = []

    def add(name: str, shown: Callable[[float], str], old: float, new: float) -> None:
        pairs.append((name, shown(old), shown(new)))

    add("wall", numbers.seconds, before.duration_s, after.duration_s)
    add("CPU", numbers.seconds, before.cpu_s, after.cpu_s)
    if before.memory is not None and after.memory is not None:
        add("peak memory", numbers.size, before.memory.peak_bytes, after.memory.peak_bytes)
    if before.loader or after.loader:
        add("waited for data", numbers.seconds, _waited(before), _waited(after))
    if before.steps is not None and after.steps is not None:
        add("optimizer steps", numbers.count, before.steps.count, after.steps.count)
    return pairs


def _waited(profile: CellProfile) -> float:
    return sum(use.wait_s for use in profile.loader)
