"""Where the kernel would import a module from, for the process beside it; nothing is imported."""

import importlib.util


def module_path(name: str) -> str | None:
    """Return the module's file, or None where there is none."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # a module that somebody made up, without a specification
        return None
    return spec.origin if spec is not None and spec.has_location else None
