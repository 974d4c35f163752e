"""What thousands of profiled cells leave behind in a kernel.

Runs as many small cells in one kernel with `%%mlprof` and in another without, then one cell many
times, and prints how memory, open files, threads, child processes and IPython's callbacks grew. The
exit code is 1 when memory grew by over 20 MB more than bare, or anything else by more than bare.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.kernel import Kernel  # noqa: E402 - found by the line above

CELLS, RERUNS = 5_000, 50
WARM = 100
MOST_BYTES = 20_000_000
COUNT = """import gc, json, os, threading
gc.collect()
def link(file):
    try: return os.readlink(file)
    except OSError: return "history"
events = get_ipython().events.callbacks
print(json.dumps({
    "memory": int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE"),
    # But for that of IPython's history, which comes and goes.
    "open files": sum("history" not in link(f"/proc/self/fd/{fd}")
                      for fd in os.listdir("/proc/self/fd")),
    "threads": threading.active_count(),
    "children": sum(len(open(f"/proc/self/task/{t}/children").read().split())
                    for t in os.listdir("/proc/self/task")),
    "callbacks": sum(map(len, events.values())),
}))"""
CELL = "total = sum(range({}))\ntotal"
RERUN = "total = sum(range(100_000))"

Counts = dict[str, int]


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", type=int, nargs="?", default=CELLS)
    cells = parser.parse_args().cells
    good = True
    for what, source, count in (("cells", CELL, cells), ("reruns of a cell", RERUN, RERUNS)):
        bare, profiled = grown("", source, count), grown("%%mlprof --quiet\n", source, count)
        print(f"{count:,} {what}:")
        for name, by in profiled.items():
            print(f"  {name}: bare {bare[name]:+,}, profiled {by:+,}")
            good = good and by - bare[name] <= (MOST_BYTES if name == "memory" else 0)
    return 0 if good else 1


def grown(head: str, source: str, count: int) -> Counts:
    """Return by how much each count grew in a fresh kernel."""
    with tempfile.TemporaryDirectory() as folder, Kernel(Path(folder)) as kernel:
        kernel.run("%load_ext jupyter_mlprof")
        run(kernel, head, source, WARM)
        before: Counts = json.loads(kernel.run(COUNT).stdout)
        run(kernel, head, source, count)
        after: Counts = json.loads(kernel.run(COUNT).stdout)
    return {name: after[name] - before[name] for name in before}


def run(kernel: Kernel, head: str, source: str, count: int) -> None:
    """Run a cell as often, with its number in it."""
    for number in range(count):
        reply = kernel.run(head + source.format(number)).reply
        assert reply["status"] == "ok", reply  # noqa: S101 - a benchmark, never run with -O


if __name__ == "__main__":
    sys.exit(main())
