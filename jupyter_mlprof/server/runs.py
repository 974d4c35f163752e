"""The stored runs over HTTP: a list of them, and the profile of one.

A path is only ever made from an id of 32 hex digits, and files are read in a thread: the event
loop also carries the messages of every kernel.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir
from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado.web import HTTPError, authenticated

from jupyter_mlprof.model.runfile import RUN_ID, list_runs, read_profile, runs_folder


class RunsHandler(APIHandler):
    """Lists the runs of a notebook or a cell, newest first."""

    auth_resource = "mlprof"

    @authenticated
    @authorized
    async def get(self) -> None:
        """Answer with `{"runs": [{id, notebook, cell_id, started_at, ended}]}`."""
        notebook = self.get_query_argument("notebook", None)
        cell_id = self.get_query_argument("cell_id", None)
        self.finish(await asyncio.to_thread(self._listed, notebook, cell_id))

    def _listed(self, notebook: str | None, cell_id: str | None) -> str:
        recorded = None if notebook is None else self._recorded_name(notebook)
        runs = list_runs(_folder(), notebook=recorded, cell_id=cell_id)
        return json.dumps({"runs": [asdict(run) for run in runs]})

    def _recorded_name(self, path: str) -> str:
        """Turn the path that the front end knows into the one that Jupyter tells the kernel."""
        return str(Path(self.kernel_manager.cwd_for_path(path)) / Path(path).name)


class RunHandler(APIHandler):
    """Reads the final profile of one run."""

    auth_resource = "mlprof"

    @authenticated
    @authorized
    async def get(self, run_id: str) -> None:
        """Answer with the stored `profile.json`, 404 where there is none (yet)."""
        if not RUN_ID.fullmatch(run_id):
            raise HTTPError(400, "A run's id is 32 hexadecimal digits.")
        profile = await asyncio.to_thread(read_profile, _folder(), run_id)
        if profile is None:
            raise HTTPError(404, "There is no finished run with this id.")
        self.finish(profile)


def handlers(base_url: str) -> list[tuple[str, type[APIHandler]]]:
    """Return the routes of this module for `Application.add_handlers`."""
    return [
        (url_path_join(base_url, "jupyter-mlprof", "runs"), RunsHandler),
        (url_path_join(base_url, "jupyter-mlprof", "runs", "([^/]+)"), RunHandler),
    ]


def _folder() -> Path:
    return runs_folder(Path(jupyter_data_dir()))
