"""Original and changed cell in turn, in real copies of this process."""

import os
import random
import re
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mlprof.model.finding import Finding, Fix, Gain, TextEdit
from jupyter_mlprof.model.source import source_sha256
from jupyter_mlprof.trial import landlock
from jupyter_mlprof.trial.arm import Kernel, Stop, ran
from jupyter_mlprof.trial.copy import run
from jupyter_mlprof.trial.trial import try_fix
from tests.samples import profile

LIMIT_S = 60
STATE = {"seen": 0}


def kernel(**variables):
    """A kernel that runs a cell's source as plain Python."""

    def run_cell(source):
        try:
            exec(compile(source, "<cell>", "exec"), variables)  # noqa: S102 - as a kernel does
        except BaseException as error:  # noqa: BLE001 - what ended the cell
            return error
        return None

    return Kernel(variables, run_cell)


def tried(before, after, limit_s=6.0, duration_s=0.1, **variables):
    """Try a change of a whole cell; return the trial."""
    fix = Fix(source_sha256(before), (TextEdit(0, len(before), after),))
    gain = Gain("time", 1.0, 2.0, "made up")
    finding = Finding("a/b", "batching", "Do", None, (), gain, "low", (), fix, "")
    old = profile()
    cell = replace(old.cell, source=before)
    changed = replace(
        old, cell=cell, duration_s=duration_s, memory=None, steps=None, loader=(), outcome="ok"
    )
    return try_fix(changed, finding, kernel(**variables), limit_s).trial


def sleeping(seconds, then="x = 1.0"):
    return f"import time; time.sleep({seconds}); {then}"


def test_a_real_gain_pays_and_the_interval_holds_it():
    trial = tried(sleeping(0.15), sleeping(0.05))
    assert trial.verdict == "pays"
    assert 2.0 < trial.speedup.low < trial.speedup.high < 4.0
    assert trial.before_s == pytest.approx(0.15, rel=0.5)
    assert trial.pairs >= 3
    assert trial.text.startswith("Pays: ")
    assert "same result in 1 variable" in trial.text


def test_a_loss_does_not_pay():
    trial = tried(sleeping(0.05), sleeping(0.15))
    assert trial.verdict == "does-not-pay"
    assert "slower" in trial.text


def test_no_change_is_no_win():
    assert tried(sleeping(0.1), sleeping(0.1) + "\n").verdict != "pays"


def test_another_result_is_told():
    trial = tried(sleeping(0.1), sleeping(0.05, "x = 1.5"))
    assert trial.verdict == "pays"
    assert trial.drift.name == "x"
    assert trial.drift.relative == pytest.approx(1 / 3)
    assert trial.drift.same_code == 0
    assert "`x` differs by 33 %" in trial.text


def test_what_does_not_fit_is_not_told():
    trial = tried(sleeping(5), sleeping(1), limit_s=4.0, duration_s=5.0)
    assert trial.verdict == "cannot-tell"
    assert re.search(r"needs about [\d.]+ s\.", trial.text)
    assert trial.took_s < 4


class Counter:
    count = 0


