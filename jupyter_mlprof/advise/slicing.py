"""What a batch of rows in memory costs when it is sliced out at once, not put together from rows.

Measured with TensorDatasets of 16 to 12288 floats a row and batches of 32 to 256, torch 2.13: 31 to
105 us a batch of short rows, 2.6 GB/s of long ones. The bounds leave room on both sides.
"""

from dataclasses import dataclass

from jupyter_mlprof.advise.saving import Saving
from jupyter_mlprof.model.loader import LoaderUse


@dataclass(frozen=True, slots=True)
class _Costs:
    batch_s: float
    row_s: float
    byte_s: float


AT_BEST = _Costs(8e-6, 0.2e-6, 1 / 10e9)
AT_WORST = _Costs(40e-6, 0.5e-6, 1 / 1.5e9)


def sliced_s(use: LoaderUse, costs: _Costs) -> float:
    """Return the seconds that slicing all batches would take."""
    rows_s = costs.row_s * (use.batch_size or 1)
    return use.batches * (costs.batch_s + rows_s + costs.byte_s * (use.batch_bytes or 0))


def loading_s(use: LoaderUse) -> float:
    """Return the seconds that loading row by row took; with workers, that the loop waited for it.

    Where batches come fast few of them are timed, and their sum may come out above the wait.
    """
    return use.wait_s if use.workers else min(use.wait_s, use.batch_load_s * use.batches)


def slicing_saves(use: LoaderUse) -> Saving:
    """Return what slicing saves; with workers, their wait, since slicing needs none."""
    costs = (AT_WORST, AT_BEST)
    low, high = (max(0.0, loading_s(use) - sliced_s(use, one)) for one in costs)
    return Saving(low, high)
