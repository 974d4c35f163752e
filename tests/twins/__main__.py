"""Run all rows in all environments and write docs/twins.md: `python -m tests.twins`.

The environments are made under build/twins, of what a kernel needs of us and of what rows use.
"""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.twins.table import Column, table

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "twins"
PYTHONS = ("3.11", "3.12", "3.13")
IPYKERNELS = (6, 7)
OTHERS = ("ipywidgets", "matplotlib", "tqdm")


def main() -> int:
    """Run, print and write the table; fail where a row differs."""
    columns = [
        Column(f"{python}, ipykernel {major}", **run(python, major))
        for python in PYTHONS
        for major in IPYKERNELS
    ]
    text = table(columns)
    (ROOT / "docs" / "twins.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    different = sum(column.different for column in columns)
    if different:
        sys.stderr.write(f"{different} differences; build/twins/*.log has them.\n")
    return int(different > 0)


def run(python: str, ipykernel: int) -> dict[str, dict[str, str]]:
    """Run the rows in one environment."""
    folder = environment(python, ipykernel)
    out, log = FOLDER / f"{folder.name}.json", FOLDER / f"{folder.name}.log"
    sys.stderr.write(f"Python {python}, ipykernel {ipykernel}: see {log.relative_to(ROOT)}\n")
    out.unlink(missing_ok=True)
    with log.open("w", encoding="utf-8") as file:
        subprocess.run(
            [folder / "bin" / "python", "-m", "tests.twins.runner", out],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=file,
            stderr=subprocess.STDOUT,
            check=True,
        )
    found: dict[str, dict[str, str]] = json.loads(out.read_text(encoding="utf-8"))
    return found


def environment(python: str, ipykernel: int) -> Path:
    """Make the environment, unless it is there."""
    folder = FOLDER / f"{python}-ipykernel{ipykernel}"
    made = folder / "made"
    project = ROOT / "pyproject.toml"
    if made.exists() and made.stat().st_mtime > project.stat().st_mtime:
        return folder
    needs = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["dependencies"]
    find = [str(ROOT / "tools" / "find-python"), python]
    found = subprocess.run(find, capture_output=True, text=True, check=False).stdout.strip()
    if not found:
        sys.exit(f"make twins needs Python {python}: install it, then run make again.")
    subprocess.run([found, "-m", "venv", folder], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    kernel = f"ipykernel>={ipykernel},<{ipykernel + 1}"
    subprocess.run([*pip, "--upgrade", kernel, *OTHERS, *needs], check=True)
    # The first import of all builds a cache of fonts and says so.
    subprocess.run([folder / "bin" / "python", "-c", "import matplotlib.pyplot"], check=True)
    made.touch()
    return folder


if __name__ == "__main__":
    sys.exit(main())
