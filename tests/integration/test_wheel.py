"""The wheel as a user gets it: from the source distribution, in a new environment, without Node.

The front end's bundle is the one in the checkout. While building, npm is one that fails, so that a
bundle older than its sources is noticed here instead of being shipped.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "jupyter_mlprof" / "labextension"
EXTENSION = "share/jupyter/labextensions/jupyter-mlprof/"
COLOUR = re.compile(r"\x1b\[\d*m")
VERSION = json.loads((ROOT / "package.json").read_text())["version"]
BUILD = "the bundle is missing or older than its sources: run make bundle"


def without_node(folder, **extra):
    """Return an environment with one folder on its PATH and none of our settings."""
    assert shutil.which("node", path=str(folder)) is None
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUPYTER", "PYTHON", "SKIP_", "VIRTUAL_ENV", "COV"))
    }
    return {**kept, "PATH": str(folder), **extra}


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return COLOUR.sub("", done.stdout + done.stderr)


@pytest.fixture(scope="session")
def dist(tmp_path_factory):
    """Build the source distribution, and the wheel from that."""
    folder = tmp_path_factory.mktemp("dist")
    npm = tmp_path_factory.mktemp("bin") / "npm"
    npm.write_text(f"#!/bin/sh\necho '{BUILD}' >&2; exit 1\n")
    npm.chmod(0o755)
    environment = without_node(npm.parent)
    run(sys.executable, "-m", "build", "--outdir", str(folder), cwd=ROOT, env=environment)
    return folder


@pytest.fixture(scope="session")
def wheel(dist):
    (path,) = dist.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory):
    """Install the wheel beside JupyterLab in a new environment; return what runs commands there."""
    folder = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", str(folder))
    scripts = folder / "bin"
    environment = without_node(
        scripts,
        JUPYTER_CONFIG_DIR=str(folder / "config"),
        JUPYTER_DATA_DIR=str(folder / "data"),
        IPYTHONDIR=str(folder / "ipython"),
    )

    def run_there(command, *arguments):
        return run(str(scripts / command), *arguments, cwd=folder, env=environment)

    run_there("python", "-m", "pip", "install", "--quiet", f"{wheel}[lab]")
    return run_there


def test_the_version_is_that_of_the_front_end(wheel):
    assert wheel.name == f"jupyter_mlprof-{VERSION}-py3-none-any.whl"
    assert json.loads((BUNDLE / "package.json").read_text())["version"] == VERSION, BUILD


def test_every_file_of_the_bundle_is_there_once_and_as_shared_data(names):
    bundle = [path.relative_to(BUNDLE).as_posix() for path in BUNDLE.rglob("*") if path.is_file()]
    for file in [*bundle, "install.json"]:
        found = [name for name in names if name.endswith(f"/{file}")]
        assert found == [f"jupyter_mlprof-{VERSION}.data/data/{EXTENSION}{file}"]


def test_the_package_comes_with_its_schema_and_server_setting(names):
    data = f"jupyter_mlprof-{VERSION}.data/data"
    assert "jupyter_mlprof/model/profile.schema.json" in names
    assert f"{data}/etc/jupyter/jupyter_server_config.d/jupyter_mlprof.json" in names
    assert f"jupyter_mlprof-{VERSION}.dist-info/licenses/LICENSE" in names


def test_nothing_else_is_shipped(names):
    tops = {name.split("/")[0] for name in names}
    assert tops == {
        "jupyter_mlprof",
        f"jupyter_mlprof-{VERSION}.data",
        f"jupyter_mlprof-{VERSION}.dist-info",
    }
    assert not [name for name in names if "node_modules" in name or "/test" in name]


def test_the_source_distribution_holds_sources_and_bundle(dist):
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {"package-lock.json", "labextension/src/index.ts", "tests/unit/test_layers.py"} <= names
    assert "jupyter_mlprof/labextension/package.json" in names
    assert not [name for name in names if name.startswith((".venv", "node_modules", "build"))]


def test_jupyterlab_lists_the_extension(installed):
    assert f"jupyter-mlprof v{VERSION} enabled OK" in installed("jupyter", "labextension", "list")


def test_the_server_lists_the_extension(installed):
    listed = installed("jupyter", "server", "extension", "list")
    assert "jupyter_mlprof.server enabled" in listed
    assert f"jupyter_mlprof.server {VERSION} OK" in listed


def test_the_command_is_a_subcommand_of_jupyter(installed):
    assert VERSION in installed("jupyter", "mlprof", "--version")


def test_ipython_loads_the_magic(installed):
    shell = "from IPython.core.interactiveshell import InteractiveShell as Shell; s = Shell(); "
    magic = "s.run_line_magic('load_ext', 'jupyter_mlprof'); print(s.find_cell_magic('mlprof'))"
    assert "None" not in installed("python", "-W", "error", "-c", shell + magic)
