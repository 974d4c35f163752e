"""Which run belongs to which kernel, without reading every header again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_core.paths import jupyter_data_dir

from jupyter_mlprof.model.runfile import read_header, runs_folder
from jupyter_mlprof.model.runs import run_ids

if TYPE_CHECKING:
    from jupyter_mlprof.model.runfile import RunHeader

SETTLED_S = 1.0  # a folder may change again within the resolution of its time


def folder() -> Path:
    """Return the folder of the runs of this server's user."""
    return runs_folder(Path(jupyter_data_dir()))


class RunIndex:
    """Knows the headers by run id; looks again only when the folder has changed."""

    def __init__(self) -> None:
        self._headers: dict[str, RunHeader] = {}
        self._changed_at: float | None = None
        self._incomplete = False

    def refresh(self) -> None:
        """Read the headers of the runs that have come; forget those that are gone."""
        runs = folder()
        try:
            changed_at = runs.stat().st_mtime
        except OSError:
            self._headers = {}
            return
        settled = changed_at == self._changed_at and time.time() - changed_at > SETTLED_S
        if settled and not self._incomplete:
            return
        self._changed_at = changed_at
        ids = run_ids(runs)
        found = {one: self._headers.get(one) or read_header(runs / one) for one in ids}
        self._headers = {run_id: header for run_id, header in found.items() if header}
        # A run's header is written a little after its folder is made.
        self._incomplete = len(self._headers) < len(ids)

    def of_kernel(self, kernel_id: str) -> list[RunHeader]:
        """Return the headers of a kernel's runs, oldest first."""
        found = (one for one in self._headers.values() if one.kernel_id == kernel_id)
        return sorted(found, key=lambda header: header.wall_clock)
