"""From what was measured to a profile: parts joined, advice added."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from jupyter_mlprof import __version__
from jupyter_mlprof.collect.capture import Measured
from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import CallCount, Parts
from jupyter_mlprof.collect.cuda import gpus_in_use
from jupyter_mlprof.collect.ledger import BUDGET_PCT
from jupyter_mlprof.collect.machine import machine
from jupyter_mlprof.model import runfile
from jupyter_mlprof.model.collectors import CollectorReport, Overhead
from jupyter_mlprof.model.functions import Flame, Frame, FunctionTime
from jupyter_mlprof.model.memory import Memory
from jupyter_mlprof.model.numbers import seconds
from jupyter_mlprof.model.paths import without_home
from jupyter_mlprof.model.profile import (
    Cell,
    CellError,
    CellProfile,
    Outcome,
    Part,
    Verdict,
)
from jupyter_mlprof.model.spans import Spans
from jupyter_mlprof.model.timeline import Timeline

# Beside the kernel, and while the cell is being ended, which is counted as a whole.
NOT_IN_THE_CELL = {"sidecar", "nvml", "namespace"}
# Functions that were called, most often first, but too quick to be sampled.
UNSEEN_KEPT = 50


@dataclass(frozen=True)
class CellRun:
    """What is known of a cell before it runs."""

    code: CellCode
    cell_id: str | None
    execution_count: int | None
    notebook: str | None
    kernel_id: str | None = None
    name: str | None = None
    count_calls: bool = False
    budget_pct: float = BUDGET_PCT
    keep_source: bool = True
    earlier: Sequence[tuple[int, str]] = ()


def compose(
    run: CellRun,
    header: runfile.RunHeader,
    measured: Measured,
    outcome: Outcome,
    error: CellError | None,
) -> CellProfile:
    """Put what was measured into a profile, yet without findings and verdict."""
    parts = measured.parts
    kernel_cost = measured.own_cpu_s + sum(
        one.cost_cpu_s for one in measured.reports if one.name not in NOT_IN_THE_CELL
    )
    sidecar_cost = parts.get("sidecar_cpu_s", 0.0)
    busy = parts.get("cores_busy_elsewhere")
    return CellProfile(
        id=header.run_id,
        name=run.name,
        mlprof_version=__version__,
        started_at=datetime.fromtimestamp(header.wall_clock, UTC).isoformat(),
        duration_s=measured.duration_s,
        cpu_s=measured.cpu_s,
        outcome=outcome,
        error=error and replace(error, message=without_home(error.message)),
        cell=Cell(
            run.cell_id,
            run.execution_count,
            run.code.source,
            header.source_sha256,
            notebook=run.notebook and without_home(run.notebook),
        ),
        machine=replace(machine(busy), gpus=gpus_in_use()),
        gpus=parts.get("gpus", ()),
        overhead=Overhead(run.budget_pct, kernel_cost, sidecar_cost, 0.0),
        split=_split(parts, measured.duration_s),
        # The sampler begins a little before the cell and ends a little after it.
        lines=tuple(
            replace(line, wall_s=min(line.wall_s, measured.duration_s))
            for line in parts.get("lines", ())
        ),
        functions=_counted(measured),
        calls=parts.get("calls"),
        flame=parts.get("flame", Flame()),
        spans=parts.get("spans", Spans()),
        timeline=parts.get("timeline", Timeline()),
        memory=_memory(measured),
        loader=parts.get("loader", ()),
        steps=parts.get("steps"),
        operators=parts.get("operators"),
        operator_window=parts.get("operator_window"),
        collectors=measured.reports,
    )


def _memory(measured: Measured) -> Memory | None:
    """Join the variables that hold memory into the memory over time."""
    memory = measured.parts.get("memory")
    return memory and replace(memory, holders=measured.parts.get("holders", ()))


def so_far(run: CellRun, parts: Parts, elapsed_s: float) -> dict[str, object]:
    """Return what is told of a cell that still runs, as JSON values."""
    from jupyter_mlprof.advise.so_far import so_far as sentence

    waited = sum(use.wait_s for use in parts.get("loader", ()))
    lines = parts.get("lines", ())
    source = run.code.source if run.keep_source else ""
    return {
        "text": sentence(elapsed_s, waited, lines, source),
        "lines": [[line.line, round(line.wall_s, 3)] for line in lines],
        "split": [[one.part, round(one.seconds, 3)] for one in _split(parts, elapsed_s)],
        "holders": [[one.name, one.bytes, one.type] for one in parts.get("holders", ())],
    }


def _split(parts: Parts, duration_s: float) -> tuple[Part, ...]:
    """Data, optimizer and the rest; nothing where neither was seen."""
    data = sum(use.wait_s for use in parts.get("loader", ()))
    steps = parts.get("steps")
    optimizer = steps.optimizer_s if steps else 0.0
    if not data and not optimizer:
        return ()
    other = max(0.0, duration_s - data - optimizer)
    found = (Part("data", data), Part("optimizer", optimizer), Part("other", other))
    return tuple(part for part in found if part.seconds)


def _counted(measured: Measured) -> tuple[FunctionTime, ...]:
    """Join the exact counts into the sampled function table, with some that no sample met."""
    counts = measured.parts.get("call_counts", {})
    # The sampler ends a little after the cell.
    most = measured.duration_s + measured.parts.get("threads_s", 0.0)
    joined = []
    for one in measured.parts.get("functions", ()):
        count = counts.get(Frame(one.name, one.file, one.line))
        self_s, total_s = (min(time, most) for time in (one.self_s, one.total_s))
        joined.append(
            replace(
                one,
                self_s=self_s,
                total_s=total_s,
                calls=count.calls if count else None,
                callers=count.callers if count else None,
            )
        )
    seen = {Frame(one.name, one.file, one.line) for one in joined}
    unseen = sorted(counts.keys() - seen, key=lambda frame: -counts[frame].calls)
    joined += (_unseen(frame, counts[frame]) for frame in unseen[:UNSEEN_KEPT])
    return tuple(joined)


def _unseen(frame: Frame, count: CallCount) -> FunctionTime:
    """Return a function that was called, and too quick to be sampled."""
    return FunctionTime(frame.name, frame.file, frame.line, 0.0, 0.0, count.calls, count.callers)


def advised(profile: CellProfile, run: CellRun) -> CellProfile:
    """Add findings and verdict. A failure costs the advice, never the profile."""
    try:
        return _with_advice(profile, run)
    except Exception as error:  # noqa: BLE001 - what was measured is worth more than its advice
        failed = CollectorReport("advice", "failed", f"{type(error).__name__}: {error}"[:200])
        said = Verdict("none", f"{seconds(profile.duration_s)}; no advice could be given.")
        return replace(profile, verdict=said, collectors=(*profile.collectors, failed))


def _with_advice(profile: CellProfile, run: CellRun) -> CellProfile:
    from jupyter_mlprof.advise.advice import advise
    from jupyter_mlprof.advise.cell_source import EarlierCell
    from jupyter_mlprof.advise.verdict import verdict

    # What is to be left out must not come back in the words of the advice.
    source = run.code.source if run.keep_source else ""
    told = run.earlier if run.keep_source else ()
    advice = advise(profile, source, [EarlierCell(count, text) for count, text in told])
    profile = replace(profile, findings=advice.findings)
    return replace(profile, verdict=verdict(profile, source, advice.withheld))


def without_source(profile: CellProfile) -> CellProfile:
    """Leave the source out, and with it the fixes that would show it."""
    cell = replace(profile.cell, source="", truncated=True)
    findings = tuple(replace(finding, fix=None) for finding in profile.findings)
    return replace(profile, cell=cell, findings=findings)
