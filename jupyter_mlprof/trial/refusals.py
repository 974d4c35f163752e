"""Why a cell cannot be tried in a forked copy of its kernel."""

import re
import sys

from jupyter_mlprof.collect.machine import machine
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.trial import landlock

# Libraries whose threads do not outlive a fork, and that hang in the copy.
THREADED = {"tensorflow": "TensorFlow", "jax": "JAX"}
# What writes below Python, where only Landlock would stop it.
WRITES = re.compile(
    r"\btorch\.(?:jit\.)?save\(|\.save\w*\(|\.to_(?:parquet|hdf|feather|file)\(|\bh5py\.File\("
    r"|\bimwrite\(|\.savefig\(|\bmemmap\("
)


def refusal(profile: CellProfile) -> str | None:
    """Return why the cell cannot be tried, or None."""
    reasons = (_of_system(), _of_cell(profile), _of_libraries(), _memory(profile))
    return next((reason for reason in reasons if reason), None)


def _of_system() -> str | None:
    return None if sys.platform.startswith("linux") else "trials need Linux"


def _of_cell(profile: CellProfile) -> str | None:
    if profile.outcome != "ok":
        return "the cell did not run to its end"
    if profile.cell.truncated:
        return "the profile does not hold the cell's source"
    found = WRITES.search(profile.cell.source)
    if found and landlock.version() < landlock.ABI_TRUNCATE:
        return f"the cell may write files (`{found[0]}`), and this system could not stop it"
    return None


def _of_libraries() -> str | None:
    for name, shown in THREADED.items():
        if name in sys.modules:
            return f"{shown} is loaded, whose threads do not live on in a copy of the kernel"
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        return "the GPU is in use, which a copy of the kernel cannot share"
    return None


def _memory(profile: CellProfile) -> str | None:
    """Return why there is not enough memory for a copy; one that grows as the cell did."""
    if profile.memory is None:
        return None
    needed = 2 * max(0, profile.memory.peak_bytes - profile.memory.start_bytes)
    free = machine(None).memory_available_bytes
    if free is not None and needed > free:
        return (
            f"a copy may need {numbers.size(needed)} of memory, and {numbers.size(free)} are free"
        )
    return None
