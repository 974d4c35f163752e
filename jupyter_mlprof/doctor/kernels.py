"""The kernels that Jupyter offers here, and whether `%load_ext jupyter_mlprof` works in them."""

import shutil
import subprocess
import sys
import tempfile
from typing import Any

from jupyter_client.kernelspec import KernelSpecManager

from jupyter_mlprof import __version__
from jupyter_mlprof.doctor.check import Check

TIMEOUT_S = 20
ASK = "import importlib.metadata as m; print(m.version('jupyter_mlprof'))"


def kernel_checks() -> list[Check]:
    """Ask the Python of each kernel for our package."""
    specs = KernelSpecManager().get_all_specs()
    checks = [_check(name, entry["spec"]) for name, entry in sorted(specs.items())]
    if not any(check.state == "ok" for check in checks):
        checks.append(
            Check(
                "kernels",
                "missing",
                "no kernel was found in which cells can be profiled",
                f"{sys.executable} -m ipykernel install --user",
            )
        )
    return checks


def _check(name: str, spec: dict[str, Any]) -> Check:
    title = f"kernel {name}"
    label = str(spec.get("display_name", name))
    if spec.get("language") != "python":
        return Check(title, "note", f"{label} is no Python kernel, and is not profiled")
    python = _python(spec.get("argv") or [])
    if python is None:
        return Check(title, "note", f"{label}: its Python was not found", "install it anew")
    found = _version(python)
    if found == __version__:
        return Check(title, "ok", f"{label} has jupyter_mlprof {found}")
    command = f"install it there as here, with `{python} -m pip`"
    if found is None:
        return Check(title, "note", f"{label} has no jupyter_mlprof", command)
    return Check(title, "note", f"{label} has jupyter_mlprof {found}, not {__version__}", command)


def _python(argv: list[str]) -> str | None:
    """Return the interpreter of a kernel; Jupyter takes a bare `python` for its own."""
    first = argv[0] if argv else ""
    if first in {"python", "python3", f"python{sys.version_info[0]}.{sys.version_info[1]}"}:
        return sys.executable
    return shutil.which(first) if first else None


def _version(python: str) -> str | None:
    """Return the version of our package there, asked from a folder that holds no package."""
    try:
        asked = subprocess.run(
            [python, "-c", ASK],
            capture_output=True,
            text=True,
            check=True,
            timeout=TIMEOUT_S,
            cwd=tempfile.gettempdir(),
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip() or None
