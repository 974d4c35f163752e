"""One thing that was looked at."""

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

# `missing` is what profiling or reading profiles here needs; `note` is what some will want.
State = Literal["ok", "note", "missing"]


@dataclass(frozen=True, slots=True)
class Check:
    """What was found, and what to do where that is not enough."""

    name: str
    state: State
    found: str
    advice: str | None = None


def installed(package: str) -> str | None:
    """Return the version of an installed package, which is not imported."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
