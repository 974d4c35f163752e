"""Which loaders and iterations were seen in the cell, and what their workers sent."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from weakref import ref

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.identity import IdentityMap
from jupyter_mlprof.collect.loader_facts import batch_bytes, facts, facts_of_iterator, on_gpu
from jupyter_mlprof.collect.loader_sums import Pass, Use
from jupyter_mlprof.model.loader import Span

if TYPE_CHECKING:
    from jupyter_mlprof.collect.worker_channel import Channel


class Here:
    """What a thread loads for at present; a loader inside that belongs to its loading."""

    use: Use | None = None
    fetching = False


class Elsewhere(Here, threading.local):
    """The same for each thread but the cell's, whose own is quicker to get at."""


class Register:
    """The uses of loaders in one cell."""

    def __init__(self, cell: CellCode) -> None:
        self.cell = cell
        self.active = True
        self.in_cell = Here()
        self.elsewhere = Elsewhere()
        self.uses: list[Use] = []
        self.channel: Channel | None = None
        self.failure: str | None = None
        self.pid = os.getpid()
        self._built: IdentityMap[Span] = IdentityMap()
        self._by_loader: IdentityMap[Use] = IdentityMap()
        self.by_iterator: IdentityMap[Pass] = IdentityMap()
        self.thread_id = cell.thread_id

    @property
    def here(self) -> Here:
        """What this thread loads for."""
        return self.in_cell if threading.get_ident() == self.thread_id else self.elsewhere

    def counts(self) -> bool:
        """Tell whether a loader is to be counted now: in this process, and not inside another."""
        return self.active and self.here.use is None and os.getpid() == self.pid

    def built(self, loader: object) -> None:
        """Note the call in the cell that builds a loader."""
        with self.contained():
            span = self.cell.calling_span() if self.active else None
            if span is not None:
                self._built.set(loader, span)

    def use_of(self, loader: Any) -> Use | None:
        """Return the use of a loader; None when it cannot be read."""
        with self.contained():
            use = self._by_loader.get(loader)
            if use is None:
                use = self._new(ref(loader), facts(loader), self._built.get(loader))
                self._by_loader.set(loader, use)
            return use
        return None

    def loading(self, loader: Any) -> Use | None:
        """Return the use that this thread loads for, if it is this loader's."""
        use = self._by_loader.get(loader)
        return use if use is self.here.use else None

    def begin(self, use: Use, iterator: Any, begun: float, started_s: float) -> Pass | None:
        """An iteration begins; what it took to get its iterator is waiting."""
        with self.contained():
            earlier = self.by_iterator.get(iterator)
            if earlier is not None:  # workers that persist give the same iterator again
                earlier.end()
            use.end_forgotten()
            elsewhere = threading.get_ident() != self.thread_id
            use.in_thread = use.in_thread or elsewhere
            one = Pass(use, begun, begun, ref(iterator), elsewhere, started_s)
            self.by_iterator.set(iterator, one)
            use.passes[id(one)] = one
            use.epochs += 1
            return one
        return None

    def adopted(self, iterator: Any) -> Pass | None:
        """Return the iteration of an iterator that was made before the cell."""
        if not self.counts():
            return None
        with self.contained():
            use = self._new(lambda: None, facts_of_iterator(iterator), None)
            use.started_before = use.facts.workers > 0
            one = self.begin(use, iterator, time.monotonic(), 0.0)
            if one is not None:
                one.yielded = 1  # whether its first batch is yet to come is not known
            return one
        return None

    def look(self, use: Use, batch: Any) -> None:
        """See what workers sent, and what the first batch is."""
        self.drain()
        with self.contained():
            if use.batch_bytes is None:
                use.batch_bytes, use.on_gpu = batch_bytes(batch), on_gpu(batch)

    def drain(self) -> None:
        """Read what workers have sent; a process that was forked meanwhile must not."""
        if os.getpid() != self.pid:
            return
        with self.contained():
            for sent in self.channel.drain() if self.channel else ():
                use = self.uses[sent.use]
                if sent.fetch is not None:
                    use.fetched(sent.fetch)
                elif sent.ready_at is not None:
                    use.ready(sent.ready_at)

    def close(self) -> None:
        """The cell is over."""
        self.active = False
        self.drain()
        if self.channel is not None:
            self.channel.close()
        for use in self.uses:
            use.end()

    def leave(self) -> None:
        """Count nothing in a forked worker, and leave its pipe to be read elsewhere."""
        self.active = False
        if self.channel is not None:
            self.channel.reading.close()

    @contextlib.contextmanager
    def contained(self) -> Iterator[None]:
        """Keep what fails in us, as on an unusual loader, from the user's loop."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, it is ours
            self.failure = f"{type(error).__name__}: {error}"[:200]

    def _new(self, loader: Any, about: Any, built: Span | None) -> Use:
        use = Use(len(self.uses), loader, about, self.cell.calling_line(), built)
        self.uses.append(use)
        return use
