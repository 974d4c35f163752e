"""Whether the quickstart's fix brings what its finding promises.

Runs the quickstart in a real kernel, applies the offered fix, and runs original and fixed cell in
interleaved pairs. Prints each pair, the median speed-up and the promised range; the exit code is 1
when the median lies outside the range or below 1.3x.
"""

import json
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from jupyter_mlprof.model import numbers  # noqa: E402 - found by the line above
from jupyter_mlprof.model.source import apply_edits  # noqa: E402
from tests.kernel import Kernel  # noqa: E402

PAIRS = 5
LEAST = 1.3


def main() -> int:
    """Run the benchmark."""
    notebook = json.loads((ROOT / "notebooks/quickstart.ipynb").read_text("utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    *setup, original = cells
    with tempfile.TemporaryDirectory() as folder, Kernel(Path(folder)) as kernel:
        for cell in setup:
            kernel.run(cell)
        (finding,) = kernel.run(original).profile.findings
        assert finding.fix is not None  # noqa: S101 - for the type checker
        fixed = apply_edits(original, finding.fix.edits)
        ratios = [pair(kernel, original, fixed, number) for number in range(PAIRS)]
    median = statistics.median(ratios)
    low, high = finding.gain.low, finding.gain.high
    print(f"{finding.title}: median of {PAIRS} pairs {numbers.ratio(median)}")
    print(f"promised {low:.2f}x to {high:.2f}x, measured {min(ratios):.2f}x to {max(ratios):.2f}x")
    holds = low <= median <= high and median >= LEAST
    print("inside the range" if holds else "OUTSIDE the range")
    return 0 if holds else 1


def pair(kernel: Kernel, original: str, fixed: str, number: int) -> float:
    """Return the speed-up of one pair; who goes first alternates."""
    order = (original, fixed) if number % 2 == 0 else (fixed, original)
    seconds = {cell: kernel.run(cell).profile.duration_s for cell in order}
    ratio = seconds[original] / seconds[fixed]
    print(f"{seconds[original]:6.2f} s  {seconds[fixed]:6.2f} s  {ratio:5.2f}x", flush=True)
    return ratio


if __name__ == "__main__":
    sys.exit(main())
