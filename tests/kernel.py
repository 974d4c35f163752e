"""A real kernel for tests and benchmarks: run a cell, get its messages."""

import os
import queue
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jupyter_client.manager import KernelManager

from jupyter_mlprof.model.codec import from_json
from jupyter_mlprof.model.profile import MIME_TYPE, CellProfile

TIMEOUT_S = 180


@dataclass
class Ran:
    """What one cell gave back."""

    reply: dict[str, Any]
    messages: list[dict[str, Any]] = field(default_factory=list)

    @property
    def bundles(self) -> list[dict[str, Any]]:
        """The data of displays and results."""
        kinds = ("display_data", "execute_result")
        return [m["content"]["data"] for m in self.messages if m["msg_type"] in kinds]

    @property
    def stdout(self) -> str:
        return self._stream("stdout")

    @property
    def stderr(self) -> str:
        return self._stream("stderr")

    def _stream(self, name: str) -> str:
        return "".join(
            m["content"]["text"]
            for m in self.messages
            if m["msg_type"] == "stream" and m["content"]["name"] == name
        )

    @property
    def bundle(self) -> dict[str, Any]:
        """The one bundle of ours."""
        (found,) = (bundle for bundle in self.bundles if MIME_TYPE in bundle)
        return found

    @property
    def profile(self) -> CellProfile:
        return from_json(self.bundle[MIME_TYPE])


class Kernel:
    """A kernel of this Python, its data folder kept apart from the user's."""

    def __init__(self, data_dir: Path, **env: str) -> None:
        self.data_dir = data_dir
        here = str(Path(__file__).parents[1])
        own = {"JUPYTER_DATA_DIR": str(data_dir), "PYTHONPATH": here}
        self.env = {**os.environ, **own, **env}
        self.manager = KernelManager(kernel_name="python3")

    def __enter__(self) -> Self:
        self.manager.start_kernel(env=self.env)
        self.client = self.manager.blocking_client()
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
        self.manager.shutdown_kernel(now=True)
        self.manager.cleanup_resources()

    @property
    def pid(self) -> int:
        return int(self.run("import os; print(os.getpid())").stdout)

    def send(self, code: str, cell_id: str | None = None) -> str:
        """Send a cell and return at once."""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": True,
        }
        message = self.client.session.msg("execute_request", content)
        if cell_id is not None:
            message["metadata"]["cellId"] = cell_id
        self.client.shell_channel.send(message)
        header: dict[str, Any] = message["header"]
        return str(header["msg_id"])

    def run(self, code: str, cell_id: str | None = None) -> Ran:
        """Run a cell to its end."""
        return self.collect(self.send(code, cell_id))

    def collect(self, msg_id: str) -> Ran:
        """Wait for the end of a cell that was sent."""
        deadline = time.monotonic() + TIMEOUT_S
        messages = []
        while time.monotonic() < deadline:
            message = self.client.get_iopub_msg(timeout=TIMEOUT_S)
            if message["parent_header"].get("msg_id") != msg_id:
                continue
            messages.append(message)
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
        return Ran(self._reply(msg_id), messages)

    def _reply(self, msg_id: str) -> dict[str, Any]:
        while True:
            try:
                reply = self.client.get_shell_msg(timeout=TIMEOUT_S)
            except queue.Empty:
                raise TimeoutError(msg_id) from None
            if reply["parent_header"].get("msg_id") == msg_id:
                content: dict[str, Any] = reply["content"]
                return content

    def value(self, expression: str) -> str:
        """Return the printed value of an expression."""
        return self.run(f"print({expression})").stdout.strip()
