"""What `jupyter mlprof doctor` finds, in environments made up."""

import json
import sys

import pytest
from jupyter_client.kernelspec import KernelSpecManager

from jupyter_mlprof import __version__
from jupyter_mlprof.doctor import kernels, lab, machine, packages


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Let Jupyter's data and settings be in folders of the test."""
    monkeypatch.setattr(
        lab, "jupyter_path", lambda *parts: [str(tmp_path.joinpath("data", *parts))]
    )
    monkeypatch.setattr(
        lab, "jupyter_config_path", lambda: [str(tmp_path / "user"), str(tmp_path / "env")]
    )
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.setattr(lab, "installed", lambda _: "4.6.1")
    return tmp_path


def put(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


def states(checks):
    return {check.name: check.state for check in checks}


def extension(folder, version=__version__):
    put(folder / "data/labextensions/jupyter-mlprof/package.json", {"version": version})


def server(folder, where, *, enabled):
    listed = {"ServerApp": {"jpserver_extensions": {"jupyter_mlprof.server": enabled}}}
    put(folder / where / "jupyter_server_config.d/jupyter_mlprof.json", listed)


def test_a_whole_installation_is_fine(folders):
    extension(folders)
    server(folders, "env", enabled=True)
    assert set(states(lab.lab_checks()).values()) == {"ok"}


def test_what_is_not_there_is_missing(folders):
    found = states(lab.lab_checks())
    assert found == {"JupyterLab": "ok", "lab extension": "missing", "server extension": "missing"}


def test_the_settings_of_the_user_go_first(folders):
    extension(folders)
    server(folders, "env", enabled=True)
    server(folders, "user", enabled=False)
    disabled = {"disabledExtensions": {"jupyter-mlprof": True}}
    put(folders / "user/labconfig/page_config.json", disabled)
    found = {check.name: check for check in lab.lab_checks()}
    assert found["lab extension"].state == "missing"
    assert "disabled" in found["lab extension"].found
    assert found["lab extension"].advice == "jupyter labextension enable jupyter-mlprof"
    assert found["server extension"].state == "missing"


def test_another_version_of_the_extension_is_told(folders):
    extension(folders, "0.0.1")
    found = {check.name: check for check in lab.lab_checks()}
    assert found["lab extension"].state == "missing"
    assert "0.0.1" in found["lab extension"].found


def test_broken_settings_are_passed_over(folders):
    extension(folders)
    path = folders / "user/jupyter_server_config.d/broken.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"{\xff")
    server(folders, "env", enabled=True)
    assert states(lab.lab_checks())["server extension"] == "ok"


def test_an_old_jupyterlab_and_none_are_no_fault(folders, monkeypatch):
    monkeypatch.setattr(lab, "installed", lambda _: "4.5.9")
    assert lab.lab_checks()[0].state == "note"
    monkeypatch.setattr(lab, "installed", lambda _: None)
    assert states(lab.lab_checks()) == {"JupyterLab": "note"}


def test_each_kernel_is_asked_for_the_package(tmp_path, monkeypatch):
    def spec(python, language="python"):
        return {"spec": {"argv": [str(python)], "display_name": "K", "language": language}}

    without = tmp_path / "python-without"
    without.write_text("#!/bin/sh\nexit 1\n")
    without.chmod(0o755)
    specs = {
        "own": spec(sys.executable),
        "bare": spec("python"),
        "without": spec(without),
        "gone": spec(tmp_path / "gone"),
        "r": spec("R", "R"),
    }
    monkeypatch.setattr(KernelSpecManager, "get_all_specs", lambda _: specs)
    assert states(kernels.kernel_checks()) == {
        "kernel own": "ok",
        "kernel bare": "ok",
        "kernel without": "note",
        "kernel gone": "note",
        "kernel r": "note",
    }
    del specs["own"], specs["bare"]
    assert states(kernels.kernel_checks())["kernels"] == "missing"


def test_what_is_needed_is_told_from_what_is_not(monkeypatch):
    monkeypatch.setattr(packages, "installed", lambda _: None)
    found = states(packages.package_checks())
    assert (found["ipykernel"], found["bokeh"], found["torch"]) == ("missing", "note", "ok")


def test_little_shared_memory_is_noted(monkeypatch):
    from tests import samples

    monkeypatch.setattr(machine, "machine", lambda: samples.machine(shm_free_bytes=64_000_000))
    found = {check.name: check for check in machine.machine_checks()}
    assert found["shared memory"].state == "note"
    assert "--shm-size" in (found["shared memory"].advice or "")
    assert found["cores"].found.startswith("8 of")


def test_nothing_heavy_is_imported(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)  # importing it would fail
    assert packages.package_checks()
