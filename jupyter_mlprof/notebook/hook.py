"""Profile a cell between IPython's own events, so that it runs as any other.

Nothing here may reach the user's cell: whatever fails in us is written to stderr as one sentence.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from jupyter_mlprof.collect.cell_code import CellCode
from jupyter_mlprof.composition import CellRun
from jupyter_mlprof.model.profile import CellError, CellProfile, Outcome
from jupyter_mlprof.model.source import normalized
from jupyter_mlprof.notebook.magic import MlprofMagics
from jupyter_mlprof.notebook.magic_line import blank, find
from jupyter_mlprof.notebook.options import Options
from jupyter_mlprof.session import session
from jupyter_mlprof.view.bundle import bundle

EARLIER_CELLS = 200


@dataclass
class Hook:
    """Watches one shell."""

    shell: InteractiveShell
    _info: Any = None
    _options: Options = field(default_factory=Options)
    _code: CellCode | None = None
    _thread: int | None = None

    def install(self) -> None:
        """Begin to watch."""
        self.shell.input_transformers_cleanup.append(blank)
        self.shell.events.register("pre_run_cell", self.before)
        self.shell.events.register("post_run_cell", self.after)

    def uninstall(self) -> None:
        """Watch no longer."""
        if blank in self.shell.input_transformers_cleanup:
            self.shell.input_transformers_cleanup.remove(blank)
        self.shell.events.unregister("pre_run_cell", self.before)
        self.shell.events.unregister("post_run_cell", self.after)

    def before(self, info: Any) -> None:
        """Start profiling if the cell asks for it and none is being profiled."""
        with _contained("could not start"):
            lines = normalized(info.raw_cell or "").split("\n")
            magic = find(lines)
            if magic is None:
                return
            if session().running:
                if threading.get_ident() != self._thread:
                    _say("another cell is being profiled; this one is not.")
                return
            self._thread = threading.get_ident()
            self._info, self._options = info, magic.options
            run = self._cell_run(info, magic.options)
            self._code = run.code
            session().start(run)

    def after(self, result: Any) -> None:
        """End profiling with the cell that began it, and show the profile."""
        if self._info is None or getattr(result, "info", None) is not self._info:
            return
        self._info = None
        with _contained("could not finish the profile"):
            if not session().running:
                return
            if result.error_before_exec is not None:
                session().abandon()
                return
            outcome, error = self._outcome(result.error_in_exec)
            self._give(session().stop(outcome, error))

    def _give(self, profile: CellProfile) -> None:
        if self._options.output is not None:
            self.shell.user_ns[self._options.output] = profile
        if not self._options.quiet:
            self.shell.display_pub.publish(data=bundle(profile), metadata={})

    def _cell_run(self, info: Any, options: Options) -> CellRun:
        source = normalized(info.raw_cell)
        shell = self.shell
        return CellRun(
            code=CellCode(
                source=source,
                filename=self._filename(info.raw_cell),
                thread_id=threading.get_ident(),
                line_offset=_leading_blank_lines(source),
                other_cells=dict(getattr(shell.compile, "_filename_map", {})),
                namespace=shell.user_ns,
            ),
            cell_id=getattr(info, "cell_id", None),
            execution_count=shell.execution_count,
            notebook=_notebook_path(shell),
            kernel_id=_kernel_id(),
            name=options.name,
            keep_source=not options.no_source,
            earlier=self._earlier(),
        )

    def _filename(self, raw_cell: str) -> str:
        """Return the name under which the shell is about to compile the cell."""
        code = self.shell.transform_cell(raw_cell)
        name: str = self.shell.compile.get_code_name(raw_cell, code, self.shell.execution_count)
        return name

    def _earlier(self) -> list[tuple[int, str]]:
        """Return the cells that ran before, newest first."""
        cells = list(enumerate(self.shell.user_ns.get("In", [])))[-EARLIER_CELLS:]
        return [(number, text) for number, text in reversed(cells) if isinstance(text, str)]

    def _outcome(self, error: BaseException | None) -> tuple[Outcome, CellError | None]:
        if error is None:
            return "ok", None
        outcome: Outcome = "interrupted" if isinstance(error, KeyboardInterrupt) else "error"
        return outcome, CellError(type(error).__name__, _message(error), self._error_line(error))

    def _error_line(self, error: BaseException) -> int | None:
        """Return the innermost line of the cell that the error passed."""
        line, trace = None, error.__traceback__
        while trace is not None and self._code is not None:
            line = self._code.line(trace.tb_frame.f_code, trace.tb_lineno) or line
            trace = trace.tb_next
        return line


_hooks: dict[InteractiveShell, Hook] = {}


def install(shell: InteractiveShell) -> None:
    """Add hook and magic to the shell, once; a magic of that name by others is left alone."""
    if shell in _hooks:
        return
    taken = shell.find_cell_magic("mlprof")
    if taken is not None:
        _say("a magic named mlprof exists already and is kept; jupyter_mlprof was not loaded.")
        return
    hook = Hook(shell)
    hook.install()
    shell.register_magics(MlprofMagics(shell))
    _hooks[shell] = hook


def uninstall(shell: InteractiveShell) -> None:
    """Remove hook and magic."""
    hook = _hooks.pop(shell, None)
    if hook is not None:
        hook.uninstall()
        shell.magics_manager.magics["cell"].pop("mlprof", None)


@contextmanager
def _contained(what: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001 - our failure must not become the user's
        _say(f"{what} ({type(error).__name__}: {error}).")


def _say(sentence: str) -> None:
    sys.stderr.write(f"mlprof: {sentence}\n")


def _message(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except Exception:  # noqa: BLE001 - the user's own __str__ may raise
        return ""


def _leading_blank_lines(source: str) -> int:
    """Count the blank lines that IPython takes off a cell's head before it numbers the rest."""
    lines = source.split("\n")
    return next((number for number, line in enumerate(lines) if line.strip()), 0)


def _notebook_path(shell: InteractiveShell) -> str | None:
    """Return the notebook's path as Jupyter Server or VS Code tells it."""
    path = os.environ.get("JPY_SESSION_NAME") or shell.user_ns.get("__vsc_ipynb_file__")
    return path if isinstance(path, str) else None


def _kernel_id() -> str | None:
    """Return the id in the name of the kernel's connection file."""
    connect = sys.modules.get("ipykernel.connect")
    if connect is None:
        return None
    try:
        stem = Path(connect.get_connection_file()).name
    except RuntimeError:  # IPython in a terminal, with ipykernel imported
        return None
    return stem.removeprefix("kernel-").removesuffix(".json")
