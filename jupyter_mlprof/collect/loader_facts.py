"""What a DataLoader is made of, read without touching its data."""

import io
import socket
import sqlite3
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

DEPTH = 4
INNER_MOST = 8
# What keeps a position or a connection that processes must not share.
OPEN_TYPES = (io.IOBase, socket.socket, sqlite3.Connection, tarfile.TarFile, zipfile.ZipFile)
OPEN_MODULES = frozenset({"h5py", "lmdb", "tables", "netCDF4", "psycopg2", "psycopg", "pymongo"})


@dataclass(frozen=True)
class Facts:
    """How a loader was set up."""

    dataset: str
    dataset_in_notebook: bool
    iterable: bool
    shared: str | None
    start_method: str | None
    batch_size: int | None
    workers: int
    persistent_workers: bool
    pin_memory: bool
    prefetch: int | None


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
        shared=_shared(loader.dataset),
        start_method=_start_method(loader),
        batch_size=size if isinstance(size, int) else None,
        workers=int(loader.num_workers),
        persistent_workers=bool(loader.persistent_workers),
        pin_memory=bool(loader.pin_memory),
        prefetch=getattr(loader, "prefetch_factor", None) if loader.num_workers else None,
    )


def facts_of_iterator(iterator: Any) -> Facts:
    """Read the set-up of a loader from its iterator, which does not know the loader itself."""
    names = ("dataset", "collate_fn", "worker_init_fn", "num_workers", "prefetch_factor")
    known = {name: getattr(iterator, f"_{name}", None) for name in names}
    return facts(
        SimpleNamespace(
            **known,
            batch_size=None,
            batch_sampler=iterator._index_sampler,  # noqa: SLF001 - it tells no other way
            multiprocessing_context=None,
            persistent_workers=getattr(iterator, "_persistent_workers", False),
            pin_memory=getattr(iterator, "_pin_memory", False),
        )
    )


def _dataset_name(dataset: object, depth: int = DEPTH) -> str:
    """Return the class name; of a wrapper such as Subset with what it wraps."""
    name = type(dataset).__qualname__
    inner = (_dataset_name(one, depth - 1) for one in _inner(dataset)) if depth else ()
    told = ", ".join(dict.fromkeys(inner))
    return f"{name}[{told}]" if told else name


def _inner(dataset: object) -> list[object]:
    """Return the datasets that a dataset such as Subset or ConcatDataset is made of."""
    one, several = (getattr(dataset, name, None) for name in ("dataset", "datasets"))
    if isinstance(several, Mapping):
        several = tuple(several.values())
    found = list(several[:INNER_MOST]) if isinstance(several, list | tuple) else []
    return found if one is None else [one, *found]


def _in_notebook(part: object, depth: int = DEPTH) -> bool:
    """Tell whether a spawned worker would have to find something of the notebook's own."""
    kind = part if hasattr(part, "__qualname__") else type(part)
    if part is not None and getattr(kind, "__module__", None) == "__main__":
        return True
    return depth > 0 and any(_in_notebook(inner, depth - 1) for inner in _inner(part))


def _start_method(loader: Any) -> str | None:
    context = loader.multiprocessing_context
    method = context.get_start_method() if hasattr(context, "get_start_method") else context
    return method if isinstance(method, str) else None


def _shared(dataset: object, depth: int = DEPTH) -> str | None:
    """Name an attribute that holds something open, which forked workers would share."""
    try:
        attributes = vars(dataset).items()
    except TypeError:
        return None
    for name, value in attributes:
        if (
            isinstance(value, OPEN_TYPES)
            or type(value).__module__.partition(".")[0] in OPEN_MODULES
        ):
            return f"{name} ({type(value).__name__})"
    found = (_shared(inner, depth - 1) for inner in _inner(dataset)) if depth else ()
    return next((one for one in found if one is not None), None)


def on_gpu(batch: Any, depth: int = DEPTH) -> bool:
    """Tell whether a batch holds tensors on a GPU."""
    if getattr(batch, "is_cuda", False) is True:
        return True
    if isinstance(batch, Mapping):
        batch = tuple(batch.values())
    if depth and isinstance(batch, list | tuple):
        return any(on_gpu(part, depth - 1) for part in batch)
    return False


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
