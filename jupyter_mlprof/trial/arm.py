"""One run of a cell in a copy of the kernel: how long it took, to its end or to a certain step."""

import ast
import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mlprof.advise.cell_source import masked
from jupyter_mlprof.trial.copy import Finish, Report, run
from jupyter_mlprof.trial.marks import FirstLoop, Mark, count
from jupyter_mlprof.trial.values import Numbers, numbers

MARKS_TOLD = 4_000
# Runs a cell's source as the shell does, and returns the error that ended it.
RunCell = Callable[[str], BaseException | None]


@dataclass(frozen=True)
class Kernel:
    """The kernel that is copied: its variables, and what runs a cell in it."""

    namespace: Mapping[str, object]
    run_cell: RunCell


@dataclass(frozen=True)
class Stop:
    """Where a run ends: after so many steps or batches, or None for the cell's own end."""

    what: Mark | None = None
    after: int | None = None


@dataclass(frozen=True)
class Ran:
    """A run: seconds in all and at each mark, values of its variables, peak memory; or why not.

    `loop_at_s` is when its loop over a loader began, `first_wait_s` how long the first batch took.
    """

    seconds: float = 0.0
    marks: tuple[float, ...] = ()
    loop_at_s: float | None = None
    first_wait_s: float = 0.0
    values: Mapping[str, Numbers] | None = None
    peak_bytes: int = 0
    failed: str | None = None
    refused: bool = False
    timeout: bool = False


def ran(kernel: Kernel, source: str, stop: Stop, limit_s: float) -> Ran:
    """Run the source in a copy of the kernel."""
    report = run(lambda finish: _run_cell(kernel, source, stop, finish), limit_s)
    if "failed" in report:
        return Ran(
            failed=str(report["failed"]),
            refused=bool(report.get("refused")),
            timeout=bool(report.get("timeout")),
        )
    values = {name: (one[0], one[1], one[2]) for name, one in report["values"].items()}
    marks = tuple(report["marks"])
    return Ran(
        seconds=report["seconds"],
        marks=marks,
        loop_at_s=report["loop_at_s"],
        first_wait_s=report["first_wait_s"],
        values=values,
        peak_bytes=report["peak_bytes"],
    )


def _run_cell(kernel: Kernel, source: str, stop: Stop, finish: Finish) -> None:
    """Run the cell and report; in the copy."""
    marks: list[float] = []
    loop, names = FirstLoop(), _names(source)

    def told() -> Report:
        seconds = time.perf_counter() - begun
        return {
            "seconds": seconds,
            "marks": marks[:MARKS_TOLD],
            "loop_at_s": None if loop.begun is None else loop.begun - begun,
            "first_wait_s": loop.got - loop.begun if loop.begun and loop.got else 0.0,
            "values": numbers(kernel.namespace, names),
            "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        }

    def mark() -> None:
        marks.append(time.perf_counter() - begun)
        loop.closed = True
        if len(marks) == stop.after:
            finish(told())

    if stop.what is not None:
        loop.watch()  # first, since a batch that counts as a step closes it
        count(stop.what, mark)
    begun = time.perf_counter()
    error = kernel.run_cell(source)
    if error is not None:
        finish(_failure(error))
    finish(told())


def _failure(error: BaseException) -> Report:
    text = f"{type(error).__name__}: {error}"
    return {"failed": f"the cell fails there with {text[:200]}"}


def _names(source: str) -> set[str]:
    """Return all names in the source; none where it is not Python."""
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree: Any = compile(masked(source) or "", "<cell>", "exec", flags)
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
