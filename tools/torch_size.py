"""Says, before pip installs torch, whether it is the CUDA build.

On Linux that build brings NVIDIA's libraries along, so that a short command turns into a download
of several gigabytes. pip tells beforehand which file it would take.
"""

import importlib.util
import json
import subprocess
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"


def torch_requirement() -> str:
    """Return the requirement that the demo extra names."""
    extras = tomllib.loads(PYPROJECT.read_text())["project"]["optional-dependencies"]
    return next(str(need) for need in extras["demo"] if need.startswith("torch"))


def is_cuda_build(requirement: str) -> bool:
    """Ask pip which file it would take, without downloading it."""
    options = ["--dry-run", "--no-deps", "--ignore-installed", "--quiet", "--report", "-"]
    command = [sys.executable, "-m", "pip", "install", *options, requirement]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        return False  # the real installation will say what is wrong
    needs = json.loads(found.stdout)["install"][0]["metadata"].get("requires_dist", [])
    return any(need.startswith(("nvidia-", "cuda-")) for need in needs)


if __name__ == "__main__":
    absent = importlib.util.find_spec("torch") is None
    if sys.platform == "linux" and absent and is_cuda_build(torch_requirement()):
        print("torch comes as its CUDA build here: about 3 GB of downloads, 6 GB on the disk.")
