"""How long a page waits for the next sample while a C call holds the kernel's interpreter.

Runs a cell that holds it for 5 s, with a socket open on a real server, and prints the longest time
between samples, by the samples' own times and by their arrival. The exit code is 1 when the median
of the runs is over half a second.
"""

import json
import statistics
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.server import ServedKernel, Server, running_server  # noqa: E402 - found by the line above

RUNS = 5
MOST_S = 0.5
CELLS = {
    "a C call that sleeps": "%%mlprof\nimport ctypes\nctypes.PyDLL(None).usleep(5_000_000)\n",
    "powers of a big integer": "%%mlprof\nn = pow(3, 1 << 24) % 7\n",
}


def main() -> int:
    """Run the benchmark."""
    good = True
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as server:
        for name, source in CELLS.items():
            with ServedKernel(server) as kernel:
                kernel.run("%load_ext jupyter_mlprof")
                gaps = [gap(server, kernel, source) for _ in range(RUNS)]
                kernel.shut_down()
            own, arrival = (statistics.median(one) for one in zip(*gaps, strict=True))
            print(f"{name}: median of {RUNS} runs {own:.2f} s, by arrival {arrival:.2f} s")
            good = good and max(own, arrival) <= MOST_S
    return 0 if good else 1


def gap(server: Server, kernel: ServedKernel, source: str) -> tuple[float, float]:
    """Run the cell once and return the longest time between samples."""
    socket = server.live(kernel.id)
    sent = kernel.send(source)
    own: list[float] = []
    arrivals: list[float] = []
    duration = None
    while duration is None:
        message = json.loads(socket.recv())
        if message["type"] == "started":
            own, arrivals = [0.0], [time.monotonic()]
        elif message["type"] == "sample":
            own += message["t_s"]
            arrivals.append(time.monotonic())
        elif message["type"] == "ended":
            duration = message["duration_s"]
    socket.close()
    kernel.collect(sent)
    found = tuple(max(after - before for before, after in pairwise(one)) for one in (own, arrivals))
    print(f"{duration:5.2f} s, {len(own)} samples: {found[0]:.2f} s, by arrival {found[1]:.2f} s")
    return found[0], found[1]


if __name__ == "__main__":
    sys.exit(main())
