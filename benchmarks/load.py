"""What `%load_ext jupyter_mlprof` costs in a kernel, and that it imports nothing heavy.

Loads it in fresh kernels and prints the median of its CPU time. The exit code is 1 when that is
150 ms or more, or when a heavy package came along.
"""

import json
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.kernel import Kernel  # noqa: E402 - found by the line above

RUNS = 10
MOST_S = 0.150
HEAVY = ("torch", "tensorflow", "bokeh", "pandas", "numpy", "libcst", "nbformat", "nbclient")
# As for a user, whose compiled modules are kept.
COMPILES = {"PYTHONDONTWRITEBYTECODE": ""}
LOAD = f"""import json, sys, time
before = time.process_time()
%load_ext jupyter_mlprof
spent = time.process_time() - before
print(json.dumps([spent, [name for name in {HEAVY!r} if name in sys.modules]]))"""


def main() -> int:
    """Run the benchmark."""
    load()  # compiles what is not compiled yet
    runs = [load() for _ in range(RUNS)]
    median = statistics.median(seconds for seconds, _ in runs)
    came = sorted({name for _, names in runs for name in names})
    heavy = ", ".join(came) or "nothing heavy"
    print(f"%load_ext: {1e3 * median:.0f} ms of CPU, median of {RUNS}; imported: {heavy}")
    return 0 if median < MOST_S and not came else 1


def load() -> tuple[float, list[str]]:
    """Return the CPU seconds of loading, and which heavy packages are there afterwards."""
    with tempfile.TemporaryDirectory() as folder, Kernel(Path(folder), **COMPILES) as kernel:
        seconds, names = json.loads(kernel.run(LOAD).stdout)
    return float(seconds), list(names)


if __name__ == "__main__":
    sys.exit(main())
