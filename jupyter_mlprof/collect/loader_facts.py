"""What a DataLoader is made of, read without touching its data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DEPTH = 4


@dataclass(frozen=True)
class Facts:
    """How a loader was set up."""

    dataset: str
    dataset_in_notebook: bool
    iterable: bool
    batch_size: int | None
    workers: int
    persistent_workers: bool
    pin_memory: bool


def facts(loader: Any) -> Facts:
    """Read the set-up of a torch DataLoader."""
    size = loader.batch_size
    if size is None:
        size = getattr(loader.batch_sampler, "batch_size", None)
    parts = (loader.dataset, loader.collate_fn, loader.worker_init_fn)
    return Facts(
        dataset=_dataset_name(loader.dataset),
        dataset_in_notebook=any(_in_notebook(part) for part in parts),
        iterable=any(kind.__name__ == "IterableDataset" for kind in type(loader.dataset).__mro__),
        batch_size=size if isinstance(size, int) else None,
        workers=int(loader.num_workers),
        persistent_workers=bool(loader.persistent_workers),
        pin_memory=bool(loader.pin_memory),
    )


def _dataset_name(dataset: object, depth: int = DEPTH) -> str:
    """Return the class name; of a wrapper such as Subset with what it wraps."""
    name = type(dataset).__qualname__
    inner = getattr(dataset, "dataset", None)
    return f"{name}[{_dataset_name(inner, depth - 1)}]" if inner is not None and depth else name


def _in_notebook(part: object, depth: int = DEPTH) -> bool:
    """Tell whether a spawned worker would have to find something of the notebook's own."""
    kind = part if hasattr(part, "__qualname__") else type(part)
    if part is not None and getattr(kind, "__module__", None) == "__main__":
        return True
    inner = getattr(part, "dataset", None)
    return inner is not None and depth > 0 and _in_notebook(inner, depth - 1)


def batch_bytes(batch: Any, depth: int = DEPTH) -> int:
    """Return the bytes of the tensors and arrays in a batch."""
    size = getattr(batch, "nbytes", None)
    if isinstance(size, int):
        return size
    if not depth:
        return 0
    if isinstance(batch, Mapping):
        batch = tuple(batch.values())
    if isinstance(batch, list | tuple):
        return sum(batch_bytes(part, depth - 1) for part in batch)
    return 0
