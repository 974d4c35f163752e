"""NVIDIA's GPUs, asked through NVML by a thread of the process beside the kernel.

A thread, since the driver may take its time: a second for the first call, for ever with a GPU that
fell off the bus. It sleeps while no cell runs. pynvml is loaded by its path, and only where there
is a driver: it is large.
"""

import os
import sys
import threading
import time

from jupyter_mlprof.collect.nvml_gpu import COLUMNS, Gpu, Value

TYPE_CHECKING = False  # to import typing would make every start slower
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

LIBRARY = "libnvidia-ml.so.1"
EVERY_S = 0.2
PROCESSES_S = 1.0  # the list of processes costs more than all else
SHARE = 100  # of the time between two looks, what a look may take at most: a hundredth
LAST_S = 0.1  # how long the end of a cell waits for the last look
INITIAL_NAMESPACE = "pid:[4026531836]"  # Linux gives the first one this number
NO_DRIVER = "no NVIDIA driver was found"
NO_ANSWER = "the NVIDIA driver had not answered when the cell ended"


class Gpus:
    """All GPUs of the machine, and the thread that looks at them while a cell runs."""

    def __init__(self, pynvml: str) -> None:
        self.path = pynvml
        self.gpus: list[Gpu] = []
        self.reason: str | None = None
        self.pids: Collection[int] = frozenset()
        self.same_ids = _is_initial_namespace()
        self.cost = 0.0
        self.processes_at = 0.0
        self.lock = threading.Lock()
        self.wanted, self.awake, self.looked = (threading.Event() for _ in range(3))
        self.opened = self.stuck = False
        threading.Thread(target=self._run, daemon=True).start()

    def begin(self, pids: "Collection[int]") -> None:
        """Look at them from now on."""
        self.stuck = not self.lock.acquire(timeout=LAST_S)
        if self.stuck:
            return
        self.pids = pids
        self.cost = self.processes_at = 0.0
        for gpu in self.gpus:
            gpu.begin()
        self.lock.release()
        self.looked.clear()
        self.wanted.set()
        self.awake.set()

    def end(self) -> dict[str, object]:
        """Look a last time, then rest; return what is to be told of the cell."""
        self.looked.clear()
        self.awake.set()
        if self.opened and not self.reason:
            self.looked.wait(LAST_S)
        self.wanted.clear()
        slow = NO_ANSWER if self.stuck or not self.opened else None
        return {
            "reason": self.reason or slow,
            "cost_cpu_s": round(self.cost, 4),
            "lost": {gpu.index: gpu.lost_at for gpu in self.gpus if gpu.lost_at is not None},
        }

    def described(self) -> list[dict[str, object]]:
        """Return what each GPU is."""
        return [
            {"index": gpu.index, "name": gpu.name, "memory_bytes": gpu.memory_bytes}
            for gpu in self.gpus
        ]

    def columns(self) -> list[str]:
        """Return the names of what `taken` returns."""
        return [f"gpu{gpu.index}_{name}" for gpu in self.gpus for name in COLUMNS]

    def taken(self, pids: "Collection[int]") -> list[Value]:
        """Return what was seen since the last time; nothing where there is nothing new."""
        self.pids = pids
        if self.stuck or not self.looked.is_set() or not self.lock.acquire(blocking=False):
            return []
        try:
            self.looked.clear()
            return [value for gpu in self.gpus for value in gpu.taken()]
        finally:
            self.lock.release()

    def _run(self) -> None:
        while True:
            self.wanted.wait()
            begun = time.thread_time()
            if not self.opened:
                self._open()
            self.awake.clear()
            try:
                self._look()
            except Exception as error:  # noqa: BLE001 - as in opening
                self.reason = f"the GPUs could not be asked: {error}"[:200]
            spent = time.thread_time() - begun
            self.cost += spent
            self.looked.set()
            if self.reason:
                return
            self.awake.wait(max(EVERY_S, SHARE * spent))

    def _look(self) -> None:
        with self.lock:
            now = time.monotonic()
            for gpu in self.gpus:
                gpu.look(now)
            if now - self.processes_at >= PROCESSES_S:
                self.processes_at = now
                self._look_at_processes()

    def _look_at_processes(self) -> None:
        """See which GPUs the kernel's processes use.

        In a container the ids may be the host's: they are known to be ours when one of them is, or
        when there is no container and so nothing to be mistaken about.
        """
        found = [(gpu, gpu.processes()) for gpu in self.gpus]
        listed = {pid for _, known in found for pid in known or ()}
        self.same_ids = self.same_ids or not listed.isdisjoint(self.pids)
        for gpu, known in found:
            if not self.same_ids or known is None:
                gpu.used = gpu.own = None
                continue
            own = [size for pid, size in known.items() if pid in self.pids]
            gpu.used = int(bool(own))
            gpu.own = None if None in own else sum(size or 0 for size in own)

    def _open(self) -> None:
        """Find the GPUs, or the reason why there is none."""
        try:
            nvml = _pynvml(self.path)
            self.gpus, self.reason = ([], NO_DRIVER) if nvml is None else _found(nvml)
        except Exception as error:  # noqa: BLE001 - whatever fails here costs the GPUs alone
            self.reason = f"pynvml could not be used: {type(error).__name__}: {error}"[:200]
        self.opened = True


def _found(nvml: "Any") -> tuple[list[Gpu], str | None]:
    reasons = {
        nvml.NVML_ERROR_LIBRARY_NOT_FOUND: NO_DRIVER,
        nvml.NVML_ERROR_DRIVER_NOT_LOADED: "the NVIDIA driver is not loaded",
        nvml.NVML_ERROR_NO_PERMISSION: "the NVIDIA driver may not be asked by this user",
        nvml.NVML_ERROR_LIB_RM_VERSION_MISMATCH: (
            "the NVIDIA driver and its library are of different versions, as after an update:"
            " restart the machine"
        ),
    }
    try:
        nvml.nvmlInit()
        count = nvml.nvmlDeviceGetCount()
    except nvml.NVMLError as error:
        return [], reasons.get(getattr(error, "value", None), f"NVML failed: {error}"[:200])
    found = []
    for index in range(count):
        try:
            found.append(Gpu(nvml, index))
        except nvml.NVMLError:  # one that fell off the bus: the others are there all the same
            continue
    return found, None if found else "no GPU can be seen"


def _pynvml(path: str) -> "Any":
    """Return pynvml, or None where there is no driver's library."""
    import ctypes
    import importlib.util

    if os.name == "posix":
        try:
            ctypes.CDLL(LIBRARY)
        except OSError:
            return None
    folder, file = os.path.split(path)
    inner = [folder] if file == "__init__.py" else None
    spec = importlib.util.spec_from_file_location("pynvml", path, submodule_search_locations=inner)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["pynvml"] = module  # where it looks for itself
    spec.loader.exec_module(module)
    return module


def _is_initial_namespace() -> bool:
    """Whether process ids here are the machine's, so that the driver knows them by the same."""
    try:
        return os.readlink("/proc/self/ns/pid") == INITIAL_NAMESPACE  # noqa: PTH115 - fast start
    except OSError:
        return os.name != "posix"
