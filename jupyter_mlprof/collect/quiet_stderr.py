"""Keep notes of C++ libraries out of the user's output.

Kineto writes a line to stderr whenever a profiler starts or stops, past Python's `sys.stderr`.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator

STDERR = 2


@contextlib.contextmanager
def without_lines(prefix: bytes) -> Iterator[None]:
    """Drop the lines with a prefix that the block writes to stderr; all else is passed on."""
    try:
        kept = os.dup(STDERR)
        aside = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed below
    except OSError:  # without a stderr nothing is seen of it
        yield
        return
    with aside:
        os.dup2(aside.fileno(), STDERR)
        try:
            yield
        finally:
            os.dup2(kept, STDERR)
            _pass_on(aside.fileno(), prefix)
            os.close(kept)


def _pass_on(aside: int, prefix: bytes) -> None:
    size = os.lseek(aside, 0, os.SEEK_END)
    os.lseek(aside, 0, os.SEEK_SET)
    lines = os.read(aside, size).splitlines(keepends=True)
    rest = b"".join(line for line in lines if not line.startswith(prefix))
    if rest:
        with contextlib.suppress(OSError):
            os.write(STDERR, rest)
