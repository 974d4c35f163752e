"""The folder of all runs: which there are, how they stand, and which may go."""

import contextlib
import os
import shutil
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jupyter_mlprof.model.runfile import (
    KERNEL_FILE,
    PROFILE_FILE,
    RUN_ID,
    SIDECAR_FILE,
    RunHeader,
    ended,
    gone,
    last_row,
    read_header,
)
from jupyter_mlprof.model.title import title

# A kernel that cannot be found counts as dead when its files, of which the sidecar's grows at least
# once a second, are silent for so long; one that cannot be looked for, much later.
SILENT_S, UNSEEN_S = 3.0, 600.0
KEEP_S = 7 * 86400
KEEP_RUNS = 200
KEEP_OF_CELL = 10

State = Literal["running", "ended", "killed"]


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run, as lists show it; `started_at` in seconds since 1970."""

    id: str
    kernel_id: str | None
    notebook: str | None
    cell_id: str | None
    execution_count: int | None
    name: str | None
    title: str
    started_at: float
    state: State
    duration_s: float | None
    outcome: str | None
    verdict: str | None


def list_runs(
    folder: Path, *, notebook: str | None = None, cell_ids: Collection[str] = ()
) -> list[RunSummary]:
    """Return the runs of a notebook or of cells, or all, newest first.

    A notebook may be renamed. Its cells keep their ids, so that runs of the cells asked for are
    taken, too, where nobody knows the notebook or it is no longer where it was.
    """
    headers = sorted(_headers(folder), key=lambda header: header.wall_clock)
    newest = {(header.pid, header.pid_start): header for header in headers}.values()
    return [
        _summary(folder / header.run_id, header, last_of_kernel=header in newest)
        for header in reversed(headers)
        if _is_of(header, notebook, cell_ids)
    ]


def _is_of(header: RunHeader, notebook: str | None, cell_ids: Collection[str]) -> bool:
    if cell_ids and header.cell_id not in cell_ids:
        return False
    if notebook in (None, header.notebook):
        return True
    return bool(cell_ids) and (header.notebook is None or not Path(header.notebook).exists())


def _summary(run: Path, header: RunHeader, *, last_of_kernel: bool) -> RunSummary:
    row = ended(last_row(run / KERNEL_FILE)) or {}
    now = state(run, header)
    if now == "running" and not last_of_kernel:  # its end could not be written, as on a full disk
        now = "ended"
    elif now == "killed":
        row = {"outcome": "killed", "duration_s": _lasted(run, header)}
    return RunSummary(
        id=header.run_id,
        kernel_id=header.kernel_id,
        notebook=header.notebook,
        cell_id=header.cell_id,
        execution_count=header.execution_count,
        name=header.name,
        title=title(header.source),
        started_at=header.wall_clock,
        state=now,
        duration_s=row.get("duration_s"),
        outcome=row.get("outcome"),
        verdict=row.get("verdict"),
    )


def state(run: Path, header: RunHeader, now: float | None = None) -> State:
    """Tell whether a run goes on, has ended, or died with its kernel."""
    if (run / PROFILE_FILE).exists() or ended(last_row(run / KERNEL_FILE)):
        return "ended"
    if gone(last_row(run / SIDECAR_FILE)):
        return "killed"
    alive = header.alive
    silent_s = (time.time() if now is None else now) - written_at(run)
    dead = not alive and silent_s > (UNSEEN_S if alive is None else SILENT_S)
    return "killed" if dead else "running"


def written_at(run: Path) -> float:
    """Return when the run's files were last written, in seconds since 1970; 0 without files."""
    times = [0.0]
    for name in (KERNEL_FILE, SIDECAR_FILE):
        with contextlib.suppress(OSError):
            times.append((run / name).stat().st_mtime)
    return max(times)


def _lasted(run: Path, header: RunHeader) -> float | None:
    """Return how long a dead kernel is known to have run the cell."""
    row = last_row(run / SIDECAR_FILE)
    last = gone(row)
    t = last["gone"] if last else row[0] if isinstance(row, list) and row else None
    return max(0.0, t - header.monotonic) if isinstance(t, int | float) else None


def run_ids(folder: Path) -> list[str]:
    """Return the ids of all runs, in no order."""
    try:
        return [entry.name for entry in os.scandir(folder) if RUN_ID.fullmatch(entry.name)]
    except OSError:
        return []


def _headers(folder: Path) -> Iterator[RunHeader]:
    for name in run_ids(folder):
        if header := read_header(folder / name):
            yield header


def prune(folder: Path, now: float | None = None) -> None:
    """Remove runs older than 7 days or beyond 200; the newest 10 of a cell go last.

    A run that goes on stays; a folder without a readable header goes after 7 days.
    """
    now = time.time() if now is None else now
    headers = {header.run_id: header for header in _headers(folder)}
    for place, run_id in enumerate(_worth_keeping(headers)):
        header = headers[run_id]
        surplus = place >= KEEP_RUNS or now - header.wall_clock > KEEP_S
        if surplus and state(folder / run_id, header, now) != "running":
            _remove(folder / run_id)
    for run_id in set(run_ids(folder)) - headers.keys():
        with contextlib.suppress(OSError):
            if now - (folder / run_id).stat().st_mtime > KEEP_S:
                _remove(folder / run_id)


def _worth_keeping(headers: dict[str, RunHeader]) -> list[str]:
    """Return the ids of runs in the order in which they are kept."""
    of_cell: dict[tuple[str | None, str | None], int] = {}
    favoured: list[str] = []
    others: list[str] = []
    for header in sorted(headers.values(), key=lambda header: -header.wall_clock):
        key = (header.notebook, header.cell_id)
        of_cell[key] = of_cell.get(key, 0) + 1
        (favoured if of_cell[key] <= KEEP_OF_CELL else others).append(header.run_id)
    return favoured + others


def _remove(run: Path) -> None:
    with contextlib.suppress(OSError):
        shutil.rmtree(run)
