"""One window of torch's profiler, opened and closed in the thread of the cell.

The profiler is torch's, of which a process has one: where the user has one, ours gives way.
"""

import contextlib
import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType, ModuleType
from typing import Any

from jupyter_mlprof.collect.capture import undisturbed
from jupyter_mlprof.collect.frames import callers
from jupyter_mlprof.collect.patch import Patches
from jupyter_mlprof.collect.quiet_stderr import without_lines

KINETO_NOTE = b"USDT:"
# Python code of torch that is called by Python code only: elsewhere a C++ guard may be around,
# which would put the profiler's state back to what it was.
PLAIN = ("/torch/nn/", "/torch/utils/_contextlib.py", "/torch/optim/", "/torch/amp/")


@dataclass
class TorchWindow:
    """Opens torch's profiler for a while; `results` are those of the last time.

    `cpu_s` is what opening and closing took in this thread.
    """

    module: ModuleType
    thread_id: int
    cpu_s: float = 0.0
    given_way: bool = False
    opened_at: float = 0.0
    closed_at: float = 0.0
    results: Any = None
    _profile: Any = None
    _ours: bool = False
    _patches: Patches = field(default_factory=Patches)

    def watch(self) -> None:
        """Give way to whoever starts torch's profiler from now on."""
        for name in ("_prepare_profiler", "_enable_profiler"):
            if hasattr(self.module, name):
                self._patches.wrap(self.module, name, self._giving_way)

    def unwatch(self) -> None:
        """Close, and put everything back."""
        self.close()
        self._patches.undo()

    @property
    def is_open(self) -> bool:
        """Whether operators are being recorded."""
        return self._profile is not None

    def blocked(self) -> str | None:
        """Return why it cannot be opened now, or None."""
        torch = sys.modules["torch"]
        if self.given_way or torch._C._autograd._profiler_enabled():  # noqa: SLF001 - no public way
            return "the cell uses torch's profiler itself"
        if _on_cuda(torch) and torch.cuda.is_current_stream_capturing():
            return "a CUDA graph is being captured"
        return None

    def open(self) -> None:
        """Begin to record."""
        torch = sys.modules["torch"]
        device = "cuda" if _on_cuda(torch) else None
        with self._booked():
            profile = self.module.profile(use_kineto=True, record_shapes=True, use_device=device)
            profile.__enter__()
            self._profile = profile
            _close_before_fork(self)
        self.opened_at = time.monotonic()

    def close(self) -> None:
        """End recording, if it was on."""
        if self._profile is None or threading.get_ident() != self.thread_id:
            return
        self.closed_at = time.monotonic()
        with self._booked():
            profile, self._profile = self._profile, None
            _open.clear()
            profile.__exit__(None, None, None)
            self.results = profile.kineto_results

    @contextlib.contextmanager
    def _booked(self) -> Iterator[None]:
        before = time.thread_time()
        with undisturbed(), without_lines(KINETO_NOTE):
            self._ours = True
            try:
                yield
            finally:
                self._ours = False
        self.cpu_s += time.thread_time() - before

    def _giving_way(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def started(*args: Any, **kwargs: Any) -> Any:
            if not self._ours:
                self.given_way = True
                self.close()
            return original(*args, **kwargs)

        return started


def between_operators(frame: FrameType | None) -> bool:
    """Tell whether only Python code stands on the stack that ends with `frame`."""
    files = (one.f_code.co_filename.replace("\\", "/") for one in callers(frame))
    return all("/torch/" not in file or any(part in file for part in PLAIN) for file in files)


def _on_cuda(torch: Any) -> bool:
    return bool(torch.cuda.is_initialized())


# A forked worker would go on recording for ever.
_open: list[TorchWindow] = []


def _close_before_fork(window: TorchWindow) -> None:
    _register()
    _open[:] = [window]


@functools.cache
def _register() -> None:
    """Have Python call us before it forks; there is no way to take that back."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_close_open)


def _close_open() -> None:
    for window in tuple(_open):
        with contextlib.suppress(Exception):
            window.close()
