"""A notebook as one HTML file that needs no network."""

import re
from pathlib import Path

from jupyter_mlprof.model.runfile import write_atomically
from jupyter_mlprof.notebook_file import NotebookError, read

# nbconvert's page loads MathJax, require.js and Mermaid from the network: without them only
# formulas and diagrams are shown as their source.
_REMOTE_SCRIPT = re.compile(
    r"<script[^>]*\ssrc=\"(?:https?://[^\"]*)?\"[^>]*>\s*</script>|<link[^>]*\shref=\"https?://[^>]*>",
    re.IGNORECASE,
)
_MERMAID = re.compile(r"<script type=\"module\">.*?</script>", re.DOTALL)


def notebook_html(path: Path) -> str:
    """Return the executed notebook as a page of its own.

    Raises:
        NotebookError: the notebook cannot be read, or nbconvert is not installed.
    """
    try:
        from nbconvert import HTMLExporter
    except ImportError as error:
        raise NotebookError("Reports need nbconvert: pip install nbconvert") from error
    exporter = HTMLExporter(mathjax_url="", require_js_url="", mermaid_js_url="")  # type: ignore[no-untyped-call]
    body, _ = exporter.from_notebook_node(read(path))
    page: str = _REMOTE_SCRIPT.sub("", _MERMAID.sub("", body))
    return page


def write_report(path: Path, target: Path) -> None:
    """Write the notebook's report.

    Raises:
        NotebookError: as notebook_html, or the target cannot be written.
    """
    page = notebook_html(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, page, private=False)
    except OSError as error:
        raise NotebookError(f"Cannot write {target}: {error.strerror}.") from error
