"""The output bundle of a profiled cell: data, a static card, plain text."""

from typing import Any

from jupyter_mlprof.model.codec import to_json
from jupyter_mlprof.model.profile import MIME_TYPE, CellProfile
from jupyter_mlprof.view.html import html
from jupyter_mlprof.view.text import text


def bundle(profile: CellProfile) -> dict[str, Any]:
    """Return the MIME bundle; the profile is expected to fit its limit already."""
    return {MIME_TYPE: to_json(profile), "text/html": html(profile), "text/plain": text(profile)}
