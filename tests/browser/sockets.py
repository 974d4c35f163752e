"""The live sockets of a page, as its browser sees them."""

import json
from typing import Any

from playwright.sync_api import Page, WebSocket

ROUTE = "/jupyter-mlprof/live/"


class LiveSockets:
    """Records what a page hears of running cells, from now on."""

    def __init__(self, page: Page) -> None:
        self.messages: list[dict[str, Any]] = []
        self._page = page
        self._all: list[WebSocket] = []
        page.on("websocket", self._take)

    @property
    def open(self) -> list[str]:
        """The addresses of those that are open now."""
        return [one.url for one in self._all if not one.is_closed()]

    @property
    def ever(self) -> int:
        """How many there were, closed ones included."""
        return len(self._all)

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Return the messages of a kind."""
        return [one for one in self.messages if one["type"] == kind]

    @property
    def times(self) -> list[float]:
        """The times of all samples."""
        return [t for one in self.of("sample") for t in one["t_s"]]

    def settle(self) -> None:
        """Give the page time to open and close what it is about to."""
        self._page.wait_for_timeout(2_000)

    def _take(self, one: WebSocket) -> None:
        if ROUTE in one.url:
            self._all.append(one)
            one.on("framereceived", lambda frame: self.messages.append(json.loads(frame)))
