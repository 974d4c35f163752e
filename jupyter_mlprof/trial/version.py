"""The ways to write the cell that a trial runs: as it stands, and with the change in variants."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_mlprof.advise.worker_choice import starts
from jupyter_mlprof.model.finding import Fix, TextEdit
from jupyter_mlprof.model.loader import LoaderUse
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.model.source import apply_edits

WORKERS_MOST = 8
WORKERS = re.compile(r"(num_workers\s*=\s*)(\d+)")
PERSISTENT = re.compile(r"persistent_workers\s*=\s*(True|False)")


@dataclass(frozen=True)
class Version:
    """A source of the cell, how many workers load for it, and how often they are started."""

    source: str
    fix: Fix | None = None
    workers: int = 0
    starts: int = 1


def busiest(profile: CellProfile) -> LoaderUse | None:
    """Return the loader that gave most batches."""
    return max(profile.loader, key=lambda use: use.batches, default=None)


def original(profile: CellProfile) -> Version:
    """Return the cell as it stands."""
    use = busiest(profile)
    if use is None or not use.workers:
        return Version(profile.cell.source)
    return Version(profile.cell.source, None, use.workers, starts(use))


def variants(profile: CellProfile, fix: Fix) -> Sequence[Version]:
    """Return the changed cell, then with other worker counts that may pay as well."""
    found = [int(one[2]) for edit in fix.edits for one in WORKERS.finditer(edit.text)]
    if not found or found[0] == 0:
        return [_changed(profile, fix, found[0] if found else None)]
    own = found[0]
    counts = dict.fromkeys((own, max(1, own // 2), min(max(own, WORKERS_MOST), 2 * own)))
    return [_changed(profile, _with_workers(fix, count), count) for count in counts]


def _changed(profile: CellProfile, fix: Fix, workers: int | None) -> Version:
    """Return the version with these workers, or with those that the cell has."""
    source, use = apply_edits(profile.cell.source, fix.edits), busiest(profile)
    workers = (use.workers if use else 0) if workers is None else workers
    if use is None or not workers:
        return Version(source, fix, workers)
    said = [one[1] == "True" for edit in fix.edits for one in PERSISTENT.finditer(edit.text)]
    kept = said[0] if said else use.persistent_workers
    return Version(source, fix, workers, use.loaders if kept else max(use.epochs, use.loaders))


def _with_workers(fix: Fix, count: int) -> Fix:
    edits = tuple(
        TextEdit(edit.start, edit.end, WORKERS.sub(rf"\g<1>{count}", edit.text))
        for edit in fix.edits
    )
    return Fix(fix.source_sha256, edits)
