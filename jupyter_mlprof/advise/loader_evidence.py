"""What was measured of a DataLoader, as evidence."""

from jupyter_mlprof.advise.imports import rerun_s
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.finding import Evidence
from jupyter_mlprof.model.loader import LoaderUse
from jupyter_mlprof.model.profile import CellProfile

OF_THE_CELL = "share of the cell without its imports"


def within_cell(profile: CellProfile, seconds: float) -> float:
    """Return the share in percent of the cell, imports aside."""
    whole = rerun_s(profile)
    return min(100.0, 100 * seconds / whole) if whole else 0.0


def share_evidence(
    name: str, profile: CellProfile, seconds: float, source: str, threshold: float | None = None
) -> Evidence:
    """Return seconds as a share of the cell."""
    return Evidence(name, within_cell(profile, seconds), "%", threshold, source)


def waited(profile: CellProfile, use: LoaderUse, threshold: float | None) -> Evidence:
    """Return the share of the cell that waited for the loader."""
    return share_evidence("waited for the DataLoader", profile, use.wait_s, OF_THE_CELL, threshold)


def loading(use: LoaderUse) -> tuple[Evidence, ...]:
    """Return what loading, computing and the number of batches were."""
    return (
        Evidence(
            "loading, all workers", use.load_s, "s", None, "time in the dataset and collation"
        ),
        Evidence("computing", use.compute_s, "s", None, "time in the loop between batches"),
        Evidence("batches", use.batches, "", None, f"in {numbers.counted(use.epochs, 'epoch')}"),
    )
