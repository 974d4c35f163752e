"""Where the server answers."""

from __future__ import annotations

from typing import Any

from jupyter_server.utils import url_path_join

from jupyter_mlprof.server.live import KERNEL_ID, LiveHandler
from jupyter_mlprof.server.runs import RunHandler, RunsHandler
from jupyter_mlprof.server.watch import Watch


def routes(base_url: str) -> list[tuple[Any, ...]]:
    """Return the routes for `Application.add_handlers`."""
    root = url_path_join(base_url, "jupyter-mlprof")
    return [
        (url_path_join(root, "runs"), RunsHandler),
        (url_path_join(root, "runs", "([^/]+)"), RunHandler),
        (url_path_join(root, "live", KERNEL_ID), LiveHandler, {"watch": Watch()}),
    ]
