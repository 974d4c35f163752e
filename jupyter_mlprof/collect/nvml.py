"""NVIDIA's GPUs over a cell, as the process beside the kernel sees them through NVML."""

from dataclasses import dataclass
from pathlib import Path

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.collect.collector import Parts
from jupyter_mlprof.collect.gpu_use import gpu_uses
from jupyter_mlprof.collect.module_path import module_path
from jupyter_mlprof.collect.run_samples import RunSamples
from jupyter_mlprof.collect.sidecar import Sidecar
from jupyter_mlprof.model.collectors import CollectorReport
from jupyter_mlprof.model.numbers import seconds

DRIVER = (Path("/proc/driver/nvidia/version"), Path("/dev/dxg"))
INSTALL = (
    "pynvml was not found: `pip install nvidia-ml-py` in the kernel's environment shows the GPU"
)
NO_DRIVER = "no NVIDIA driver was found"
UNHEARD = "nothing was heard of the GPUs before the cell ended"


@dataclass
class Nvml:
    """Tells of the GPUs; the process beside the kernel samples them, and writes one file."""

    sidecar: Sidecar
    name: str = "nvml"
    _report: CollectorReport | None = None

    def available(self, cell: CellCode) -> str | None:
        if module_path("pynvml") is not None:
            return None
        return INSTALL if any(path.exists() for path in DRIVER) else NO_DRIVER

    def start(self, cell: CellCode) -> None:
        """Begin nothing: the process beside the kernel does."""

    def stop(self) -> Parts:
        beside = self.sidecar
        self._report = report(beside.samples, beside.begun)
        return {"gpus": gpu_uses(beside.samples, beside.begun, beside.ended)}

    def report(self) -> CollectorReport:
        return self._report or CollectorReport(self.name, "failed", UNHEARD)


def report(samples: RunSamples, begun: float) -> CollectorReport:
    """Return what a run's samples tell of the sampling."""
    told = samples.nvml
    if told is None:
        return CollectorReport("nvml", "failed", UNHEARD)
    if told.reason:
        return CollectorReport("nvml", "unavailable", told.reason, told.cost_cpu_s)
    if told.lost:
        lost = (
            f"GPU {index} was lost after {seconds(max(0.0, t - begun))}"
            for index, t in sorted(told.lost.items())
        )
        return CollectorReport("nvml", "cut", "; ".join(lost), told.cost_cpu_s)
    return CollectorReport("nvml", "ran", None, told.cost_cpu_s)
