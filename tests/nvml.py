"""A fake NVML, compiled for the tests, whose answers a file holds."""

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("fake_nvml.c")
# Numbers of NVML's errors.
NOT_SUPPORTED, DRIVER_NOT_LOADED, LOST, MISMATCH = 3, 9, 15, 18


class FakeNvml:
    """The library, the variables of a process that is to find it, and what it answers."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            pytest.skip("there is no C compiler to make a stand-in for NVIDIA's library with")
        pytest.importorskip("pynvml", reason="nvidia-ml-py is not installed")
        library = folder / "libnvidia-ml.so.1"
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-o", str(library), str(SOURCE)],
            check=True,
        )
        self.file = folder / "answers"
        self.env = {"LD_LIBRARY_PATH": str(folder), "FAKE_NVML": str(self.file)}
        self.answers: dict[str, object] = {}
        self.says(count=1, util_0=40, memory_0=3_000_000_000, power_0=200, temperature_0=61)

    def says(self, **answers: object) -> None:
        """Change answers: `util_0=40`, `util_0_error=3`, None for none."""
        self.answers |= {name.replace("_", "."): value for name, value in answers.items()}
        text = "".join(f"{key} {one}\n" for key, one in self.answers.items() if one is not None)
        new = self.file.with_suffix(".new")
        new.write_text(text)
        new.replace(self.file)  # a reader must not meet half of it
