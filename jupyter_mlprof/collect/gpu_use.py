"""From the sidecar's rows to what a cell made of each GPU."""

from collections.abc import Iterable

from jupyter_mlprof.collect.kinds import Kind, gpu_columns, kinds
from jupyter_mlprof.collect.run_samples import GpuFacts, RunSamples
from jupyter_mlprof.collect.samples import Row, at, of_the_kernel, own
from jupyter_mlprof.model.gpu import GpuUse

SEEN_SHARE = 0.8  # of the cell: from less, its energy would be a guess


def gpu_uses(samples: RunSamples, begun: float, ended: float) -> tuple[GpuUse, ...]:
    """Return the GPUs that the kernel's processes used, or all where that is not known."""
    rows = [row for row in samples.rows if begun <= (row[0] or 0.0) <= ended]
    known = {kind.name: kind for kind in of_the_kernel(kinds(samples.columns), rows)}
    places = gpu_columns(samples.columns)
    lost = samples.nvml.lost if samples.nvml else {}
    return tuple(
        _use(gpu, rows, known, _energy(rows, places[gpu.index], ended - begun))
        if gpu.index not in lost
        else _use(gpu, rows, known, None, max(0.0, lost[gpu.index] - begun))
        for gpu in samples.gpus
        if f"gpu{gpu.index}_util" in known
    )


def _use(
    gpu: GpuFacts,
    rows: list[Row],
    known: dict[str, Kind],
    energy_j: float | None,
    lost_at_s: float | None = None,
) -> GpuUse:
    def values(name: str) -> list[float]:
        kind = known.get(f"gpu{gpu.index}_{name}")
        return [one for row in rows if kind and (one := own(row, kind)) is not None]

    return GpuUse(
        index=gpu.index,
        name=gpu.name,
        busy_pct=_mean(rows, known[f"gpu{gpu.index}_util"]),
        energy_j=energy_j,
        peak_bytes=_peak(values("memory")),
        own_peak_bytes=_peak(values("own_memory")),
        peak_temperature_c=max(values("temperature"), default=None),
        lost_at_s=lost_at_s,
    )


def _peak(values: Iterable[float]) -> int | None:
    peak = max(values, default=None)
    return None if peak is None else int(peak)


def _mean(rows: list[Row], kind: Kind) -> float | None:
    """Return the mean over time: a value holds for the time since the one before."""
    known = [(row[0] or 0.0, value) for row in rows if (value := own(row, kind)) is not None]
    if not known:
        return None
    first, *later = known
    if not later:
        return first[1]
    before, area = first[0], 0.0
    for t, value in later:
        area += (t - before) * value
        before = t
    return area / (before - first[0]) if before > first[0] else first[1]


def _energy(rows: list[Row], places: dict[str, int], duration: float) -> float | None:
    """Return joules over the cell: what was seen, and the ends at the same power."""
    if not {"energy", "energy_t"} <= places.keys():
        return None
    pairs = ((at(row, places["energy_t"]), at(row, places["energy"])) for row in rows)
    known = [(t, value) for t, value in pairs if t is not None and value is not None]
    if not known:
        return None
    seconds, joules = (last - first for first, last in zip(known[0], known[-1], strict=True))
    if seconds <= 0 or joules < 0 or seconds < SEEN_SHARE * duration:
        return None
    return joules * max(1.0, duration / seconds)
