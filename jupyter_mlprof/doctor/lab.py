"""JupyterLab with our extension, and Jupyter Server with ours."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jupyter_core.paths import jupyter_config_path, jupyter_path

from jupyter_mlprof import __version__
from jupyter_mlprof.doctor.check import Check, installed

EXTENSION = "jupyter-mlprof"
SERVER_MODULE = "jupyter_mlprof.server"
LEAST_LAB = (4, 6)
INSTALL = "install jupyter_mlprof anew in this environment"


def lab_checks() -> list[Check]:
    """Look at what shows the profiles."""
    lab = installed("jupyterlab")
    if lab is None:
        said = "not installed here: its side panel needs jupyter_mlprof where JupyterLab runs"
        return [Check("JupyterLab", "note", said)]
    return [_lab(lab), _extension(), _server()]


def _lab(found: str) -> Check:
    numbers = tuple(int(part) for part in found.split(".")[:2] if part.isdigit())
    if numbers >= LEAST_LAB:
        return Check("JupyterLab", "ok", found)
    least = ".".join(map(str, LEAST_LAB))
    advice = f'pip install "jupyterlab>={least}"'
    return Check("JupyterLab", "note", f"{found}: the side panel needs {least} or newer", advice)


def _extension() -> Check:
    name = "lab extension"
    found = next(_installed_extensions(), None)
    if found is None:
        return Check(name, "missing", "not found, so that there is no side panel", INSTALL)
    if _is_disabled():
        advice = f"jupyter labextension enable {EXTENSION}"
        return Check(name, "missing", f"{found}, but it is disabled", advice)
    if found != __version__:
        said = f"{found}, but the package is of version {__version__}"
        return Check(name, "missing", said, INSTALL)
    return Check(name, "ok", f"{found}, enabled")


def _installed_extensions() -> Iterator[str]:
    for folder in jupyter_path("labextensions"):
        package = _json(Path(folder) / EXTENSION / "package.json")
        if isinstance(package.get("version"), str):
            yield package["version"]


def _is_disabled() -> bool:
    """Look into the page's settings, where the first that says something about us counts."""
    places = [Path(folder) / "labconfig" for folder in jupyter_config_path()]
    places.append(Path(sys.prefix) / "share" / "jupyter" / "lab" / "settings")
    for place in places:
        listed = _json(place / "page_config.json").get("disabledExtensions")
        if isinstance(listed, list) and EXTENSION in listed:
            return True
        if isinstance(listed, dict) and EXTENSION in listed:
            return bool(listed[EXTENSION])
    return False


def _server() -> Check:
    enabled = _server_setting()
    if enabled:
        return Check("server extension", "ok", "enabled")
    said = "disabled" if enabled is False else "not enabled"
    return Check(
        "server extension",
        "missing",
        f"{said}, so that the panel shows no running cell and no earlier runs",
        f"jupyter server extension enable {SERVER_MODULE}",
    )


def _server_setting() -> bool | None:
    """Return what the configuration says; a user's goes before an environment's."""
    for folder in map(Path, jupyter_config_path()):
        parts = sorted((folder / "jupyter_server_config.d").glob("*.json"))
        for file in (folder / "jupyter_server_config.json", *reversed(parts)):
            app = _json(file).get("ServerApp")
            listed = app.get("jpserver_extensions") if isinstance(app, dict) else None
            if isinstance(listed, dict) and SERVER_MODULE in listed:
                return bool(listed[SERVER_MODULE])
    return None


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
