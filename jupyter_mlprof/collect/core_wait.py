"""How long a thread was ready to run and had no core, as Linux accounts it.

Without it, loading on a busy machine looks like loading that waits for storage.
"""

from dataclasses import dataclass
from pathlib import Path

NS = 1e-9


@dataclass(frozen=True, slots=True)
class CoreWait:
    """CPU seconds of this thread so far, and seconds it waited for a core."""

    cpu_s: float = 0.0
    waited_s: float = 0.0

    def per_cpu_second(self, earlier: "CoreWait") -> float:
        """Return the seconds waited for each second computed since then."""
        cpu = self.cpu_s - earlier.cpu_s
        return (self.waited_s - earlier.waited_s) / cpu if cpu > 0 else 0.0


def core_wait() -> CoreWait:
    """Read this thread's account; zeros where the kernel keeps none."""
    try:
        words = Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()
        return CoreWait(int(words[0]) * NS, int(words[1]) * NS)
    except (OSError, ValueError, IndexError):
        return CoreWait()
