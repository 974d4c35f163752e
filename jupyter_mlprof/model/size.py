"""Keep a stored profile under its limit, and say what was left out.

A notebook is read by people and kept under version control: detail goes before it becomes a burden.
"""

import json
import math
from collections.abc import Callable
from dataclasses import replace

from jupyter_mlprof.model.codec import dumps, to_json
from jupyter_mlprof.model.functions import kept_nodes, places, pruned
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.model.spans import coarsened, on_tree
from jupyter_mlprof.model.timeline import Series, Timeline

PROFILE_LIMIT = 140_000
SOURCE_LIMIT = 40_000
STEPS_KEPT = 2_000
ATTEMPTS = 3  # each encodes the profile once, and brings most of what is left to bring
MARGIN = 0.95
LEAST_KEPT = 0.01


def size_bytes(profile: CellProfile) -> int:
    """Return the bytes of the profile as stored."""
    return len(dumps(profile).encode("utf-8", "surrogatepass"))


def fit(profile: CellProfile, limit: int = PROFILE_LIMIT) -> CellProfile:
    """Return the profile with as much detail as `limit` bytes hold.

    Dropped in this order: flame nodes, spans, timeline points, functions, lines. A source of over
    40 kB is cut and then carries no fix.
    """
    profile = _bounded_source(profile)
    if profile.steps and len(profile.steps.seconds) > STEPS_KEPT:
        last = profile.steps.seconds[-STEPS_KEPT:]
        profile = replace(profile, steps=replace(profile.steps, seconds=last))
        profile = _said(profile, f"all but the last {STEPS_KEPT} step times")
    for field, shrink, what in _STAGES:
        before = profile
        for _ in range(ATTEMPTS):
            excess = size_bytes(profile) - limit
            if excess <= 0:
                return profile if profile is before else _said(profile, what)
            part = len(json.dumps(to_json(getattr(profile, field))))
            profile = shrink(profile, max(0.0, 1 - excess / part) * MARGIN)
        profile = _said(profile, what)
    return profile


def _said(profile: CellProfile, what: str) -> CellProfile:
    return replace(profile, dropped=(*profile.dropped, what))


def _bounded_source(profile: CellProfile) -> CellProfile:
    if len(profile.cell.source) <= SOURCE_LIMIT:
        return profile
    cell = replace(profile.cell, source=profile.cell.source[:SOURCE_LIMIT], truncated=True)
    findings = tuple(replace(finding, fix=None) for finding in profile.findings)
    return _said(replace(profile, cell=cell, findings=findings), "the end of the cell's source")


def _fewer_nodes(profile: CellProfile, keep: float) -> CellProfile:
    flame = profile.flame
    kept = kept_nodes(flame, 0.0, int(len(flame.nodes) * keep))
    spans = on_tree(profile.spans, places(flame, kept))
    return replace(profile, flame=pruned(flame, kept), spans=spans)


def _longer_spans(profile: CellProfile, keep: float) -> CellProfile:
    return replace(profile, spans=coarsened(profile.spans, math.ceil(1 / max(keep, LEAST_KEPT))))


def min_max(times: tuple[float, ...], series: tuple[Series, ...], pairs: int) -> Timeline:
    """Keep for each of `pairs` buckets the rows with the lowest and highest first series value.

    Peaks survive, which a plain stride would lose.
    """
    lead = series[0].values if series else ()
    size = max(1, -(-len(times) // max(1, pairs)))
    chosen: list[int] = []
    for start in range(0, len(times), size):
        bucket = range(start, min(start + size, len(times)))
        low = min(bucket, key=lambda index: lead[index] or 0.0)
        high = max(bucket, key=lambda index: lead[index] or 0.0)
        chosen += sorted({low, high})
    return Timeline(
        t_s=tuple(times[index] for index in chosen),
        series=tuple(
            replace(one, values=tuple(one.values[index] for index in chosen)) for one in series
        ),
    )


def _fewer_points(profile: CellProfile, keep: float) -> CellProfile:
    timeline = profile.timeline
    pairs = int(len(timeline.t_s) * keep / 2)
    return replace(profile, timeline=min_max(timeline.t_s, timeline.series, pairs))


def _fewer_functions(profile: CellProfile, keep: float) -> CellProfile:
    return replace(profile, functions=profile.functions[: int(len(profile.functions) * keep)])


def _fewer_lines(profile: CellProfile, keep: float) -> CellProfile:
    most = int(len(profile.lines) * keep)
    dearest = sorted(profile.lines, key=lambda line: -line.wall_s)[:most]
    return replace(profile, lines=tuple(sorted(dearest, key=lambda line: line.line)))


# What to shrink, how - keeping about that part of it - and how that is said.
_STAGES: tuple[tuple[str, Callable[[CellProfile, float], CellProfile], str], ...] = (
    ("flame", _fewer_nodes, "the cheaper nodes of the call tree"),
    ("spans", _longer_spans, "when exactly each function ran"),
    ("timeline", _fewer_points, "timeline points between the extremes"),
    ("functions", _fewer_functions, "the cheaper functions"),
    ("lines", _fewer_lines, "the cheaper lines"),
)
