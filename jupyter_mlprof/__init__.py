"""Profile a notebook cell: where the time went, what to change, and what it would gain.

`%load_ext jupyter_mlprof`, then `%%mlprof` on the first line of a cell. Importing this package
imports nothing heavy and changes nothing.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from IPython.core.interactiveshell import InteractiveShell

    from jupyter_mlprof.model.profile import CellProfile
    from jupyter_mlprof.model.trial import Trial
    from jupyter_mlprof.notebook.block import Block
    from jupyter_mlprof.view.comparison import Comparison

try:
    __version__ = version("jupyter_mlprof")
except PackageNotFoundError:  # a checkout that is not installed
    __version__ = "0"

__all__ = [
    "__version__",
    "compare",
    "last",
    "load",
    "load_ipython_extension",
    "profile",
    "try_fix",
    "unload_ipython_extension",
]


def profile(name: str | None = None, *, calls: bool = False, quiet: bool = False) -> Block:
    """Profile a block of code, in a notebook, a script or a test.

    `with mlprof.profile("load") as block:` shows the profile at the end of the block, on standard
    error outside IPython; with `quiet` it is only in `block.profile`, which is None where a cell
    or block around this one is profiled already. `calls` counts calls to the end.
    """
    from jupyter_mlprof.notebook.block import Block
    from jupyter_mlprof.notebook.options import Options

    return Block(Options(name=name, calls=calls, quiet=quiet))


def try_fix(number: int = 1, *, profile: str | None = None, limit_s: float = 30.0) -> Trial:
    """Run a cell and the change that a finding offers in turn, and say whether it pays.

    Each run is in a forked copy of the kernel, of which nothing is left. `number` counts the
    findings of the profile with the id `profile`, the newest if left out; `limit_s` is about how
    long all may take, in seconds.

    Raises:
        jupyter_mlprof.errors.MlprofError: there is no such profile, finding or change.
    """
    from jupyter_mlprof.notebook.trying import try_fix as try_it

    return try_it(number, profile, limit_s)


def last() -> CellProfile | None:
    """Return the newest profile of this kernel, or None."""
    from jupyter_mlprof.session import newest

    return newest()


def load(path: str | Path) -> CellProfile:
    """Read a stored profile (`NAME.mlprof.json`).

    Raises:
        jupyter_mlprof.errors.ProfileError: the file holds no profile that this version reads.
    """
    from jupyter_mlprof.model.codec import load as load_profile

    return load_profile(path)


def compare(before: CellProfile, after: CellProfile) -> Comparison:
    """Hold two profiles of a cell against each other; printed, it says what changed."""
    from jupyter_mlprof.view.comparison import Comparison

    return Comparison(before, after)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add the `%%mlprof` magic to the shell; called by `%load_ext jupyter_mlprof`."""
    from jupyter_mlprof.notebook.hook import install

    install(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Take the magic out again; called by `%unload_ext jupyter_mlprof`."""
    from jupyter_mlprof.notebook.hook import uninstall

    uninstall(shell)
