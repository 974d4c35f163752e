"""What every test relies on: the user's Jupyter folders stay untouched, and no profiler is left."""

import os
import sys

import pytest


@pytest.fixture(scope="session", autouse=True)
def _own_jupyter_folders(tmp_path_factory):
    """Keep runs, settings and history of the tests and of their kernels out of the home folder."""
    folder = tmp_path_factory.mktemp("jupyter")
    names = ["JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"]
    settings = folder / "ipythondir" / "profile_default" / "ipython_config.py"
    settings.parent.mkdir(parents=True)
    # The history is written by a thread, now and then: its files would come and go in the tests.
    settings.write_text("c.HistoryManager.enabled = False\n")
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.setenv(name, os.fspath(folder / name.lower()))
        yield


@pytest.fixture(autouse=True)
def _no_profiler_is_left():
    assert sys.getprofile() is None
    yield
    assert sys.getprofile() is None
