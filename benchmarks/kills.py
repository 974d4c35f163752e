"""What is left of a cell whose kernel is killed, at 100 random moments.

Prints for each kind of cell how often the post-mortem could be read, named the right cell, named a
line that ran or another one (none was seen of a cell that was killed at once), the longest time
between the last sample and the kill, and the processes left over. The exit code is 1 when one of
them is not as it should be. Arguments: number of kills, seed.
"""

import os
import random
import signal
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from jupyter_mlprof.collect.samples import as_row  # noqa: E402 - found by the line above
from jupyter_mlprof.collect.sidecar_proc import started  # noqa: E402
from jupyter_mlprof.model.runfile import SIDECAR_FILE, json_lines, runs_folder  # noqa: E402
from jupyter_mlprof.model.runs import list_runs  # noqa: E402
from jupyter_mlprof.postmortem import post_mortem  # noqa: E402
from tests.kernel import Kernel  # noqa: E402
from tests.server import gone_within  # noqa: E402

KILLS, SEED = 100, 1
LATEST_S = 4.0
GAP_S = 0.2
CALCULATES = """%%mlprof
n = 0
while True:
    n += 1
"""
WAITS = """%%mlprof
import time
time.sleep(60)
"""
HOLDS = """%%mlprof
import ctypes
libc = ctypes.PyDLL(None)
while True:
    libc.usleep(700_000)
"""
FILLS = """%%mlprof
import time
kept = []
while True:
    kept.append(bytearray(5_000_000))
    time.sleep(0.02)
"""
CELLS = {
    "calculates": CALCULATES,
    "waits": WAITS,
    "holds the interpreter": HOLDS,
    "fills memory": FILLS,
}


@dataclass(frozen=True)
class Kill:
    """What one kill left."""

    readable: bool
    cell: bool
    line: bool
    wrong_line: bool
    gap_s: float
    orphan: bool

    @property
    def good(self) -> bool:
        """Whether all is as it should be."""
        right = self.readable and self.cell and not self.wrong_line
        return right and not self.orphan and self.gap_s <= GAP_S


def main() -> int:
    """Run the benchmark."""
    kills, seed = (*map(int, sys.argv[1:]), *(KILLS, SEED)[len(sys.argv) - 1 :])
    chance = random.Random(seed)  # noqa: S311 - moments, no secrets
    left: dict[str, list[Kill]] = defaultdict(list)
    for number in range(kills):
        name = list(CELLS)[number % len(CELLS)]
        after_s = chance.uniform(0.0, LATEST_S)
        with tempfile.TemporaryDirectory() as folder:
            left[name].append(kill(Path(folder), name, after_s))
        one = left[name][-1]
        if not (one.good and one.line):
            print(f"{name}, killed after {after_s:.2f} s: {one}", flush=True)
    heads = ("kills", "readable", "cell", "line", "wrong", "orphans", "gap")
    print(f"{'cell':24}" + "".join(f"{one:>9}" for one in heads))
    for name, some in left.items():
        print(row(name, some))
    every = [one for some in left.values() for one in some]
    print(row(f"all (seed {seed})", every))
    return 0 if all(one.good for one in every) else 1


def row(name: str, some: list[Kill]) -> str:
    """Return a row of the table."""
    counts = [
        len(some),
        sum(one.readable for one in some),
        sum(one.cell for one in some),
        sum(one.line for one in some),
        sum(one.wrong_line for one in some),
        sum(one.orphan for one in some),
    ]
    gap = max(one.gap_s for one in some)
    return f"{name:24}" + "".join(f"{one:>9}" for one in counts) + f"{gap:>9.3f} s"


def kill(folder: Path, name: str, after_s: float) -> Kill:
    """Kill a kernel that runs a cell so long after the cell's run file appeared."""
    source = CELLS[name]
    lines = range(2, source.count("\n") + 1)
    runs = runs_folder(folder)
    with Kernel(folder) as kernel:
        kernel.run("%load_ext jupyter_mlprof")
        kernel.run("%%mlprof\nx = 1", "before")  # a kernel's first profile starts the sidecar
        pid = kernel.pid
        kernel.send(source, name)
        while len(list_runs(runs)) < 2:  # noqa: PLR2004 - that of the cell before, and this one
            time.sleep(0.01)
        time.sleep(after_s)
        at = time.monotonic()
        os.kill(pid, signal.SIGKILL)
        while started(pid) is not None:
            time.sleep(0.005)
        orphan = not gone_within(pid, 10)
        run = list_runs(runs)[0]
        profile = post_mortem(runs / run.id)
        samples = map(as_row, json_lines(runs / run.id / SIDECAR_FILE))
        last = max((one[0] or 0.0 for one in samples if one), default=0.0)
    line = profile.error.line if profile and profile.error else None
    return Kill(
        readable=profile is not None and profile.outcome == "killed" and profile.memory is not None,
        cell=profile is not None and profile.cell.id == name and profile.cell.source == source,
        line=line in lines,
        wrong_line=line is not None and line not in lines,
        gap_s=max(0.0, at - last),
        orphan=orphan,
    )


if __name__ == "__main__":
    sys.exit(main())
