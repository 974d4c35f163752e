"""A real Jupyter server in a process of its own, for tests and benchmarks: kernels and sockets."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.error import URLError
from urllib.request import Request, urlopen

import websocket
from jupyter_client.blocking.client import BlockingKernelClient

from jupyter_mlprof.model.runfile import runs_folder
from tests.kernel import TIMEOUT_S, Kernel

EXTENSION = "ServerApp.jpserver_extensions={'jupyter_mlprof.server': True}"


@dataclass
class Server:
    """A running server; its data, and with it the runs, lie in `folder`."""

    folder: Path
    port: int
    token: str
    process: subprocess.Popen[bytes]

    @property
    def runs(self) -> Path:
        return runs_folder(self.folder / "data")

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text("utf-8")

    def ask(self, path: str, method: str = "GET", value: object = None) -> Any:
        """Return the JSON answer to a request."""
        headers = {"Authorization": f"token {self.token}"}
        body = None if method == "GET" else json.dumps(value).encode()
        url = f"http://127.0.0.1:{self.port}/{path}"
        request = Request(url, body, headers, method=method)
        with urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 - our own server
            text = answer.read()
        return json.loads(text) if text else None

    def live(self, kernel_id: str) -> websocket.WebSocket:
        """Open the live socket of a kernel."""
        url = f"ws://127.0.0.1:{self.port}/jupyter-mlprof/live/{kernel_id}?token={self.token}"
        return websocket.create_connection(url, timeout=TIMEOUT_S)

    def stop(self) -> None:
        """Stop the server as a user does, and wait for it."""
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise


class ServedKernel(Kernel):
    """A kernel that the server started."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def __enter__(self) -> Self:
        self.id: str = self.server.ask("api/kernels", "POST", {"name": "python3"})["id"]
        file = self.server.folder / "runtime" / f"kernel-{self.id}.json"
        self.client = BlockingKernelClient(connection_file=str(file))
        self.client.load_connection_file()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=TIMEOUT_S)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.client.stop_channels()
        self.client.context.destroy()

    def restart(self) -> None:
        """Restart it, as from the front end."""
        self.server.ask(f"api/kernels/{self.id}/restart", "POST")
        self.wait()

    def wait(self) -> None:
        """Wait for the kernel to answer, which the server starts anew when it has died."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            try:
                self.client.wait_for_ready(timeout=TIMEOUT_S)
            except RuntimeError:  # it is not there yet
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return

    def shut_down(self) -> None:
        """Shut it down, as from the front end."""
        self.server.ask(f"api/kernels/{self.id}", "DELETE")


@contextmanager
def running_server(folder: Path) -> Iterator[Server]:
    """Start a server with folders of its own and stop it, with its kernels, at the end."""
    root = folder / "notebooks"
    root.mkdir()
    names = ["config", "data", "runtime"]
    own = {f"JUPYTER_{name.upper()}_DIR": os.fspath(folder / name) for name in names}
    environment = {**os.environ, **own, "PYTHONPATH": os.fspath(Path(__file__).parents[1])}
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    token = secrets.token_hex()
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--{EXTENSION}"]
    command += [f"--ServerApp.root_dir={root}", f"--IdentityProvider.token={token}"]
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    server = Server(folder, port, token, process)
    try:
        _wait_for(server)
        yield server
    finally:
        if process.poll() is None:
            server.stop()


def _wait_for(server: Server) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        try:
            server.ask("api")
        except (URLError, ConnectionError):
            if server.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"The server did not start:\n{server.log}") from None
            time.sleep(0.1)
        else:
            return


def sidecars(kernel_pid: int) -> list[int]:
    """Return the process ids of the sidecars of a kernel."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            script = any(word.endswith(b"sidecar_script.py") for word in words)
            if script and str(kernel_pid).encode() in words and b"-c" not in words:
                found.append(int(folder.name))
    return found


def gone_within(kernel_pid: int, seconds: float) -> bool:
    """Wait for the sidecars of a kernel to end; tell whether they did."""
    deadline = time.monotonic() + seconds
    while sidecars(kernel_pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
