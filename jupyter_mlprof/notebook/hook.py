"""Profile a cell between IPython's own events, so that it runs as any other.

Nothing here may reach the user's cell: whatever fails in us is written to stderr as one sentence.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from jupyter_mlprof.collect.capture import undisturbed
from jupyter_mlprof.collect.patch import Patches
from jupyter_mlprof.model.profile import CellError, Outcome
from jupyter_mlprof.notebook.cell_run import cell_run, filename
from jupyter_mlprof.notebook.contained import say, why
from jupyter_mlprof.notebook.magic import MAGICS, MlprofMagics
from jupyter_mlprof.notebook.magic_line import blank, cleaned, find_in_cell
from jupyter_mlprof.notebook.options import Auto, Options
from jupyter_mlprof.notebook.outcome import outcome
from jupyter_mlprof.notebook.running_cell import RunningCell, awaited, running_frame
from jupyter_mlprof.notebook.show import give
from jupyter_mlprof.session import session

INTERRUPT_AGAIN_S = 0.02
# Shorter cells, of those that did not ask for it, would only push others out of the stored runs.
AUTO_LEAST_S = 0.1
AUTO = "%mlprof_auto"


@dataclass(eq=False)
class Hook:
    """Watches one shell."""

    shell: InteractiveShell
    auto: Auto = "off"
    _cell: RunningCell | None = None
    _patches: Patches = field(default_factory=Patches)

    def install(self) -> None:
        """Begin to watch."""
        self.shell.input_transformers_cleanup.append(blank)
        self.shell.events.register("pre_run_cell", self.before)
        self.shell.events.register("post_run_cell", self.after)

    def uninstall(self) -> None:
        """Watch no longer, not even the cell that is running."""
        if blank in self.shell.input_transformers_cleanup:
            self.shell.input_transformers_cleanup.remove(blank)
        for event, callback in (("pre_run_cell", self.before), ("post_run_cell", self.after)):
            with suppress(ValueError):  # somebody took it out already
                self.shell.events.unregister(event, callback)
        with self._contained("could not stop"):
            self._forget()

    def set_auto(self, auto: Auto) -> None:
        """Choose which of the cells without `%%mlprof` are profiled."""
        self.auto = auto

    def before(self, info: Any) -> None:
        """Start profiling if the cell asks for it and none is being profiled."""
        with self._contained("could not start"):
            try:
                self._begin(info)
            except KeyboardInterrupt:
                # Raised here, IPython would show it and run the cell nevertheless.
                self._abandon()
                _interrupt_again()

    def after(self, result: Any) -> None:
        """End profiling with the cell that began it, and show the profile."""
        with self._contained("could not finish the profile"):
            if self._cell is not None and self._cell.ended_with(result):
                self._finish(self._cell, result)

    def _begin(self, info: Any) -> None:
        if self._cell is not None and not self._cell.executing:
            self._abandon()  # its last event did not reach us
        if self._cell is not None and self._cell.here:
            self._cell.code.adopt(filename(self.shell, info, running_frame()), info.raw_cell or "")
        options = _options(info.raw_cell or "") or self._auto_options(info)
        if options is None:
            return
        if self._cell is not None or session().running:
            if self._cell is not None and not self._cell.here:
                say("another cell is being profiled; this one is not.")
            return
        frame = running_frame()
        run = cell_run(self.shell, info, options, frame)
        self._cell = RunningCell(info, options, run.code, frame, awaited(frame))
        self._patches.wrap(self.shell, "showtraceback", partial(_Before, self._showing))
        session().start(run)

    def _auto_options(self, info: Any) -> Options | None:
        """Return how to profile a cell that does not ask for it, or None."""
        cell = info.raw_cell or ""
        if self.auto == "off" or not info.store_history or not cell.strip() or AUTO in cell:
            return None
        return Options(if_finding=self.auto == "on")

    def _finish(self, cell: RunningCell, result: Any) -> None:
        session().cell_ended()
        self._patches.undo()
        ended = outcome(cell, result)
        if session().running and ended is not None and not self._too_short(cell, *ended):
            give(self.shell, cell.options, session().stop(*ended))
        self._forget()

    def _too_short(self, cell: RunningCell, outcome: Outcome, _error: CellError | None) -> bool:
        """Tell whether nothing is to be said of a cell that did not ask for its profile."""
        short = session().duration_s < AUTO_LEAST_S
        return cell.options.if_finding and outcome == "ok" and short

    def _abandon(self) -> None:
        """End the profiling of this thread's cell, if it is still on, and keep nothing of it."""
        if self._cell is not None and self._cell.here:
            self._forget()

    def _forget(self) -> None:
        with undisturbed():
            self._patches.undo()
            if self._cell is not None:
                session().abandon()
            self._cell = None

    def _showing(self) -> None:
        """Stop measuring when IPython begins to show the cell's error: that takes its time too."""
        with suppress(BaseException):
            if self._cell is not None and self._cell.shows_its_error():
                self._cell.error = self._cell.error or sys.exc_info()[1]
                session().cell_ended()

    @contextmanager
    def _contained(self, what: str) -> Iterator[None]:
        """Keep our failures, and an interrupt that meets us after the cell, from the user."""
        try:
            yield
        except BaseException as error:  # noqa: BLE001 - also what an interrupt raises
            # Should a second interrupt come between: the next cell does it.
            with suppress(BaseException):
                self._abandon()
            say(f"{what} ({why(error)}).")


class _Before:
    """Acts, then is `original`: no frame of ours stands in a traceback of what fails there."""

    def __init__(self, act: Callable[[], None], original: Callable[..., None]) -> None:
        self._act = act
        self._original = original

    @property
    def __call__(self) -> Callable[..., None]:
        self._act()
        return self._original


_hooks: dict[InteractiveShell, Hook] = {}


def install(shell: InteractiveShell) -> None:
    """Add hook and magics to the shell, once; a magic of that name by others is left alone."""
    if shell in _hooks:
        return
    for kind, name in MAGICS:
        if shell.find_magic(name, kind) is not None:
            say(f"a magic named {name} exists already and is kept; jupyter_mlprof was not loaded.")
            return
    hook = Hook(shell)
    hook.install()
    shell.register_magics(MlprofMagics(shell, hook.set_auto))
    _hooks[shell] = hook


def uninstall(shell: InteractiveShell) -> None:
    """Remove hook and magics."""
    hook = _hooks.pop(shell, None)
    if hook is not None:
        hook.uninstall()
        for kind, name in MAGICS:
            shell.magics_manager.magics[kind].pop(name, None)


def _options(cell: str) -> Options | None:
    """Return what the cell asks for, or None when it is not to be profiled."""
    if "%%mlprof" not in cell:
        return None
    magic = find_in_cell(cleaned(cell.splitlines(keepends=True)))
    return magic.options if magic is not None else None


def _interrupt_again() -> None:
    """Send the interrupt once more when the cell runs."""
    main = threading.main_thread().ident
    again = threading.Timer(INTERRUPT_AGAIN_S, signal.pthread_kill, [main, signal.SIGINT])
    again.name, again.daemon = "mlprof-interrupt", True
    again.start()