def test_nothing_of_a_trial_is_left(tmp_path):
    values, file = [1], tmp_path / "read.txt"
    file.write_text("first\nsecond\n")
    generator = (number for number in range(5))
    state = random.getstate()
    children = threading.active_count()
    with file.open() as handle:
        handle.readline()
        cell = (
            "import random\nvalues.append(2); Counter.count += 1; STATE['seen'] += 1\n"
            "read = handle.read(); drawn = random.random(); following = next(generator)"
        )
        given = {"values": values, "Counter": Counter, "STATE": STATE, "handle": handle}
        trial = tried(cell, cell + "\n", generator=generator, **given)
        assert trial.verdict in ("does-not-pay", "cannot-tell"), trial.text
        assert handle.readline() == "second\n"
    assert (values, Counter.count, STATE["seen"]) == ([1], 0, 0)
    assert next(generator) == 0
    assert random.getstate() == state
    assert threading.active_count() == children
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("open(path, 'w')", "writes the file"),
        ("import os; os.remove(path)", "removes"),
        ("import os; os.system('true')", "starts the program"),
        ("import subprocess; subprocess.run(['true'])", "starts the program"),
        ("import socket; socket.create_connection(('127.0.0.1', 9))", "the network|connection"),
        ("import sqlite3; sqlite3.connect(path)", "opens the database"),
        ("try:\n    open(path, 'a')\nexcept:\n    pass", "writes the file"),
        ("1 / 0", "fails there with ZeroDivisionError"),
        ("import os; os._exit(1)", "ended before it could tell anything"),
    ],
)
def test_what_may_not_be_tried_is_refused_in_words(code, said, tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("kept")
    trial = tried(code, "pass", path=str(path))
    assert trial.verdict == "refused"
    assert re.search(said, trial.text), trial.text
    assert path.read_text() == "kept"


@pytest.mark.skipif(landlock.version() < 3, reason="this system has no Landlock of version 3")
def test_what_c_libraries_write_is_stopped_too(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("kept")
    # C's own open and write, of which Python hears nothing.
    code = (
        "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
        f"if c.open({str(path)!r}.encode(), 0o1001) < 0: raise OSError(ctypes.get_errno())"
    )
    assert tried(code, "pass").verdict == "refused"
    assert path.read_text() == "kept"


def test_a_temporary_file_may_be_written(tmp_path):
    cell = "import tempfile\nwith tempfile.TemporaryFile() as file: file.write(b'x')"
    assert tried(cell, cell + "\n").verdict != "refused"


@pytest.fixture
def interruptible():
    """Take interrupts as Python does in a terminal; in the background they are ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_the_copy_and_goes_on():
    started = time.monotonic()
    thread = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        tried(sleeping(20), "pass", limit_s=1_000.0, duration_s=20.0)
    assert time.monotonic() - started < 15
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_run_that_takes_too_long_is_ended():
    report = run(lambda _: time.sleep(60), 0.3)
    assert report["timeout"] is True


def test_shared_memory_is_not_changed():
    import mmap

    shared = mmap.mmap(-1, 4096)
    shared[0:4] = b"kept"

    def work(finish):
        shared[0:4] = b"lost"
        finish({"seen": shared[0:4].decode()})

    assert run(work, LIMIT_S) == {"seen": "lost"}
    assert shared[0:4] == b"kept"


@pytest.mark.torch
def test_torch_computes_in_a_copy_with_all_its_threads():
    torch = pytest.importorskip("torch")
    weight = torch.randn(300, 300, requires_grad=True)
    (weight @ weight).sum().backward()  # its threads are there before the fork
    cell = "for _ in range(3): (weight @ weight).tanh().sum().backward()\ntotal = weight.grad.sum()"
    one = ran(kernel(weight=weight, torch=torch), cell, Stop(), LIMIT_S)
    assert one.failed is None
    assert one.values is not None
    assert one.values["total"][0] > 0


@pytest.mark.torch
def test_a_run_stops_at_a_step():
    torch = pytest.importorskip("torch")
    weight = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    cell = "for _ in range(100):\n    weight.sum().backward(); optimizer.step()"
    one = ran(kernel(weight=weight, optimizer=optimizer), cell, Stop("steps", 7), LIMIT_S)
    assert one.failed is None
    assert len(one.marks) == 7
    assert weight.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.torch
@pytest.mark.parametrize("workers", [0, 2])
def test_loaders_run_in_a_copy(workers, tmp_path: Path):
    data = pytest.importorskip("torch.utils.data")
    cell = f"got = [len(one) for one in DataLoader(list(range(12)), 4, num_workers={workers})]"
    one = ran(kernel(DataLoader=data.DataLoader), cell, Stop("batches", None), LIMIT_S)
    assert one.failed is None
    assert len(one.marks) == 3
