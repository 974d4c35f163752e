"""Whether a profile tells what is known: each program measures the truth about itself.

Runs each of them ten times and prints the largest difference; the exit code is 1 when one is over
5 points of a share, or 5 % of an amount. Without torch its two programs are left out.
"""

import importlib.util
import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from jupyter_mlprof.model.profile import CellProfile  # noqa: E402 - found by the line above
from tests.kernel import Kernel  # noqa: E402

RUNS = 10
MOST = 0.05
SETUP = """%load_ext jupyter_mlprof
import json, threading, time
from time import perf_counter as now
def tell(value): print(json.dumps(value))
def spin(seconds):
    end = now() + seconds
    while now() < end: pass
"""
TORCH_SETUP = """import torch
from torch.utils.data import DataLoader, Dataset
class Slow(Dataset):
    def __init__(self, seconds):
        self.seconds, self.spent = seconds, torch.multiprocessing.Value("d", 0.0)
    def __len__(self): return 192
    def __getitem__(self, index):
        begun = now()
        time.sleep(self.seconds)
        with self.spent.get_lock(): self.spent.value += now() - begun
        return torch.zeros(8)
"""


@dataclass(frozen=True)
class Program:
    """A cell that prints the truth, and what its profile says of the same."""

    name: str
    source: str
    told: Callable[[CellProfile], float]
    is_share: bool = True
    needs_torch: bool = False


def line(number: int) -> Callable[[CellProfile], float]:
    """Return what tells the share of a line."""

    def told(profile: CellProfile) -> float:
        found = sum(one.wall_s for one in profile.lines if one.line == number)
        return found / profile.duration_s

    return told


def function(name: str) -> Callable[[CellProfile], float]:
    """Return what tells the share of a function."""

    def told(profile: CellProfile) -> float:
        found = sum(one.total_s for one in profile.functions if one.name == name)
        return found / profile.duration_s

    return told


def calls(name: str) -> Callable[[CellProfile], float]:
    """Return what tells the calls of a function."""
    return lambda profile: sum(one.calls or 0 for one in profile.functions if one.name == name)


def grown(profile: CellProfile) -> float:
    """Tell by how much the memory grew."""
    assert profile.memory is not None  # noqa: S101 - for the type checker
    return profile.memory.peak_bytes - profile.memory.start_bytes


PROGRAMS = (
    Program(
        "a line that sleeps 0.3 s of 1 s",
        """%%mlprof
begun = now()
time.sleep(0.3); slept = now() - begun
spin(0.7)
tell(slept / (now() - begun))""",
        line(3),
    ),
    Program(
        "a line that computes 0.3 s of 1 s",
        """%%mlprof
begun = now()
time.sleep(0.7)
spun = now(); spin(0.3); spun = now() - spun
tell(spun / (now() - begun))""",
        line(4),
    ),
    Program(
        "200 MB that are freed again",
        """%%mlprof
block = bytearray(200_000_000)
time.sleep(0.3)
del block
tell(200_000_000)""",
        grown,
        is_share=False,
    ),
    Program(
        "a function called 10,000 times",
        """%%mlprof --calls
def often(x): return sum(range(200))
for number in range(10_000): often(number)
tell(10_000)""",
        calls("often"),
        is_share=False,
    ),
    Program(
        "three threads, one of them for 0.4 s of 1.2 s",
        """%%mlprof
times = {}
def short(): time.sleep(0.4)
def middle(): time.sleep(0.8)
def long(): time.sleep(1.2)
def timed(work):
    begun = now(); work(); times[work.__name__] = now() - begun
begun = now()
threads = [threading.Thread(target=timed, args=(one,)) for one in (short, middle, long)]
for one in threads: one.start()
for one in threads: one.join()
tell(times["short"] / (now() - begun))""",
        function("short"),
    ),
    Program(
        "a loader that is waited for 40 % of the time",
        """%%mlprof
begun = now()
batches = iter(DataLoader(Slow(0.002), batch_size=16)); waited = now() - begun
for _ in range(12):
    asked = now(); next(batches); waited += now() - asked
    spin(0.05)
tell(waited / (now() - begun))""",
        lambda profile: sum(one.wait_s for one in profile.loader) / profile.duration_s,
        needs_torch=True,
    ),
    Program(
        "two workers that fetch 192 items of 8 ms",
        """%%mlprof
slow = Slow(0.008)
for batch in DataLoader(slow, batch_size=16, num_workers=2): pass
tell(slow.spent.value)""",
        lambda profile: sum(one.fetch_s or 0.0 for one in profile.loader),
        is_share=False,
        needs_torch=True,
    ),
)


def main() -> int:
    """Run the benchmark."""
    good = True
    has_torch = importlib.util.find_spec("torch") is not None
    with tempfile.TemporaryDirectory() as folder, Kernel(Path(folder)) as kernel:
        kernel.run(SETUP)
        if has_torch:
            kernel.run(TORCH_SETUP)
        for program in PROGRAMS:
            if has_torch or not program.needs_torch:
                good = measured(kernel, program) and good
    return 0 if good else 1


def measured(kernel: Kernel, program: Program) -> bool:
    """Run a program; print truth, what was told, and the largest difference."""
    pairs = []
    for _ in range(RUNS):
        ran = kernel.run(program.source)
        pairs.append((float(json.loads(ran.stdout)), program.told(ran.profile)))
    worst = max(abs(told - true) / (1 if program.is_share else true) for true, told in pairs)
    truth, told = (statistics.median(one) for one in zip(*pairs, strict=True))
    unit = "points" if program.is_share else "%"
    print(f"{program.name}: true {truth:,.3g}, told {told:,.3g}, worst {100 * worst:.1f} {unit}")
    return worst <= MOST


if __name__ == "__main__":
    sys.exit(main())
