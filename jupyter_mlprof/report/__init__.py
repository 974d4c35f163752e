"""A notebook or a profile as one interactive HTML file that needs no network.

What a notebook holds is shown and never run: HTML outputs are cleaned (see `clean`), everything
else is escaped, and the page's policy allows no script but ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode

from jupyter_mlprof.model.profile import MIME_TYPE
from jupyter_mlprof.model.title import title as title_of
from jupyter_mlprof.notebook_file import NotebookError, profile_in, read_stored, write_file
from jupyter_mlprof.report.drawings import require_bokeh
from jupyter_mlprof.report.outputs import code_cell, merged, output_block, text_cell
from jupyter_mlprof.report.page import Entry, cell, whole_page
from jupyter_mlprof.report.section import profile_section

if TYPE_CHECKING:
    from pathlib import Path

    from jupyter_mlprof.model.profile import CellProfile
    from jupyter_mlprof.report.markup import Html

PYTHON = "ipython3"


def write_report(path: Path, target: Path) -> None:
    """Write the report of a notebook or of a stand-alone profile.

    Raises:
        MlprofError: the file cannot be read, the target cannot be written, or what draws the
            report is not installed.
    """
    if target.is_dir():
        raise NotebookError(f"Cannot write {target}: it is a folder; name a file in it.")
    text = report_html(path)
    # What is no character, as a lone surrogate, would not be UTF-8.
    write_file(target, text.encode("utf-8", "replace"))


def report_html(path: Path) -> str:
    """Return the report as a page.

    Raises:
        MlprofError: as write_report.
    """
    require_bokeh()
    stored = read_stored(path)
    name = path.name.removesuffix(".json").removesuffix(".mlprof").removesuffix(".ipynb")
    if not isinstance(stored, NotebookNode):
        entry = Entry("profile-1", _heading(stored), stored)
        return whole_page(
            name, [entry], [profile_section(stored, entry.anchor, entry.heading, PYTHON)]
        )
    _require_nbconvert()
    return _Notebook(stored).page(name)


def _require_nbconvert() -> None:
    try:
        import bleach.css_sanitizer  # noqa: F401 - only whether they are here
        import nbconvert.filters.markdown_mistune  # noqa: F401
    except ImportError as error:
        raise NotebookError("Reports of notebooks need nbconvert: pip install nbconvert") from error


def _heading(profile: CellProfile) -> str:
    """Return what a profiled cell is called: In [5], and its name or its first line of code."""
    count = profile.cell.execution_count
    prompt = "Cell" if count is None else f"In [{count}]"
    return f"{prompt}  {profile.name or title_of(profile.cell.source)}".strip()


class _Notebook:
    """Tells the cells of a notebook in order."""

    def __init__(self, notebook: NotebookNode) -> None:
        self.cells = notebook.cells
        self.language = _language(notebook.metadata)
        self.entries: list[Entry] = []

    def page(self, name: str) -> str:
        body = [self._cell(one) for one in self.cells]
        return whole_page(name, self.entries, body)

    def _cell(self, one: NotebookNode) -> Html:
        if one.cell_type != "code":
            return cell("", text_cell(one))
        outputs = merged(one.outputs)
        found = [profile_in(output) for output in outputs]
        known = [profile for profile in found if profile is not None]
        # The profile shows the source with the time of each line.
        shown = any(profile.cell.source for profile in known)
        count = one.get("execution_count")
        return cell(
            f"[{count}]" if isinstance(count, int) else "[ ]",
            *([] if shown else [code_cell(one, self.language)]),
            [self._output(*pair) for pair in zip(outputs, found, strict=True)],
        )

    def _output(self, output: NotebookNode, profile: CellProfile | None) -> Html:
        if profile is None:
            return output_block(_without_ours(output))
        entry = Entry(f"profile-{len(self.entries) + 1}", _heading(profile), profile)
        self.entries.append(entry)
        return profile_section(profile, entry.anchor, entry.heading, self.language)


def _without_ours(output: NotebookNode) -> NotebookNode:
    """Leave out what is under our type and no profile: the card beside it says what it can."""
    if MIME_TYPE in output.get("data", {}):
        data = {kind: value for kind, value in output.data.items() if kind != MIME_TYPE}
        return NotebookNode({**output, "data": data})
    return output


def _language(metadata: dict[str, Any]) -> str:
    info = metadata.get("language_info")
    lexer = info.get("pygments_lexer") or info.get("name") if isinstance(info, dict) else None
    return lexer if isinstance(lexer, str) else PYTHON
