"""The folder of one run: what outlives a killed kernel, and what the server reads.

`kernel.jsonl` and `sidecar.jsonl` have one writer each and begin with a header;
`profile.json` is the final profile. An incomplete last line is ignored.
"""

import contextlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

RUN_ID = re.compile(r"[0-9a-f]{32}")
KEEP_S = 7 * 86400
KEEP_RUNS = 200
KEEP_OF_CELL = 10


@dataclass(frozen=True, slots=True)
class RunHeader:
    """First line of a run file: who writes it, for which cell, and both clocks at that moment.

    `source` is None where it is to be left out, and in the sidecar's file.
    """

    run_id: str
    pid: int
    pid_start: int | None
    kernel_id: str | None
    cell_id: str | None
    notebook: str | None
    source_sha256: str
    wall_clock: float
    monotonic: float
    execution_count: int | None = None
    name: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run, as lists show it; `started_at` in seconds since 1970."""

    id: str
    notebook: str | None
    cell_id: str | None
    started_at: float
    ended: bool


def runs_folder(data_dir: Path) -> Path:
    """Return the folder of all runs under Jupyter's data directory."""
    return data_dir / "mlprof" / "runs"


def create(folder: Path, header: RunHeader) -> Path:
    """Make the run's folder, for the user alone, and return it."""
    run = folder / header.run_id
    run.mkdir(mode=0o700, parents=True)
    with (run / "kernel.jsonl").open("w", encoding="utf-8") as file:
        file.write(json.dumps(asdict(header)) + "\n")
    return run


def write_profile(run: Path, text: str) -> None:
    """Store the final profile."""
    write_atomically(run / "profile.json", text)


def write_atomically(path: Path, text: str, *, private: bool = True) -> None:
    """Write a text file so that a reader sees the old or the new text, never a part.

    A file that is replaced keeps its permissions; a new one is for the user alone if `private`.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, name)
        elif not private:
            Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def json_lines(path: Path) -> Iterator[Any]:
    """Yield the values of a JSON lines file, up to the first line that is none."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            return


def read_header(run: Path) -> RunHeader | None:
    """Return the header of a run, or None where there is none that can be read."""
    value = next(json_lines(run / "kernel.jsonl"), None)
    needed = {field.name for field in fields(RunHeader) if field.default is MISSING}
    if not isinstance(value, dict) or not needed <= value.keys():
        return None
    if value["run_id"] != run.name or not isinstance(value["wall_clock"], int | float):
        return None
    names = [field.name for field in fields(RunHeader)]
    return RunHeader(**{name: value[name] for name in names if name in value})


def list_runs(
    folder: Path, *, notebook: str | None = None, cell_id: str | None = None
) -> list[RunSummary]:
    """Return the runs of a notebook or cell, or all, newest first."""
    runs = [
        RunSummary(
            id=header.run_id,
            notebook=header.notebook,
            cell_id=header.cell_id,
            started_at=header.wall_clock,
            ended=(folder / header.run_id / "profile.json").exists(),
        )
        for header in _headers(folder)
        if notebook in (None, header.notebook) and cell_id in (None, header.cell_id)
    ]
    return sorted(runs, key=lambda run: -run.started_at)


def _headers(folder: Path) -> Iterator[RunHeader]:
    try:
        names = [entry.name for entry in os.scandir(folder) if RUN_ID.fullmatch(entry.name)]
    except OSError:
        return
    for name in names:
        if header := read_header(folder / name):
            yield header


def read_profile(folder: Path, run_id: str) -> bytes | None:
    """Return the stored profile of a run, or None."""
    if not RUN_ID.fullmatch(run_id):
        return None
    try:
        return (folder / run_id / "profile.json").read_bytes()
    except OSError:
        return None


def prune(folder: Path, now: float | None = None) -> None:
    """Remove runs older than 7 days or beyond 200; the newest 10 of a cell go last."""
    now = time.time() if now is None else now
    of_cell: dict[tuple[str | None, str | None], int] = {}
    favoured: list[RunSummary] = []
    others: list[RunSummary] = []
    for run in list_runs(folder):
        key = (run.notebook, run.cell_id)
        of_cell[key] = of_cell.get(key, 0) + 1
        (favoured if of_cell[key] <= KEEP_OF_CELL else others).append(run)
    for place, run in enumerate(favoured + others):
        if place >= KEEP_RUNS or now - run.started_at > KEEP_S:
            with contextlib.suppress(OSError):
                shutil.rmtree(folder / run.id)
