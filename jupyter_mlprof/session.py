"""Capture, advice and view put together for one cell.

A session lives as long as the kernel: it knows the profiles made so far, and which cell ran before.
"""

import contextlib
import os
import shutil
import threading
import time
import uuid
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir

from jupyter_mlprof.collect.calls import Calls
from jupyter_mlprof.collect.capture import Capture
from jupyter_mlprof.collect.collector import Collector
from jupyter_mlprof.collect.journal import Journal
from jupyter_mlprof.collect.ledger import Ledger
from jupyter_mlprof.collect.loader import Loader
from jupyter_mlprof.collect.namespace import Namespace
from jupyter_mlprof.collect.nvml import Nvml
from jupyter_mlprof.collect.sidecar import Sidecar
from jupyter_mlprof.collect.stacks import Stacks
from jupyter_mlprof.collect.steps import Steps
from jupyter_mlprof.collect.ticker import Ticker
from jupyter_mlprof.collect.torch_ops import TorchOps
from jupyter_mlprof.composition import CellRun, advised, compose, so_far, without_source
from jupyter_mlprof.model import runfile
from jupyter_mlprof.model.codec import dumps
from jupyter_mlprof.model.profile import (
    CellError,
    CellProfile,
    Outcome,
    Previous,
)
from jupyter_mlprof.model.runs import prune
from jupyter_mlprof.model.size import fit
from jupyter_mlprof.model.source import source_sha256

PROFILES_KEPT = 20
PRUNE_EVERY = 50


@dataclass
class Session:
    """Profiles cells one after the other."""

    profiles: list[CellProfile] = field(default_factory=list)
    _run: CellRun | None = None
    _capture: Capture | None = None
    _folder: Path | None = None
    _header: runfile.RunHeader | None = None
    _runs: int = 0

    @property
    def running(self) -> bool:
        """Whether a cell is being profiled."""
        return self._capture is not None

    @property
    def runs_here(self) -> bool:
        """Whether it is this thread's cell that is being profiled."""
        return self._run is not None and self._run.code.thread_id == threading.get_ident()

    @property
    def duration_s(self) -> float:
        """Wall seconds of the cell that is being profiled, to its end or so far."""
        return self._capture.duration_s if self._capture is not None else 0.0

    def start(self, run: CellRun) -> None:
        """Begin to profile a cell."""
        self._run = run
        self._header = _header(run)
        self._folder = self._create_folder(self._header)
        self._capture = Capture(self._collectors(run))
        self._capture.start(run.code)

    def cell_ended(self) -> None:
        """Measure no longer; `stop` may come later, as after the display of a traceback."""
        if self._capture is not None:
            self._capture.end()

    def stop(self, outcome: Outcome, error: CellError | None) -> CellProfile:
        """End profiling; return the profile with findings and verdict."""
        assert self._run and self._capture and self._header  # noqa: S101, PT018 - after start
        measured = self._capture.stop()
        # From here on another thread may start to profile a cell of its own.
        run, header, folder = self._run, self._header, self._folder
        self._capture = self._folder = None
        try:
            ended = time.monotonic()
            profile = compose(run, header, measured, outcome, error)
            profile = replace(profile, previous=self._previous(profile))
            profile = advised(profile, run)
            profile = fit(profile if run.keep_source else without_source(profile))
            after = time.monotonic() - ended
            profile = replace(profile, overhead=replace(profile.overhead, after_cell_s=after))
            _keep(folder, profile)
        except BaseException:  # an interrupt too: the run then has no profile
            _remove(folder)
            raise
        self.profiles = [*self.profiles, profile][-PROFILES_KEPT:]
        return profile

    def abandon(self) -> None:
        """End profiling of a cell that did not run, and keep nothing of it."""
        try:
            self.cell_ended()
        finally:
            folder, self._folder = self._folder, None
            self._capture = None
            _remove(folder)

    def find(self, profile_id: str) -> CellProfile | None:
        """Return a profile that was made in this kernel, if it is still known."""
        return next((one for one in self.profiles if one.id == profile_id), None)

    def change(self, profile: CellProfile) -> None:
        """Put a profile that has changed in the place of what it was."""
        self.profiles = [profile if one.id == profile.id else one for one in self.profiles]
        folder = runfile.runs_folder(Path(jupyter_data_dir())) / profile.id
        if folder.is_dir():
            with contextlib.suppress(OSError):
                runfile.write_profile(folder, dumps(profile))

    def _collectors(self, run: CellRun) -> list[Collector]:
        ledger = Ledger(run.budget_pct)
        ticker = Ticker(ledger.target_share)
        stacks = Stacks(ticker)
        # Of the ticker's jobs the stacks are sampled first: see there.
        calls = Calls(ticker, ledger, at_any_cost=run.count_calls)
        loader, steps, operators = Loader(), Steps(), TorchOps(ticker, ledger)
        ledger.costs = [partial(_cost, one) for one in (calls, loader, steps, operators)]
        ledger.costs.append(lambda: ticker.cpu_s)
        measured: list[Collector] = [Namespace(), loader, steps, stacks, operators, calls]
        if self._folder is None or self._header is None:
            return measured
        file = self._folder / runfile.KERNEL_FILE
        journal = Journal(file, ticker, lambda: stacks.line, self._so_far)
        sidecar = Sidecar(self._folder, self._header)
        # What is started first is stopped last: the GPUs are told of when the sidecar has stopped.
        return [Nvml(sidecar), sidecar, *measured, journal]

    def _so_far(self, elapsed_s: float) -> dict[str, object]:
        """Return what is known of the cell that runs."""
        if self._capture is None or self._run is None:
            return {}
        return so_far(self._run, self._capture.peek(), elapsed_s)

    def _create_folder(self, header: runfile.RunHeader) -> Path | None:
        """Make the run's folder; without one there is no timeline, and all else goes on."""
        runs = runfile.runs_folder(Path(jupyter_data_dir()))
        try:
            folder = runfile.create(runs, header)
        except OSError:
            return None
        if self._runs % PRUNE_EVERY == 0:
            prune(runs)
        self._runs += 1
        return folder

    def _previous(self, profile: CellProfile) -> Previous | None:
        """Find the newest profile of the same cell: by id, or by its text where it has none."""
        cell = profile.cell
        for old in reversed(self.profiles):
            same = old.cell.id == cell.id if cell.id else False
            if same or (not cell.id and old.cell.source_sha256 == cell.source_sha256):
                peak = old.memory.peak_bytes if old.memory else None
                return Previous(old.id, old.duration_s, peak, old.verdict.text)
        return None


