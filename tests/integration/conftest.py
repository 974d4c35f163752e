"""Kernels for the tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kernel import Kernel


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """One kernel for a module, with the extension loaded."""
    with Kernel(tmp_path_factory.mktemp("data")) as running:
        assert running.run("%load_ext jupyter_mlprof").reply["status"] == "ok"
        yield running


@pytest.fixture
def fresh_kernel(tmp_path: Path) -> Iterator[Kernel]:
    """A kernel for one test, without the extension."""
    with Kernel(tmp_path) as running:
        yield running
