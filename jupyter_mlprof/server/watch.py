"""One watch over the run files for all open sockets.

The files are read in a thread, five times a second, and only while somebody listens. What the
thread reads belongs to it alone; the event loop only asks it and hands out what it returns.
"""

from __future__ import annotations

import asyncio
import json
from itertools import zip_longest
from typing import TYPE_CHECKING, Protocol

from tornado.ioloop import PeriodicCallback

from jupyter_mlprof.model.runs import state
from jupyter_mlprof.server.index import RunIndex, folder
from jupyter_mlprof.server.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jupyter_mlprof.server.story import Message

EVERY_MS = 200


class Listener(Protocol):
    """Who hears of a kernel's runs."""

    def tell(self, messages: list[str]) -> None:
        """Take the next messages."""


class Channel:
    """The runs of one kernel, and who hears of them."""

    def __init__(self, kernel_id: str) -> None:
        self.kernel_id = kernel_id
        self.listeners: set[Listener] = set()
        self.newcomers: set[Listener] = set()
        self._seen: set[str] | None = None
        self._stories: list[Story] = []

    def read(self, index: RunIndex) -> tuple[list[Message], list[Message]]:
        """Return the news, and all that a newcomer must hear."""
        self._begin(index)
        news: list[Message] = []
        for story, newer in zip_longest(self._stories, self._stories[1:]):
            news += story.news()
            if newer and not story.over:
                news += story.overtaken(newer.header)
        self._stories = [story for story in self._stories if not story.over]
        return news, [message for story in self._stories for message in story.replay()]

    def _begin(self, index: RunIndex) -> None:
        """Begin the stories of the runs that have come, or of the one that goes on already."""
        headers = index.of_kernel(self.kernel_id)
        if self._seen is None:
            running = [
                one for one in headers[-1:] if state(folder() / one.run_id, one) == "running"
            ]
            new = running
        else:
            new = [one for one in headers if one.run_id not in self._seen]
        self._seen = {one.run_id for one in headers}
        self._stories += [Story(folder() / one.run_id, one) for one in new]


class Watch:
    """Reads for the channels that have listeners, and rests when there is none."""

    def __init__(self) -> None:
        self._index = RunIndex()
        self._channels: dict[str, Channel] = {}
        self._timer = PeriodicCallback(self._look, EVERY_MS)

    def join(self, kernel_id: str, listener: Listener) -> None:
        """Begin to tell a listener of a kernel's runs, the one that goes on from its start."""
        self._channels.setdefault(kernel_id, Channel(kernel_id)).newcomers.add(listener)
        if not self._timer.is_running():
            self._timer.start()

    def leave(self, kernel_id: str, listener: Listener) -> None:
        """Tell a listener no more."""
        channel = self._channels.get(kernel_id)
        if channel is None:
            return
        channel.listeners.discard(listener)
        channel.newcomers.discard(listener)
        if not channel.listeners and not channel.newcomers:
            del self._channels[kernel_id]
        if not self._channels:
            self._timer.stop()

    @property
    def running(self) -> bool:
        """Whether files are being read."""
        return self._timer.is_running()

    async def _look(self) -> None:
        channels = [(one, frozenset(one.newcomers)) for one in self._channels.values()]
        read = await asyncio.to_thread(self._read, [channel for channel, _ in channels])
        for (channel, newcomers), (news, replay) in zip(channels, read, strict=True):
            here = newcomers & channel.newcomers  # who left meanwhile hears nothing
            _tell(channel.listeners, news)
            _tell(here, replay)
            channel.newcomers -= here
            channel.listeners |= here

    def _read(self, channels: list[Channel]) -> list[tuple[list[str], list[str]]]:
        self._index.refresh()
        read = (channel.read(self._index) for channel in channels)
        return [(_encoded(news), _encoded(replay)) for news, replay in read]


def _tell(listeners: Iterable[Listener], messages: list[str]) -> None:
    if messages:
        for listener in tuple(listeners):
            listener.tell(messages)


def _encoded(messages: list[Message]) -> list[str]:
    return [json.dumps(message, separators=(",", ":")) for message in messages]
