"""What matrix operators of a dtype take of the whole cell, told from the operator window."""

from statistics import median

from jupyter_mlprof.advise.imports import rerun_s
from jupyter_mlprof.model.profile import CellProfile


def stretch_s(profile: CellProfile) -> float:
    """Return the seconds of the cell that the window stands for.

    A step stands for all steps of the optimizer, a window opened by time for the whole cell.
    """
    window, steps, whole = profile.operator_window, profile.steps, rerun_s(profile)
    if window is None:
        return 0.0
    if window.steps and steps and steps.seconds:
        return min(whole, steps.count * median(steps.seconds))
    return whole


def capability(profile: CellProfile) -> float | None:
    """Return the CUDA capability of the oldest GPU that torch uses, or None."""
    known = [gpu.capability for gpu in profile.machine.gpus if gpu.capability is not None]
    return min(known, default=None)
