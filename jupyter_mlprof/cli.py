"""`jupyter mlprof`: run, show and report notebooks."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jupyter_mlprof import __version__
from jupyter_mlprof.errors import MlprofError

MISUSE = 2
CELL_FAILED = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code: 2 for errors of use, 1 when a cell failed."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.act(options)
    except MlprofError as error:
        sys.stderr.write(f"{error}\n")
        return MISUSE
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jupyter mlprof", description="Profile notebook cells and read their profiles."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run a notebook and show the profiles of its cells")
    run.add_argument("notebook", type=Path)
    run.add_argument("-o", "--output", type=Path, help="where to write it; in place if left out")
    run.set_defaults(act=_run)
    show = commands.add_parser(
        "show", help="show the profiles that a notebook or file holds, or the newest of this user"
    )
    which = show.add_mutually_exclusive_group(required=True)
    which.add_argument("path", type=Path, nargs="?", metavar="NOTEBOOK|FILE")
    which.add_argument(
        "--last", action="store_true", help="the newest run, also one whose kernel was killed"
    )
    show.set_defaults(act=_show)
    report = commands.add_parser("report", help="write a notebook as one HTML file")
    report.add_argument("notebook", type=Path)
    report.add_argument("-o", "--output", type=Path, required=True)
    report.set_defaults(act=_report)
    return parser


def _run(options: argparse.Namespace) -> int:
    from jupyter_mlprof.notebook_file import read, run, write

    notebook = read(options.notebook)
    problem = run(notebook, options.notebook.resolve().parent, _progress)
    target = options.output or options.notebook
    write(notebook, target)
    found = _print_profiles(target)
    if problem:
        sys.stderr.write(f"{problem}\n")
        return CELL_FAILED
    return 0 if found else _none_found()


def _progress(cell: int, cells: int) -> None:
    sys.stderr.write(f"cell {cell + 1} of {cells}\n")


def _show(options: argparse.Namespace) -> int:
    if options.last:
        return _show_last()
    if options.path.suffix == ".ipynb":
        return 0 if _print_profiles(options.path) else _none_found()
    from jupyter_mlprof.model.codec import load
    from jupyter_mlprof.view.text import text

    print(text(load(options.path)))
    return 0


def _show_last() -> int:
    from jupyter_core.paths import jupyter_data_dir

    from jupyter_mlprof.model.runfile import runs_folder
    from jupyter_mlprof.postmortem import newest
    from jupyter_mlprof.view.text import text

    profile = newest(runs_folder(Path(jupyter_data_dir())))
    if profile is None:
        raise MlprofError("No run is stored: put %%mlprof on the first line of a cell and run it.")
    print(text(profile))
    return 0


def _none_found() -> int:
    print("No profile in this notebook: put %%mlprof on the first line of a cell and run it.")
    return 0


def _print_profiles(path: Path) -> int:
    """Print the profiles of a notebook; return how many there are."""
    from jupyter_mlprof.notebook_file import profiles, read
    from jupyter_mlprof.view.text import text

    found = list(profiles(read(path)))
    for profile in found:
        print(f"\n{text(profile)}")
    return len(found)


def _report(options: argparse.Namespace) -> int:
    from jupyter_mlprof.report import write_report

    write_report(options.notebook, options.output)
    print(f"Wrote {options.output}")
    return 0
