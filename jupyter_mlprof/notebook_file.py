"""Notebook files: read them, run them, and find the profiles in their outputs."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat import NotebookNode

from jupyter_mlprof.errors import MlprofError, ProfileError
from jupyter_mlprof.model.codec import from_json
from jupyter_mlprof.model.profile import MIME_TYPE, CellProfile
from jupyter_mlprof.model.runfile import write_atomically


class NotebookError(MlprofError):
    """A notebook file cannot be read, run or written."""


def read(path: Path) -> NotebookNode:
    """Read a notebook.

    Raises:
        NotebookError: the file is missing, or is no notebook.
    """
    try:
        notebook: NotebookNode = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except OSError as error:
        raise NotebookError(f"Cannot read {path}: {error.strerror}.") from error
    except Exception as error:
        raise NotebookError(f"{path} is not a notebook: {error!s:.120}") from error
    return notebook


def write(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook atomically.

    Raises:
        NotebookError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, nbformat.writes(notebook) + "\n", private=False)
    except OSError as error:
        raise NotebookError(f"Cannot write {path}: {error.strerror}.") from error


def run(notebook: NotebookNode, folder: Path, told: Callable[[int, int], None]) -> str | None:
    """Run all cells in a fresh kernel, in place.

    `folder` is the kernel's working directory; `told` hears which cell of how many begins. Returns
    None, or a sentence that says which cell ended the run.
    """
    cells = len(notebook.cells)

    def begins(cell: NotebookNode, cell_index: int) -> None:  # noqa: ARG001 - nbclient names them
        told(cell_index, cells)

    client = NotebookClient(
        notebook,
        timeout=None,
        resources={"metadata": {"path": str(folder)}},
        on_cell_start=begins,
    )
    try:
        asyncio.run(client.async_execute())
    except CellExecutionError as error:
        return f"A cell failed with {error.ename}: {error.evalue}"
    except DeadKernelError:
        return "The kernel died: `jupyter mlprof show --last` tells in which line."
    return None


def profiles(notebook: NotebookNode) -> Iterator[CellProfile]:
    """Yield the profiles in the outputs, in the order of the cells; unreadable ones are skipped."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            value = output.get("data", {}).get(MIME_TYPE)
            if value is not None:
                try:
                    yield from_json(value)
                except ProfileError:
                    continue
