"""Datasets that workers can import, whichever way they are started."""

import time
from collections.abc import Iterator

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info

PAUSE_S = 0.008


class Remote(Dataset[torch.Tensor]):
    """Waits for each item, as for storage."""

    def __init__(self, count: int = 64, pause_s: float = PAUSE_S) -> None:
        self.count, self.pause_s = count, pause_s

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> torch.Tensor:
        time.sleep(self.pause_s)
        return torch.zeros(8)


class Bad(Remote):
    """Fails at its fourth item."""

    def __getitem__(self, index: int) -> torch.Tensor:
        if index == 4:
            raise ValueError("a bad item")
        return super().__getitem__(index)


class Shared(IterableDataset[int]):
    """A stream that its workers share, of no known length."""

    def __init__(self, count: int = 64, pause_s: float = PAUSE_S) -> None:
        self.count, self.pause_s = count, pause_s

    def __iter__(self) -> Iterator[int]:
        info = get_worker_info()
        first, step = (0, 1) if info is None else (info.id, info.num_workers)
        for index in range(first, self.count, step):
            time.sleep(self.pause_s)
            yield index


class Ahead(DataLoader[torch.Tensor]):
    """Iterates in a way of its own, one batch ahead, as libraries on top of torch do."""

    def __iter__(self) -> Iterator[torch.Tensor]:  # type: ignore[override]
        iterator = super().__iter__()
        batch = next(iterator)
        for following in iterator:
            yield batch
            batch = following
        yield batch


class Own(DataLoader[torch.Tensor]):
    """Does not ask `DataLoader.__iter__`."""

    def __iter__(self) -> Iterator[torch.Tensor]:  # type: ignore[override]
        return self._get_iterator()


def collate(items: list[torch.Tensor]) -> torch.Tensor:
    """Take a while to put a batch together."""
    time.sleep(2 * PAUSE_S)
    return torch.stack(items)


def refuse(items: list[torch.Tensor]) -> torch.Tensor:
    """Fail to put a batch together."""
    raise ValueError(f"{len(items)} items cannot be put together")


def check(worker: int) -> None:
    """Be a worker_init_fn that expects what torch promises it."""
    info = get_worker_info()
    assert info is not None
    assert info.id == worker


def fail(worker: int) -> None:
    """Be a worker_init_fn that fails."""
    raise RuntimeError(f"worker {worker} cannot begin")


def consume(loader: DataLoader[torch.Tensor], pause_s: float = 0.0) -> int:
    """Iterate in a function of a module."""
    count = 0
    for _ in loader:
        time.sleep(pause_s)
        count += 1
    return count
