"""What a loop waited for: torch's DataLoader, its dataset and its collation.

Methods of torch are wrapped for the time of the cell. What workers do, whichever way they are
started, is sent through a pipe that never blocks. A loader that is used inside another one's
dataset belongs to that one's loading.
"""

import sys
from dataclasses import dataclass, field
from types import ModuleType

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.core_wait import CoreWait, core_wait
from jupyter_mlprof.collect.imports import ImportWatch
from jupyter_mlprof.collect.loader_hooks import LoaderHooks
from jupyter_mlprof.collect.loader_register import Register
from jupyter_mlprof.collect.loader_uses import loader_uses
from jupyter_mlprof.collect.patch import Patches
from jupyter_mlprof.collect.worker_channel import Channel
from jupyter_mlprof.model.collectors import CollectorReport

COST_PER_BATCH_S = 6e-6  # measured on a loader of nothing
TORCH = "torch.utils.data.dataloader"
TORCHDATA = "torchdata.stateful_dataloader.stateful_dataloader"  # has iterators of its own


@dataclass
class Loader:
    """Times every DataLoader that the cell iterates over."""

    name: str = "loader"
    _register: Register | None = None
    _hooks: LoaderHooks | None = None
    _patches: Patches = field(default_factory=Patches)
    _watches: list[ImportWatch] = field(default_factory=list)
    _core_wait: CoreWait = field(default_factory=CoreWait)
    _waited_per_cpu_s: float = 0.0

    def available(self, cell: CellCode) -> str | None:
        return None

    def start(self, cell: CellCode) -> None:
        self._register = Register(cell)
        self._hooks = LoaderHooks(self._register, self._leave)
        self._core_wait = core_wait()
        self._watches = [
            ImportWatch(TORCH, self._patch_torch),
            ImportWatch(TORCHDATA, self._patch_torchdata),
        ]
        for watch in self._watches:
            watch.start()

    def stop(self) -> Parts:
        self._waited_per_cpu_s = core_wait().per_cpu_second(self._core_wait)
        for watch in self._watches:
            watch.stop()
        self._patches.undo()
        if self._register is not None:
            self._register.close()
        return self.peek()

    def peek(self) -> Parts:
        register = self._register
        if register is None:
            return {}
        uses = tuple(register.uses)
        return {"loader": loader_uses(uses, register.cell.namespace, self._waited_per_cpu_s)}

    def report(self) -> CollectorReport:
        if "torch" not in sys.modules:
            return CollectorReport(self.name, "unavailable", "the kernel has not imported torch")
        register = self._register
        if register is not None and register.failure is not None:
            return CollectorReport(self.name, "failed", register.failure)
        batches = sum(use.batches for use in register.uses) if register else 0
        return CollectorReport(self.name, "ran", None, batches * COST_PER_BATCH_S)

    def _patch_torch(self, module: ModuleType) -> None:
        register, hooks = self._register, self._hooks
        assert register and hooks  # noqa: S101, PT018 - set before the watch starts
        with register.contained():  # without it workers are not watched, and all else is
            register.channel = Channel.open()
        wrap = self._patches.wrap
        wrap(module.DataLoader, "__init__", hooks.built)
        wrap(module.DataLoader, "__iter__", hooks.iterate)
        base = module._BaseDataLoaderIter  # noqa: SLF001 - what torch iterates with
        wrap(base, "__init__", hooks.made)
        wrap(base, "__next__", hooks.following)
        wrap(module._MultiProcessingDataLoaderIter, "__init__", hooks.started)  # noqa: SLF001
        fetch = module._utils.fetch  # noqa: SLF001 - where torch keeps its fetchers
        wrap(fetch._MapDatasetFetcher, "fetch", hooks.fetch)  # noqa: SLF001
        wrap(fetch._IterableDatasetFetcher, "fetch", hooks.fetch)  # noqa: SLF001

    def _patch_torchdata(self, module: ModuleType) -> None:
        hooks = self._hooks
        assert hooks  # noqa: S101 - set before the watch starts
        loader = getattr(module, "StatefulDataLoader", None)
        iterator = getattr(module, "_StatefulMultiProcessingDataLoaderIter", None)
        if loader is None or iterator is None:
            return
        self._patches.wrap(loader, "__init__", hooks.built)
        self._patches.wrap(loader, "__iter__", hooks.iterate)
        self._patches.wrap(iterator, "__init__", hooks.started)

    def _leave(self) -> None:
        """Leave no trace in a forked worker; it gets a probe instead."""
        if self._register is not None:
            self._register.leave()
        for watch in self._watches:
            watch.stop()
        self._patches.undo()
