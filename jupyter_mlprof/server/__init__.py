"""The Jupyter Server extension: lets the front end read the stored runs.

The server and the kernels may be of different environments, so that everything passes through
the run files under Jupyter's data directory, never through the kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyter_mlprof import __version__ as __version__  # shown by `jupyter server extension list`

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "jupyter_mlprof.server"}]


def _load_jupyter_server_extension(server_app: ServerApp) -> None:
    from jupyter_mlprof.server.routes import routes

    base_url = server_app.web_app.settings["base_url"]
    server_app.web_app.add_handlers(".*$", routes(base_url))
