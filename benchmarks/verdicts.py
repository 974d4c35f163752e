"""Whether trials tell the truth: changes of a known effect, each tried thirty times.

The truth of a change is the mean of all its pairs. Counted are false wins (a change that gains
nothing called a gain), verdicts that cannot tell, and intervals that hold the truth. The exit code
is 1 on a false win, on more than 15 % undecided, or when under 90 % of the intervals hold the
truth. Effects between 0.95 and 1.10 are undecided by definition.
"""

import argparse
import importlib.util
import json
import math
import statistics
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.kernel import Kernel  # noqa: E402 - found by the line above

RUNS = 30
LIMIT_S = 4.0
UNDECIDED = (0.95, 1.10)
MOST_UNDECIDED, LEAST_HELD = 0.15, 0.90
SETUP = """%load_ext jupyter_mlprof
import json, time
import jupyter_mlprof as mlprof
from dataclasses import replace
from jupyter_mlprof.model.codec import to_json
from jupyter_mlprof.model.finding import Finding, Fix, Gain, TextEdit
from jupyter_mlprof.session import session
def offered(old, new):
    profile = session().profiles[-1]
    start = profile.cell.source.index(old)
    fix = Fix(profile.cell.source_sha256, (TextEdit(start, start + len(old), new),))
    gain = Gain("time", 1.0, 2.0, "made up")
    finding = Finding("a/b", "batching", "Try", None, (), gain, "low", (), fix, "")
    session().change(replace(profile, findings=(finding,)))
"""
TORCH_SETUP = """import torch
from torch.utils.data import DataLoader, Dataset
class Slow(Dataset):
    def __len__(self): return 96
    def __getitem__(self, index):
        time.sleep(0.002)
        return torch.zeros(64)
wide = torch.randn(400, 400)
"""


@dataclass(frozen=True)
class Change:
    """A cell and one change of its text."""

    name: str
    source: str
    old: str
    new: str
    needs_torch: bool = False


SLEEP = "%%mlprof --quiet\nfor _ in range(5): time.sleep(0.026)"
LOADER = "%%mlprof --quiet\nfor batch in DataLoader(Slow(), batch_size=16, num_workers=0): pass"
MATMUL = """%%mlprof --quiet
kind = torch.float64
one = wide.to(kind)
for _ in range(20): two = one @ one"""
CHANGES = (
    Change("nothing (a sleep)", SLEEP, "0.026", "0.0260"),
    Change("1.3x (a sleep)", SLEEP, "0.026", "0.020"),
    Change("2x (a sleep)", SLEEP, "0.026", "0.013"),
    Change("0.8x (a sleep)", SLEEP, "0.026", "0.0325"),
    Change("two workers", LOADER, "num_workers=0", "num_workers=2", needs_torch=True),
    Change("nothing (a loader)", LOADER, "batch_size=16", "batch_size= 16", needs_torch=True),
    Change("half the precision", MATMUL, "torch.float64", "torch.float32", needs_torch=True),
    Change("nothing (a product)", MATMUL, "range(20)", "range( 20)", needs_torch=True),
)


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=int, nargs="?", default=RUNS)
    runs = parser.parse_args().runs
    has_torch = importlib.util.find_spec("torch") is not None
    with tempfile.TemporaryDirectory() as folder, Kernel(Path(folder)) as kernel:
        kernel.run(SETUP)
        if has_torch:
            kernel.run(TORCH_SETUP)
        good = [
            judged(change, [trial(kernel, change) for _ in range(runs)])
            for change in CHANGES
            if has_torch or not change.needs_torch
        ]
    return 0 if all(good) else 1


def trial(kernel: Kernel, change: Change) -> dict[str, Any]:
    """Profile the cell, then try the change."""
    kernel.run(change.source)
    call = f"mlprof.try_fix(limit_s={LIMIT_S})"
    ran = kernel.run(f"offered({change.old!r}, {change.new!r}); print(json.dumps(to_json({call})))")
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def judged(change: Change, trials: list[dict[str, Any]]) -> bool:
    """Print what the trials of a change told, and whether that is good."""
    verdicts = Counter(one["verdict"] for one in trials)
    spans = [one["speedup"] for one in trials if one["speedup"]]
    if not spans:
        print(f"{change.name}: {dict(verdicts)}: {trials[0]['text']}")
        return False
    truth = math.exp(statistics.fmean(math.log(span["middle"]) for span in spans))
    held = sum(span["low"] <= truth <= span["high"] for span in spans) / len(spans)
    undecided = verdicts["cannot-tell"] / len(trials)
    print(
        f"{change.name}: truth {truth:.2f}x; {dict(verdicts)};"
        f" {100 * held:.0f} % of the intervals hold it"
    )
    if UNDECIDED[0] < truth < UNDECIDED[1]:
        return verdicts["pays"] == 0 and held >= LEAST_HELD
    wrong = verdicts["does-not-pay" if truth > 1 else "pays"]
    return wrong == 0 and undecided <= MOST_UNDECIDED and held >= LEAST_HELD


if __name__ == "__main__":
    sys.exit(main())
