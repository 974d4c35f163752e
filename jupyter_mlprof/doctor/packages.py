"""Python, this package, and the packages that it works with."""

import platform
import sys

from jupyter_mlprof import __version__
from jupyter_mlprof.doctor.check import Check, installed

FRAMEWORKS = {
    "torch": "the DataLoader, steps and memory of tensors are seen in kernels that use it",
    "tensorflow": "functions and lines are seen in kernels that use it",
}


def package_checks() -> list[Check]:
    """Look at what is installed beside this package."""
    own = f"{__version__}, in Python {platform.python_version()} ({sys.executable})"
    return [
        Check("jupyter_mlprof", "ok", own),
        *(_needed(name) for name in ("ipython", "ipykernel")),
        _bokeh(),
        *(_framework(name, use) for name, use in FRAMEWORKS.items()),
    ]


def _needed(name: str) -> Check:
    found = installed(name)
    if found:
        return Check(name, "ok", found)
    return Check(
        name,
        "missing",
        "not installed, so that no kernel runs in this environment",
        f"pip install {name}",
    )


def _bokeh() -> Check:
    found = installed("bokeh")
    if found:
        return Check("bokeh", "ok", f"{found}, for `jupyter mlprof report`")
    return Check("bokeh", "note", "not installed: no reports", 'pip install "bokeh>=3.6" nbconvert')


def _framework(name: str, use: str) -> Check:
    found = installed(name)
    return Check(name, "ok", f"{found}: {use}") if found else Check(name, "ok", "not installed")