_session = Session()


def session() -> Session:
    """Return the session of this kernel."""
    return _session


def newest() -> CellProfile | None:
    """Return the newest profile, or None."""
    return _session.profiles[-1] if _session.profiles else None


def _cost(collector: Collector) -> float:
    return collector.report().cost_cpu_s


def _keep(folder: Path | None, profile: CellProfile) -> None:
    """Write the profile beside the samples; it is shown all the same when the disk is full."""
    if folder is not None:
        with contextlib.suppress(OSError):
            runfile.write_profile(folder, dumps(profile))
            ended = {
                "outcome": profile.outcome,
                "duration_s": profile.duration_s,
                "verdict": profile.verdict.text,
            }
            runfile.append(folder, {"t": time.monotonic(), "ended": ended})


def _remove(folder: Path | None) -> None:
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _header(run: CellRun) -> runfile.RunHeader:
    return runfile.RunHeader(
        run_id=uuid.uuid4().hex,
        pid=os.getpid(),
        pid_start=_pid_start(),
        kernel_id=run.kernel_id,
        cell_id=run.cell_id,
        notebook=run.notebook,
        source_sha256=source_sha256(run.code.source),
        wall_clock=time.time(),
        monotonic=time.monotonic(),
        execution_count=run.execution_count,
        name=run.name,
        source=run.code.source if run.keep_source else None,
    )


def _pid_start() -> int | None:
    """Return the start time of this process in clock ticks, which tells it from a later one."""
    try:
        stat = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace")
        return int(stat.rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return None
