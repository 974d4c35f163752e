"""The live socket of a kernel: how its cells run, told from the run files.

It needs nothing of the kernel, which may be busy, hold its interpreter in a C call, or be dead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyter_server.auth.decorator import authorized, ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.websocket import WebSocketClosedError, WebSocketHandler

if TYPE_CHECKING:
    from asyncio import Future

    from jupyter_mlprof.server.watch import Watch

KERNEL_ID = r"(\w+-\w+-\w+-\w+-\w+)"  # as Jupyter Server's own routes have it
MOST_UNSENT = 500  # a client that takes nothing for so long is cut off; it will come again


class LiveHandler(WebSocketMixin, WebSocketHandler, JupyterHandler):
    """Sends `started`, `sample`, `line`, `ended` and `gone`; what the client sends is ignored."""

    auth_resource = "mlprof"

    def initialize(self, watch: Watch) -> None:
        self.watch = watch
        self.kernel_id = ""
        self.unsent = 0

    def set_default_headers(self) -> None:
        """Send none: a socket has no use for them."""

    @ws_authenticated
    @authorized
    async def get(self, kernel_id: str) -> None:
        """Open the socket."""
        self.kernel_id = kernel_id
        await super().get(kernel_id)

    def open(self, kernel_id: str) -> None:
        super().open(kernel_id)
        self.watch.join(kernel_id, self)

    def on_message(self, message: str | bytes) -> None:
        pass

    def on_close(self) -> None:
        self.watch.leave(self.kernel_id, self)

    def tell(self, messages: list[str]) -> None:
        try:
            for message in messages:
                self.unsent += 1
                self.write_message(message).add_done_callback(self._sent)
        except WebSocketClosedError:
            self.watch.leave(self.kernel_id, self)
        if self.unsent > MOST_UNSENT:
            self.close()

    def _sent(self, done: Future[None]) -> None:
        self.unsent -= 1
        done.exception()  # a closed connection; on_close tells of it
