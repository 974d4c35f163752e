"""Both twins of one environment, and what comes of a row."""

import difflib
import json
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jupyter_core.utils import ensure_event_loop

from tests.twins.row import Row
from tests.twins.twin import Seen, TwinKernel

WIDTH = 400
# Of a cell of some milliseconds on a busy machine.
OVER_TOO_SOON = "no sample arrived before the cell ended"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a row: what differs, and what is wrong with our own part."""

    difference: str = ""
    complaint: str = ""

    @property
    def same(self) -> bool:
        return not (self.difference or self.complaint)


class Pair:
    """Two fresh kernels, a bare and a profiled one, each in its own thread."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="twins-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        self._kernels = [TwinKernel("bare", folder), TwinKernel("profiled", folder)]
        self._threads = [ThreadPoolExecutor(1) for _ in self._kernels]

    def __enter__(self) -> Self:
        self._both("start")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._both("end")
        for thread in self._threads:
            thread.submit(_close_loop).result()
            thread.shutdown()
        self._folder.cleanup()

    def run(self, row: Row) -> Result:
        """Run a row in both and compare."""
        bare, profiled = self._both("row", row)
        return Result(difference(bare.plain, profiled.plain), complaint(row, bare, profiled))

    def _both(self, name: str, *given: Row) -> list[Any]:
        pairs = zip(self._threads, self._kernels, strict=True)
        futures = [thread.submit(getattr(kernel, name), *given) for thread, kernel in pairs]
        return [future.result() for future in futures]


class Pairs:
    """Gives rows the pair they run in; the next fresh one starts while a row runs."""

    def __init__(self) -> None:
        self._starter = ThreadPoolExecutor(1)
        self._shared: Pair | None = None
        self._next: Future[Pair] = self._starter.submit(_started)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end(self._next.result())
        self._end(self._shared)
        self._starter.shutdown()

    def run(self, row: Row) -> Result:
        """Run a row."""
        if row.alone:
            pair = self._fresh()
        else:
            pair = self._shared = self._shared or self._fresh()
        try:
            result = pair.run(row)
        except BaseException:
            self._discard(pair)
            raise
        if row.alone or not result.same:  # what comes next must not suffer from it
            self._discard(pair)
        return result

    def _fresh(self) -> Pair:
        pair = self._next.result()
        self._next = self._starter.submit(_started)
        return pair

    def _discard(self, pair: Pair) -> None:
        if pair is self._shared:
            self._shared = None
        self._end(pair)

    def _end(self, pair: Pair | None) -> None:
        if pair is not None:
            pair.__exit__(None, None, None)


def _close_loop() -> None:
    """Close the event loop that the blocking client made for this thread."""
    ensure_event_loop().close()


def _started() -> Pair:
    return Pair().__enter__()


def difference(bare: dict[str, Any], profiled: dict[str, Any]) -> str:
    """Return what differs, as a diff; empty where nothing does."""
    first, second = (
        json.dumps(one, indent=1, sort_keys=True, ensure_ascii=False).splitlines()
        for one in (bare, profiled)
    )
    diff = difflib.unified_diff(first, second, "bare", "profiled", lineterm="", n=4)
    return "\n".join(line[:WIDTH] for line in diff)


def complaint(row: Row, bare: Seen, profiled: Seen) -> str:
    """Return what is wrong with the profiles and sentences of the row; empty where nothing is."""
    if bare.alive == row.dies:
        return f"the bare kernel should {'die' if row.dies else 'live'}"
    said = " ".join(profiled.sentences)
    wanted = sum(step.profiled for step in row.steps)
    if row.not_profiled is not None:
        told = len(profiled.profiles) == wanted or (row.sentence or "") in said
        return "" if told else f"says {said!r}, not {row.sentence!r}"
    if said:
        return f"says {said!r}"
    if len(profiled.profiles) != wanted:
        return f"{len(profiled.profiles)} profiles instead of {wanted}"
    return _lines(row, profiled.profiles)


def _lines(row: Row, profiles: list[dict[str, Any]]) -> str:
    """Say where the time should have been seen."""
    failed = [
        f"{one['name']}: {one['reason']}"
        for profile in profiles
        for one in profile["collectors"]
        if one["state"] == "failed" and one["reason"] != OVER_TOO_SOON
    ]
    if failed:
        return f"collectors failed: {failed}"
    if row.hottest is None:
        return ""
    times = {one["line"]: one["wall_s"] for one in profiles[0]["lines"]}
    if not times or row.hottest not in times or times[row.hottest] < max(times.values()) / 2:
        return f"line {row.hottest} should be the dearest of {times}"
    return ""
