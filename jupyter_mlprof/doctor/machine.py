"""What can be measured on this machine, what a process may use of it, and where runs are kept."""

import os
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir

from jupyter_mlprof.collect.machine import machine
from jupyter_mlprof.collect.module_path import module_path
from jupyter_mlprof.collect.nvml import DRIVER
from jupyter_mlprof.collect.sidecar_process import reads_proc
from jupyter_mlprof.collect.sidecar_script import FAST_FOR_S, FAST_S, SLOW_S
from jupyter_mlprof.doctor.check import Check
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.runfile import runs_folder
from jupyter_mlprof.model.runs import run_ids

# Below this, DataLoader workers fail before long: containers often get 64 MB.
LEAST_SHM = 500_000_000
SHM = "shared memory"


def machine_checks() -> list[Check]:
    """Look at the machine."""
    return [_sampling(), *_limits(), _gpu(), _runs(runs_folder(Path(jupyter_data_dir())))]


def _sampling() -> Check:
    name = "memory and CPU"
    if reads_proc():
        fast, slow = round(1 / FAST_S), round(1 / SLOW_S)
        said = f"sampled from /proc, {fast} times a second, {slow} after {FAST_FOR_S:.0f} s"
        return Check(name, "ok", said)
    if module_path("psutil"):
        return Check(name, "ok", "sampled with psutil, 5 times a second")
    return Check(name, "note", "not sampled: this system needs psutil", "pip install psutil")


def _limits() -> list[Check]:
    here = machine()
    limit, room = here.memory_limit_bytes, here.shm_free_bytes
    found = [
        Check("cores", "ok", f"{here.cores_allowed:g} of {os.cpu_count()} may be used"),
        Check("memory limit", "ok", "none" if limit is None else numbers.size(limit)),
    ]
    if room is not None and room < LEAST_SHM:
        said = f"{numbers.size(room)} free in /dev/shm: workers of a DataLoader may fail"
        advice = "start the container with more, as by `docker run --shm-size=8g`"
        found.append(Check(SHM, "note", said, advice))
    elif room is not None:
        found.append(Check(SHM, "ok", f"{numbers.size(room)} free in /dev/shm"))
    return found


def _gpu() -> Check:
    driver = any(path.exists() for path in DRIVER)
    if not driver:
        return Check("GPU", "ok", "no NVIDIA driver was found")
    if module_path("pynvml"):
        return Check("GPU", "ok", "sampled through NVML")
    return Check("GPU", "note", "not sampled: pynvml was not found", "pip install nvidia-ml-py")


def _runs(folder: Path) -> Check:
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(nearest, os.W_OK):
        return Check(
            "runs",
            "missing",
            f"{folder} cannot be written: no timeline, no history",
            "set JUPYTER_DATA_DIR to a folder of yours",
        )
    files = [file for one in run_ids(folder) for file in (folder / one).glob("*")]
    size = numbers.size(sum(file.stat().st_size for file in files if file.is_file()))
    return Check(
        "runs", "ok", f"{numbers.counted(len(run_ids(folder)), 'run')}, {size}, in {folder}"
    )
