"""Run the rows in the environment of this Python: `python -m tests.twins.runner OUT [NAME ...]`."""

import importlib.util
import json
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tests.twins.pair import Pairs
from tests.twins.row import Row
from tests.twins.rows import ROWS

VERSIONS = ("ipykernel", "IPython", "jupyter_client", "ipywidgets", "matplotlib", "tqdm")


def missing(rows: tuple[Row, ...]) -> set[str]:
    """Return the modules that rows need and this environment lacks."""
    needed = {name for row in rows for name in row.needs}
    return {name for name in needed if importlib.util.find_spec(name) is None}


def outcome(row: Row, pairs: Pairs, lacking: set[str]) -> str:
    """Run a row; return what the table says of it, after `DIFFERENT` with the difference."""
    reason = row.reason_not_to_run(sys.version_info[:2], lacking)
    if reason is not None:
        return f"not run: {reason}"
    try:
        result = pairs.run(row)
    except Exception as error:  # noqa: BLE001 - the other rows are worth running
        return f"DIFFERENT: {type(error).__name__}: {error}"
    if not result.same:
        return f"DIFFERENT: {result.complaint}\n{result.difference}"
    return "same" if row.not_profiled is None else f"same, not profiled: {row.not_profiled}"


def main() -> None:
    """Run all rows, or those named, and write the outcomes as JSON."""
    out, names = Path(sys.argv[1]), sys.argv[2:]
    rows = tuple(row for row in ROWS if not names or row.name in names)
    lacking, outcomes = missing(rows), {}
    with Pairs() as pairs:
        for number, row in enumerate(rows, start=1):
            begun = time.monotonic()
            outcomes[row.name] = outcome(row, pairs, lacking)
            took = time.monotonic() - begun
            say(f"{number:3} of {len(rows)}  {took:5.1f} s  {row.name}: {outcomes[row.name]}")
    out.write_text(json.dumps({"versions": versions(), "rows": outcomes}), encoding="utf-8")


def versions() -> dict[str, str]:
    """Return the versions of Python and of what a kernel is made of."""
    found = {"Python": platform.python_version()}
    for name in VERSIONS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def say(line: str) -> None:
    """Tell whoever waits."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
