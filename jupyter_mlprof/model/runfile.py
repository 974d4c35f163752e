"""The folder of one run: what outlives a killed kernel, and what the server reads.

`kernel.jsonl` and `sidecar.jsonl` have one writer each and begin with a header;
`profile.json` is the final profile. An incomplete last line is ignored.
"""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

from jupyter_mlprof.model.kernel_process import is_alive

RUN_ID = re.compile(r"[0-9a-f]{32}")
KERNEL_FILE = "kernel.jsonl"
SIDECAR_FILE = "sidecar.jsonl"
PROFILE_FILE = "profile.json"
TAIL_BYTES = 16_384


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

    @property
    def alive(self) -> bool | None:
        """Whether the kernel lives; None where that cannot be seen from here."""
        return is_alive(self.pid, self.pid_start, self.wall_clock, self.monotonic)


def runs_folder(data_dir: Path) -> Path:
    """Return the folder of all runs under Jupyter's data directory."""
    return data_dir / "mlprof" / "runs"


def create(folder: Path, header: RunHeader) -> Path:
    """Make the run's folder, for the user alone, and return it."""
    run = folder / header.run_id
    run.mkdir(mode=0o700, parents=True)
    with (run / KERNEL_FILE).open("w", encoding="utf-8") as file:
        file.write(json.dumps(asdict(header)) + "\n")
    return run


def append(run: Path, row: object) -> None:
    """Append a row to what the kernel tells of a run."""
    with (run / KERNEL_FILE).open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, separators=(",", ":")) + "\n")


def write_profile(run: Path, text: str) -> None:
    """Store the final profile."""
    write_atomically(run / PROFILE_FILE, text)


def write_atomically(path: Path, content: str | bytes, *, private: bool = True) -> None:
    """Write a file, text as UTF-8, so that a reader sees the old or the new text, never a part.

    A file that is replaced keeps its permissions; a new one is for the user alone if `private`.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            if isinstance(content, str):
                content = content.encode("utf-8", "surrogatepass")
            file.write(content)
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


def last_row(path: Path) -> Any:
    """Return the value of the last complete line, without reading the lines before; or None."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL_BYTES))
            lines = file.read().split(b"\n")
    except OSError:
        return None
    try:
        return json.loads(lines[-2]) if len(lines) > 1 else None
    except ValueError:
        return None


def read_header(run: Path) -> RunHeader | None:
    """Return the header of a run, or None where there is none that can be read."""
    try:
        with (run / KERNEL_FILE).open(encoding="utf-8", errors="replace") as file:
            value = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    needed = {field.name for field in fields(RunHeader) if field.default is MISSING}
    if not isinstance(value, dict) or not needed <= value.keys():
        return None
    clocks = value["wall_clock"], value["monotonic"]
    if value["run_id"] != run.name or not all(isinstance(one, int | float) for one in clocks):
        return None
    names = [field.name for field in fields(RunHeader)]
    return RunHeader(**{name: value[name] for name in names if name in value})


def is_told(row: Any) -> bool:
    """Tell whether a line of the kernel's file is a row, with a time."""
    return isinstance(row, dict) and isinstance(row.get("t"), int | float)


def ended(row: Any) -> dict[str, Any] | None:
    """Return what the last row of an ended cell tells, or None where it is not that."""
    value = row.get("ended") if isinstance(row, dict) else None
    return value if isinstance(value, dict) else None


def gone(row: Any) -> dict[str, Any] | None:
    """Return the sidecar's row about the kernel's death, or None where it is not that."""
    is_that = isinstance(row, dict) and isinstance(row.get("gone"), int | float)
    return row if is_that else None


def read_profile(folder: Path, run_id: str) -> bytes | None:
    """Return the stored profile of a run, or None."""
    if not RUN_ID.fullmatch(run_id):
        return None
    try:
        return (folder / run_id / PROFILE_FILE).read_bytes()
    except OSError:
        return None
