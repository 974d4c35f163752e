"""What works in this environment, what does not, and what to do about it."""

from jupyter_mlprof.doctor.check import Check
from jupyter_mlprof.doctor.kernels import kernel_checks
from jupyter_mlprof.doctor.lab import lab_checks
from jupyter_mlprof.doctor.machine import machine_checks
from jupyter_mlprof.doctor.packages import package_checks

__all__ = ["Check", "checks"]


def checks() -> list[Check]:
    """Return all checks; each is short, and none imports a framework."""
    return [*package_checks(), *kernel_checks(), *lab_checks(), *machine_checks()]
