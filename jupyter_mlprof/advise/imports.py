"""Time that went into importing modules: a rerun in the same kernel does not repeat it."""

from jupyter_mlprof.model.profile import CellProfile

IMPORT_SYSTEM = "_find_and_load"


def import_s(profile: CellProfile) -> float:
    """Return the seconds with the import system on the stack."""
    return max((one.total_s for one in profile.functions if one.name == IMPORT_SYSTEM), default=0.0)


def rerun_s(profile: CellProfile) -> float:
    """Return the seconds that a rerun would take: the cell without its imports."""
    return max(0.0, profile.duration_s - import_s(profile))
