"""A server with JupyterLab and Notebook 7, as a user starts one, with folders of its own."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

START_S = 90
STOP_S = 30
# Notebooks are not shared between browsers, which jupyter-collaboration makes them by default.
ALONE = "--YDocExtension.disable_rtc=True"
SETTINGS = {
    # No question about news when the page opens.
    "notification": {"fetchNews": "false", "checkForUpdates": False},
    # Light or dark as the browser asks for.
    "themes": {"adaptive-theme": True},
}


@dataclass(frozen=True)
class Lab:
    """A running server; notebooks are opened from `root`."""

    root: Path
    port: int
    token: str
    environment: dict[str, str]
    base_url: str = "/"

    @property
    def data_dir(self) -> Path:
        """Jupyter's data directory of server and kernels."""
        return Path(self.environment["JUPYTER_DATA_DIR"])

    def url(self, app: str, notebook: Path) -> str:
        """Return where a notebook is opened: in `lab/tree` or `notebooks`."""
        path = notebook.relative_to(self.root).as_posix()
        # Without `reset` JupyterLab opens the notebooks of the test before, too.
        place = f"{self.base_url}{app}/{path}"
        return f"http://127.0.0.1:{self.port}{place}?reset&token={self.token}"

    def ask(self, path: str, method: str = "GET") -> Any:
        """Return what the server's API answers."""
        headers = {"Authorization": f"token {self.token}"}
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=START_S)) as connection:
            connection.request(method, f"{self.base_url}{path}", headers=headers)
            answer = connection.getresponse().read()
        return json.loads(answer) if answer else None

    def trust(self, notebook: Path) -> None:
        """Sign a notebook, as its author's own server does."""
        command = [sys.executable, "-m", "jupyter", "trust", str(notebook)]
        subprocess.run(command, env=self.environment, check=True, capture_output=True)

    def answers(self) -> bool:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=START_S)) as connection:
            try:
                connection.request("GET", f"{self.base_url}api")
                return connection.getresponse().status == HTTPStatus.OK
            except OSError:
                return False


@contextmanager
def running_lab(folder: Path, *arguments: str, base_url: str = "/") -> Iterator[Lab]:
    """Start a server, with more arguments if need be, and stop it with its kernels at the end."""
    root = folder / "notebooks"
    root.mkdir()
    names = ["config", "data", "runtime"]
    own = {f"JUPYTER_{name.upper()}_DIR": os.fspath(folder / name) for name in names}
    _write_settings(folder / "config" / "lab" / "user-settings")
    lab = Lab(root, _free_port(), secrets.token_hex(), {**os.environ, **own}, base_url)
    options = {
        "ServerApp.port": lab.port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": root,
        "ServerApp.base_url": base_url,
        # Low, so that a flood of output is one on a slow machine, too: 300 in 3 s, and none after.
        "ZMQChannelsWebsocketConnection.iopub_msg_rate_limit": 100,
        "IdentityProvider.token": lab.token,
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--{name}={value}" for name, value in options.items()]
    command += arguments or [ALONE]
    log = folder / "lab.log"
    with log.open("w") as stream:
        # Jupyter's collaboration keeps its documents where the server was started.
        server = subprocess.Popen(
            command, cwd=folder, env=lab.environment, stdout=stream, stderr=stream
        )
    try:
        _wait_for(lab, server, log)
        yield lab
    finally:
        _stop(server)


def _write_settings(folder: Path) -> None:
    folder /= "@jupyterlab/apputils-extension"
    folder.mkdir(parents=True)
    for plugin, settings in SETTINGS.items():
        (folder / f"{plugin}.jupyterlab-settings").write_text(json.dumps(settings))


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _wait_for(lab: Lab, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_S
    while not lab.answers():
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")
        time.sleep(0.1)


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(STOP_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
