"""Profiles made up for tests."""

from dataclasses import replace
from typing import Any

from jupyter_mlprof.model.collectors import CollectorReport, Overhead
from jupyter_mlprof.model.functions import Flame, Frame, FunctionTime
from jupyter_mlprof.model.lines import LineTime
from jupyter_mlprof.model.loader import LoaderUse, Span
from jupyter_mlprof.model.memory import Memory
from jupyter_mlprof.model.profile import Cell, CellProfile, Machine, Part, Verdict
from jupyter_mlprof.model.source import source_sha256
from jupyter_mlprof.model.timeline import Series, Timeline

SOURCE = """%%mlprof
loader = DataLoader(data, batch_size=32)
for batch in loader:
    train(batch)
"""
BUILT = Span(2, 9, 2, 40)


def loader_use(**changes: Any) -> LoaderUse:
    """A loader that waits for storage: 100 batches of 80 ms, 20 ms of computing each."""
    use = LoaderUse(
        name="loader",
        line=3,
        built=BUILT,
        dataset="Images",
        dataset_in_notebook=True,
        iterable=False,
        shared=None,
        start_method=None,
        on_gpu=False,
        batch_size=32,
        batch_bytes=400_000,
        workers=0,
        persistent_workers=False,
        pin_memory=False,
        loaders=1,
        epochs=1,
        batches=100,
        loop_s=10.0,
        wait_s=8.0,
        first_wait_s=0.08,
        fetch_s=7.9,
        fetch_cpu_s=0.4,
        fetch_core_wait_s=0.0,
        collate_s=0.1,
    )
    return replace(use, **changes)


def machine(**changes: Any) -> Machine:
    """Eight cores, one of them busy with others' work."""
    known = Machine(
        python="3.11.7",
        platform="Linux",
        cores_allowed=8,
        cores_busy_elsewhere=1.0,
        memory_limit_bytes=None,
        memory_available_bytes=16_000_000_000,
        shm_free_bytes=8_000_000_000,
        start_method="fork",
    )
    return replace(known, **changes)


def cell(source: str = SOURCE) -> Cell:
    return Cell("c1", 7, source, source_sha256(source), notebook="train.ipynb")


def profile(**changes: Any) -> CellProfile:
    """Ten seconds of training, eight of them waiting for the loader."""
    known = CellProfile(
        id="0" * 32,
        name=None,
        mlprof_version="0.1.0",
        started_at="2026-11-30T12:00:00+00:00",
        duration_s=10.2,
        cpu_s=3.0,
        outcome="ok",
        cell=cell(),
        machine=machine(),
        overhead=Overhead(5.0, 0.05, 0.08, 0.02),
        verdict=Verdict("data", "78 % of 10.2 s waited for the DataLoader."),
        split=(Part("data", 8.0), Part("other", 2.2)),
        lines=(LineTime(3, 8.0, 400), LineTime(4, 2.0, 100)),
        functions=(FunctionTime("train", "<cell>", 1, 2.0, 2.0, 100),),
        flame=Flame(
            (Frame("<cell>", "<cell>", 1), Frame("train", "<cell>", 1)),
            ((-1, 0, 10.0), (0, 1, 2.0)),
        ),
        timeline=Timeline((0.1, 0.2), (Series("rss", "bytes", (1e8, 2e8)),)),
        memory=Memory(100_000_000, 200_000_000, 0.2, 150_000_000),
        loader=(loader_use(),),
        collectors=(CollectorReport("stacks", "ran", None, 0.05),),
    )
    return replace(known, **changes)
