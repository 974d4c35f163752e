"""The stored runs over HTTP: a list of them, and the profile of one.

A path is only ever made from an id of 32 hex digits, and files are read in a thread: the event
loop also carries the messages of every kernel.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado.web import HTTPError, authenticated

from jupyter_mlprof.model.codec import dumps
from jupyter_mlprof.model.runfile import RUN_ID, read_profile
from jupyter_mlprof.model.runs import list_runs
from jupyter_mlprof.postmortem import post_mortem
from jupyter_mlprof.server.index import folder


class RunsHandler(APIHandler):
    """Lists the runs of a notebook or of cells, newest first."""

    auth_resource = "mlprof"

    @authenticated
    @authorized
    async def get(self) -> None:
        """Answer with `{"runs": [...]}`, see RunSummary.

        `cell_id` may be given several times. With it, runs of these cells are found, too, whose
        notebook is no longer where it was: it has been renamed or moved.
        """
        notebook = self.get_query_argument("notebook", None)
        cell_ids = self.get_query_arguments("cell_id")
        self.finish(await asyncio.to_thread(self._listed, notebook, cell_ids))

    def _listed(self, notebook: str | None, cell_ids: list[str]) -> str:
        recorded = None if notebook is None else self._recorded_name(notebook)
        runs = list_runs(folder(), notebook=recorded, cell_ids=cell_ids)
        return json.dumps({"runs": [asdict(run) for run in runs]})

    def _recorded_name(self, path: str) -> str:
        """Turn the path that the front end knows into the one that Jupyter tells the kernel."""
        return str(Path(self.kernel_manager.cwd_for_path(path)) / Path(path).name)


class RunHandler(APIHandler):
    """Reads the profile of one run."""

    auth_resource = "mlprof"

    @authenticated
    @authorized
    async def get(self, run_id: str) -> None:
        """Answer with the stored profile, or with what is known of a cell whose kernel was killed.

        404 where there is none (yet).
        """
        if not RUN_ID.fullmatch(run_id):
            raise HTTPError(400, "A run's id is 32 hexadecimal digits.")
        profile = await asyncio.to_thread(_profile, run_id)
        if profile is None:
            raise HTTPError(404, "There is no finished run with this id.")
        self.finish(profile)


def _profile(run_id: str) -> bytes | str | None:
    if stored := read_profile(folder(), run_id):
        return stored
    known = post_mortem(folder() / run_id)
    return None if known is None else dumps(known)
