"""What is known of a cell whose kernel was killed, put together from what the run's files hold.

Nothing of the kernel is left to ask: the sidecar saw its memory up to the end, and the kernel's own
journal tells the line that ran and what was known so far.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast, get_args

from jupyter_mlprof import __version__
from jupyter_mlprof.collect.gpu_use import gpu_uses
from jupyter_mlprof.collect.ledger import BUDGET_PCT
from jupyter_mlprof.collect.machine import machine
from jupyter_mlprof.collect.nvml import report as nvml_report
from jupyter_mlprof.collect.run_samples import RunSamples, read_samples
from jupyter_mlprof.collect.samples import Row, timeline
from jupyter_mlprof.model.codec import loads
from jupyter_mlprof.model.collectors import CollectorReport, Overhead
from jupyter_mlprof.model.lines import LineTime
from jupyter_mlprof.model.memory import Holder, Memory
from jupyter_mlprof.model.numbers import counted, seconds, size
from jupyter_mlprof.model.paths import without_home
from jupyter_mlprof.model.profile import Cell, CellError, CellProfile, Part, PartName, Verdict
from jupyter_mlprof.model.runfile import (
    KERNEL_FILE,
    SIDECAR_FILE,
    RunHeader,
    gone,
    is_told,
    json_lines,
    read_header,
    read_profile,
)
from jupyter_mlprof.model.runs import list_runs, state
from jupyter_mlprof.model.size import fit

NEAR = 0.95  # of what may be used: a kernel that had so much may have been killed for it
HELD_S = 1.0  # the line is told twice a second while the interpreter can be had
CHILDREN_COUNT = 0.05  # children with a smaller share of the memory are not worth a word


@dataclass(frozen=True, slots=True)
class _Known:
    """What the files hold; times in seconds from the cell's start."""

    header: RunHeader
    samples: RunSamples
    gone: dict[str, Any]
    lines: Sequence[tuple[float, int | None]]
    so_far_t: float
    so_far: dict[str, Any]

    @property
    def rows(self) -> Sequence[Row]:
        return self.samples.rows

    @property
    def duration_s(self) -> float:
        """To the death, or to the last sign of life where nobody saw the death."""
        begun = self.header.monotonic
        last = [self.rows[-1][0] or 0.0] if self.rows else []
        signs = [self.gone.get("gone"), *last, *(begun + t for t, _ in self.lines[-1:])]
        return max(0.0, max((one for one in signs if one), default=begun) - begun)

    @property
    def line(self) -> int | None:
        """The line that was seen last."""
        return next((line for _, line in reversed(self.lines) if line is not None), None)

    @property
    def held_s(self) -> float:
        """How long before the end the kernel told its line for the last time."""
        return self.duration_s - (self.lines[-1][0] if self.lines else 0.0)

    @property
    def limit(self) -> int | None:
        limit = self.gone.get("limit")
        return limit if isinstance(limit, int) else None

    @property
    def used(self) -> int:
        """Bytes of the kernel and its children in the last sample."""
        return int((self.rows[-1][1] or 0) + (self.rows[-1][3] or 0)) if self.rows else 0


def post_mortem(run: Path) -> CellProfile | None:
    """Return the profile of a cell whose kernel was killed; None for a run of another kind."""
    header = read_header(run)
    if header is None or state(run, header) != "killed":
        return None
    known = _read(run, header)
    begun, ended = header.monotonic, header.monotonic + known.duration_s
    said = _verdict(known)
    source = header.source or ""
    return fit(
        CellProfile(
            id=header.run_id,
            name=header.name,
            mlprof_version=__version__,
            started_at=datetime.fromtimestamp(header.wall_clock, UTC).isoformat(),
            duration_s=known.duration_s,
            cpu_s=_cpu_s(known.rows),
            outcome="killed",
            error=CellError("Killed", _cause(known).text.lstrip(":;, "), known.line),
            cell=Cell(
                header.cell_id,
                header.execution_count,
                source,
                header.source_sha256,
                truncated=header.source is None,
                notebook=header.notebook and without_home(header.notebook),
            ),
            machine=replace(machine(), python="unknown", memory_limit_bytes=known.limit),
            overhead=Overhead(BUDGET_PCT, 0.0, float(known.gone.get("cpu_s") or 0.0), 0.0),
            verdict=said,
            split=_split(known),
            lines=_lines(known),
            timeline=timeline(known.rows, begun, ended, known.samples.columns),
            memory=_memory(known),
            gpus=gpu_uses(known.samples, begun, ended),
            collectors=(
                *([nvml_report(known.samples, begun)] if known.samples.nvml else []),
                CollectorReport("sidecar", "ran" if known.rows else "failed"),
                CollectorReport("journal", "cut", "the kernel was killed"),
            ),
        )
    )


def newest(folder: Path) -> CellProfile | None:
    """Return the profile of the newest run that has one or can be given a post-mortem."""
    for run in list_runs(folder):
        if stored := read_profile(folder, run.id):
            return loads(stored)
        if run.state == "killed":
            return post_mortem(folder / run.id)
    return None


def _read(run: Path, header: RunHeader) -> _Known:
    samples = list(json_lines(run / SIDECAR_FILE))
    told = [row for row in json_lines(run / KERNEL_FILE) if is_told(row)]
    so_far = [row for row in told if isinstance(row.get("so_far"), dict)]
    return _Known(
        header,
        samples=read_samples(samples),
        gone=next((row for row in map(gone, reversed(samples)) if row), {}),
        lines=[(row["t"] - header.monotonic, row["line"]) for row in told if "line" in row],
        so_far_t=so_far[-1]["t"] - header.monotonic if so_far else 0.0,
        so_far=so_far[-1]["so_far"] if so_far else {},
    )


