"""Notebook files: read them, write them, and find the profiles in their outputs.

A file may come from anywhere: what is no notebook is refused with a sentence, before anything
relies on its shape.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4.nbjson import JSONReader

from jupyter_mlprof.errors import MlprofError, ProfileError
from jupyter_mlprof.model.codec import from_json
from jupyter_mlprof.model.profile import MIME_TYPE, CellProfile
from jupyter_mlprof.model.runfile import write_atomically

NBFORMAT = 4
# Far deeper than any notebook, and far from what Python's own recursion bears.
MOST_NESTED = 100


class NotebookError(MlprofError):
    """A notebook file cannot be read, run or written."""


def read(path: Path) -> NotebookNode:
    """Read a notebook.

    Raises:
        NotebookError: the file is missing, or is no notebook.
    """
    return as_notebook(json_value(read_bytes(path), path), path)


def read_stored(path: Path) -> NotebookNode | CellProfile:
    """Read a notebook or a stand-alone profile, whichever the file holds.

    Raises:
        NotebookError: it is neither.
        ProfileError: it is a profile that this version cannot read.
    """
    value = json_value(read_bytes(path), path)
    if isinstance(value, dict) and "schema_version" in value:
        try:
            return from_json(value)
        except ProfileError as error:
            raise ProfileError(f"{path}: {error}") from error
    return as_notebook(value, path)


def read_bytes(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        NotebookError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise NotebookError(f"Cannot read {path}: {why}.") from error


def json_value(content: bytes, name: object) -> Any:
    """Return the JSON value of a file.

    Raises:
        NotebookError: it is not JSON in UTF-8.
    """
    try:
        # Python writes lone surrogates, as outputs may hold, and reads them only when told to.
        return json.loads(content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError as error:
        raise NotebookError(f"{name} is not a notebook: it is not UTF-8 text.") from error
    except RecursionError as error:
        raise NotebookError(f"{name} is not a notebook: it is nested too deeply.") from error
    except ValueError as error:
        raise NotebookError(f"{name} is not a notebook: not valid JSON ({error!s:.80}).") from error


def as_notebook(value: Any, name: object) -> NotebookNode:
    """Take a JSON value for a notebook.

    Raises:
        NotebookError: it is none, or of another format than 4.
    """
    problem = next(_problems(value), None)
    if problem is not None:
        raise NotebookError(f"{name} is not a notebook: {problem}.")
    version = value.get("nbformat")
    if version != NBFORMAT:
        raise NotebookError(
            f"{name} is of notebook format {version!r:.20}, and only format 4 can be read: open and"
            " save it in a current Jupyter, or use `jupyter nbconvert --to notebook`."
        )
    notebook: NotebookNode = JSONReader().to_notebook(value)
    return notebook


def _problems(value: Any) -> Iterator[str]:
    """Say why a value is no notebook; who reads the first may read no more.

    What may be left out of a notebook is put in.
    """
    if not isinstance(value, dict):
        yield "an object was expected"
    elif "nbformat" not in value:
        yield "it has no nbformat"
    elif value["nbformat"] == NBFORMAT:  # else it is refused for that
        yield from _notebook_problems(value)


def _notebook_problems(value: dict[str, Any]) -> Iterator[str]:
    if not isinstance(value.get("cells"), list):
        yield "it has no list of cells"
    if not isinstance(value.setdefault("metadata", {}), dict):
        yield "its metadata are no object"
    if not _is_flat(value, MOST_NESTED):
        yield "it is nested too deeply"
    for place, cell in enumerate(value["cells"], start=1):
        yield from (f"cell {place} {problem}" for problem in _cell_problems(cell))


def _cell_problems(cell: Any) -> Iterator[str]:
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        yield "is none"
    if not isinstance(cell.setdefault("metadata", {}), dict):
        yield "has metadata that are no object"
    if not _is_text(cell.setdefault("source", "")):
        yield "has a source that is no text"
    if cell["cell_type"] == "code":
        cell.setdefault("execution_count", None)
        outputs = cell.setdefault("outputs", [])
        if not isinstance(outputs, list) or not all(map(_is_output, outputs)):
            yield "has outputs that are none"


def _is_output(output: Any) -> bool:
    if not isinstance(output, dict) or not isinstance(output.get("output_type"), str):
        return False
    if output["output_type"] == "stream" and not isinstance(output.get("name"), str):
        return False
    data, text = output.get("data", {}), output.get("text", "")
    return isinstance(data, dict) and _is_text(text)


def _is_text(value: Any) -> bool:
    lines = value if isinstance(value, list) else [value]
    return all(isinstance(line, str) for line in lines)


def _is_flat(value: Any, room: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    items = value.values() if isinstance(value, dict) else value
    return room > 0 and all(_is_flat(item, room - 1) for item in items)


def write(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook atomically.

    Raises:
        NotebookError: the file cannot be written.
    """
    write_file(path, nbformat.writes(notebook) + "\n")


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file that users share: the old or the new one is there at any moment.

    Raises:
        NotebookError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A link stays one.
        write_atomically(path.resolve(), content, private=False)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise NotebookError(f"Cannot write {path}: {why}.") from error


def profiles(notebook: NotebookNode) -> Iterator[CellProfile]:
    """Yield the profiles in the outputs, in the order of the cells; unreadable ones are skipped."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            profile = profile_in(output)
            if profile is not None:
                yield profile


def profile_in(output: NotebookNode) -> CellProfile | None:
    """Return the profile that an output holds, or None where none can be read."""
    value = output.get("data", {}).get(MIME_TYPE)
    try:
        return None if value is None else from_json(value)
    except ProfileError:
        return None


def unreadable(notebook: NotebookNode) -> list[str]:
    """Return a sentence for each output of ours that cannot be read."""
    found = []
    for place, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", ()):
            try:
                if MIME_TYPE in output.get("data", {}):
                    from_json(output["data"][MIME_TYPE])
            except ProfileError as error:
                found.append(f"Cell {place} is not shown: {error}")
    return found
