"""The few figures under the verdict, and the facts that every surface tells in the same words."""

from collections.abc import Sequence

from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Evidence, Finding, Gain
from jupyter_mlprof.model.gpu import GpuUse
from jupyter_mlprof.model.lines import LineTime
from jupyter_mlprof.model.profile import CellProfile

# Of shorter cells a share would say little: starting and stopping is most of it.
SHORT_S = 0.5


def figures(profile: CellProfile) -> list[tuple[str, str]]:
    """Return names and values: wall time, CPU time, peak memory, cost of profiling."""
    found = [
        ("wall", numbers.seconds(profile.duration_s)),
        ("CPU", numbers.seconds(profile.cpu_s)),
    ]
    if profile.memory is not None:
        found.append(("peak memory", numbers.size(profile.memory.peak_bytes)))
    found += gpu_figures(profile.gpus)
    if profile.steps is not None:
        found.append(("optimizer steps", numbers.count(profile.steps.count)))
    if profile.previous is not None:
        found.append(("run before", numbers.seconds(profile.previous.duration_s)))
    cost = profile.overhead.kernel_cpu_s + profile.overhead.sidecar_cpu_s
    short = profile.duration_s < SHORT_S
    told = (
        f"{numbers.seconds(cost)} CPU"
        if short
        else f"{numbers.share(cost, profile.duration_s)} of a core"
    )
    found.append(("profiling", told))
    return found


def gpu_figures(gpus: Sequence[GpuUse]) -> list[tuple[str, str]]:
    """Return how busy each GPU was, and the energy of all where it is known of each."""
    busy = [numbers.percent(gpu.busy_pct) for gpu in gpus if gpu.busy_pct is not None]
    joules = [gpu.energy_j for gpu in gpus if gpu.energy_j is not None]
    found = [("GPU busy", ", ".join(busy))] if busy else []
    if joules and len(joules) == len(gpus):
        found.append(("GPU energy", numbers.energy(sum(joules))))
    return found


def gain_text(gain: Gain) -> str:
    """Return what a change may win: 1.9x to 2.6x faster."""
    low, high = numbers.ratio(gain.low), numbers.ratio(gain.high)
    span = low if low == high else f"{low} to {high}"
    return f"{span} faster" if gain.metric == "time" else f"{span} less memory"


def where_text(finding: Finding) -> str:
    """Return the line that a finding is about, to stand behind its title."""
    return f" (line {finding.line})" if finding.line is not None else ""


def evidence_text(evidence: Evidence) -> str:
    """Return one measured value with its threshold and source."""
    text = f"{evidence.name}: {numbers.evidence(evidence.value, evidence.unit)}"
    if evidence.threshold is not None:
        text += f" (threshold {numbers.evidence(evidence.threshold, evidence.unit)})"
    return f"{text}, {evidence.source}" if evidence.source else text


def dearest_lines(profile: CellProfile, most: int) -> list[tuple[LineTime, str]]:
    """Return the lines with most time, each with its code, dearest first."""
    code = profile.cell.source.split("\n") if profile.cell.source else []
    lines = sorted(profile.lines, key=lambda line: (-line.wall_s, -line.line))[:most]
    return [(one, code[one.line - 1] if 0 < one.line <= len(code) else "") for one in lines]