def _pairs(known: _Known, name: str, length: int = 2) -> Iterator[list[Any]]:
    """Yield what was known so far of this kind."""
    for one in known.so_far.get(name) or ():
        if isinstance(one, list) and len(one) >= length:
            yield one


def _cpu_s(rows: Sequence[Row]) -> float:
    if not rows:
        return 0.0
    return sum(max(0.0, (rows[-1][one] or 0.0) - (rows[0][one] or 0.0)) for one in (2, 4))


def _lines(known: _Known) -> tuple[LineTime, ...]:
    """Return the time of the lines so far, and give what passed since to the line seen then."""
    wall = {int(line): float(s) for line, s, *_ in _pairs(known, "lines")}
    ends = [t for t, _ in known.lines[1:]] + [known.duration_s]
    for (begin, line), end in zip(known.lines, ends, strict=False):
        since = end - max(begin, known.so_far_t)
        if line is not None and since > 0:
            wall[line] = wall.get(line, 0.0) + since
    whole = known.duration_s
    return tuple(LineTime(line, min(s, whole), 0) for line, s in sorted(wall.items()))


def _split(known: _Known) -> tuple[Part, ...]:
    """Return the parts so far; what passed since is of no known part."""
    of = {part: float(s) for part, s, *_ in _pairs(known, "split") if part in get_args(PartName)}
    if not of:
        return ()
    of["other"] = of.get("other", 0.0) + max(0.0, known.duration_s - sum(of.values()))
    return tuple(Part(cast("PartName", part), s) for part, s in of.items() if s)


def _holders(known: _Known) -> tuple[Holder, ...]:
    found = (
        Holder(str(name), int(held), str(rest[0]) if rest else "")
        for name, held, *rest in _pairs(known, "holders")
    )
    return tuple(sorted(found, key=lambda one: -one.bytes))


def _memory(known: _Known) -> Memory | None:
    if not known.rows:
        return None
    peak = max(known.rows, key=lambda row: row[1] or 0)
    peak_t = max(0.0, (peak[0] or 0.0) - known.header.monotonic)
    first, highest, last = (int(row[1] or 0) for row in (known.rows[0], peak, known.rows[-1]))
    return Memory(first, highest, peak_t, last, known.limit, _holders(known))


def _verdict(known: _Known) -> Verdict:
    """Say when, where and, as far as it shows, why the kernel was killed."""
    where = f" in line {known.line}" if known.line else ""
    cause = _cause(known)
    text = f"Killed after {seconds(known.duration_s)}{where}{cause.text}"
    return Verdict(cause.rule, f"{text}{_held(known)}")


def _held(known: _Known) -> str:
    """Say that the kernel could not tell its line, which may have been another one at the end."""
    if known.held_s <= HELD_S:
        return ""
    if known.line is None:
        return " No line was seen: a call held the interpreter from the start, as it seems."
    held = seconds(known.held_s)
    return f" The line is the last one seen: a call had held the interpreter for {held} since."


def _cause(known: _Known) -> Verdict:
    kills, machine_kills = known.gone.get("oom_kills"), known.gone.get("machine_oom_kills")
    had = _had(known)
    if kills:
        return Verdict("killed/memory", f": out of memory, {had}{_holder(known)}.")
    if kills is None and machine_kills:
        meant = counted(machine_kills, "process was", "processes were")
        return Verdict(
            "killed/memory",
            f": probably out of memory, {had}{_holder(known)}; {meant} killed for want of memory on"
            " this machine meanwhile.",
        )
    if known.rows and _is_near(known):
        return Verdict("killed/memory", f": perhaps out of memory, {had}{_holder(known)}.")
    if kills is not None:
        return Verdict(
            "killed/other",
            f", not for want of memory as far as can be seen: {had}. A restart, a shutdown or a"
            " crash in native code ends a kernel so.",
        )
    if known.gone:
        return Verdict("killed/unknown", f"; nothing tells why: {had}.")
    watcher = "the process that watched it ended, too" if known.rows else "no process watched it"
    return Verdict("killed/unknown", f"; {watcher}, so that nothing tells why.")


def _is_near(known: _Known) -> bool:
    """Tell whether nearly all that may be used was used in the last sample."""
    available = known.gone.get("available")
    room = [known.limit] if known.limit else []
    room += [known.used + available] if isinstance(available, int) else []
    return any(known.used >= NEAR * one for one in room)


def _had(known: _Known) -> str:
    """Say what the kernel had in the last sample, and of how much."""
    if not known.rows:
        return "its memory was not seen"
    children = known.rows[-1][3] or 0
    many = children > CHILDREN_COUNT * known.used
    who = "the kernel and its child processes" if many else "the kernel"
    available = known.gone.get("available")
    text = f"{who} had {size(known.used)}"
    if known.limit:
        return f"{text} of the limit of {size(known.limit)}"
    return f"{text}, and {size(available)} were free" if isinstance(available, int) else text


def _holder(known: _Known) -> str:
    largest = next(iter(_holders(known)), None)
    if largest is None:
        return ""
    return f"; the largest known holder was `{largest.name}` ({size(largest.bytes)})"
