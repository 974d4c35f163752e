"""Resident memory of the kernel over the cell."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Holder:
    """A variable, the bytes that it keeps, and what it is, such as `Tensor 64 x 3`."""

    name: str
    bytes: int
    type: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident bytes at the start, at the highest sample and at the end."""

    start_bytes: int
    peak_bytes: int
    peak_t_s: float
    end_bytes: int
    limit_bytes: int | None = None
    holders: tuple[Holder, ...] = ()
