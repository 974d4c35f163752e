"""Frames of the cell, of those that run and of those that wait for something."""

from collections.abc import Iterator
from types import FrameType
from typing import Any

MOST = 1000


def callers(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield a frame and those that called it, from the inside out."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def awaiting(coroutine: Any) -> list[FrameType]:
    """Return the frames of a coroutine that waits, and of those it waits for, from the inside out.

    They are on no stack: the event loop runs something else meanwhile, or nothing.
    """
    frames: list[FrameType] = []
    while coroutine is not None and len(frames) < MOST:
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None)
        if not isinstance(frame, FrameType):
            break
        frames.append(frame)
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None)
    return frames[::-1]
