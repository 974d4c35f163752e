"""The registered magics: `%%mlprof`, `%mlprof` and `%mlprof_auto`.

`%%mlprof` is called only where the hook does not see the cell first: when its options are wrong,
and when another magic or code runs it.
"""

import ast
import sys
from collections.abc import Callable
from types import CodeType, FrameType

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import (
    Magics,
    line_cell_magic,
    line_magic,
    magics_class,
    needs_local_scope,
)

from jupyter_mlprof.notebook.block import Block
from jupyter_mlprof.notebook.options import (
    Auto,
    OptionError,
    Options,
    parse,
    parse_auto,
    parse_statement,
)
from jupyter_mlprof.notebook.shell_facts import cell_files

MAGICS = (("cell", "mlprof"), ("line", "mlprof"), ("line", "mlprof_auto"))


@magics_class
class MlprofMagics(Magics):
    """Holds the magics of one shell."""

    def __init__(self, shell: InteractiveShell, set_auto: Callable[[Auto], None]) -> None:
        super().__init__(shell)
        self._set_auto = set_auto

    @needs_local_scope
    @line_cell_magic
    def mlprof(
        self, line: str, cell: str | None = None, local_ns: dict[str, object] | None = None
    ) -> object:
        """Profile a cell or a statement.

        `%%mlprof [-n NAME] [--budget PCT] [--calls] [--no-source] [--quiet] [-o VARIABLE]` above
        a cell, or `%mlprof [the same options] STATEMENT`, which returns the statement's value.
        """
        __tracebackhide__ = True
        assert self.shell is not None  # noqa: S101 - magics of a shell
        try:
            if cell is None:
                return self._run_statement(*parse_statement(line), local_ns)
            parse(line)
        except OptionError as error:
            raise UsageError(str(error)) from error
        # Run as a cell of its own, whose head the hook then sees.
        self.shell.run_cell(f"%%mlprof {line}\n{cell}").raise_error()
        return None

    def _run_statement(
        self, options: Options, statement: str, local_ns: dict[str, object] | None
    ) -> object:
        __tracebackhide__ = True
        assert self.shell is not None  # noqa: S101 - magics of a shell
        frame = _cell_frame(self.shell)
        before, last = _compiled(self.shell, statement, frame)
        with Block(options, frame):
            exec(before, self.shell.user_ns, local_ns)  # noqa: S102 - what the user asked for
            return eval(last, self.shell.user_ns, local_ns) if last is not None else None  # noqa: S307 - likewise

    @line_magic
    def mlprof_auto(self, line: str) -> None:
        """Profile every cell: `%mlprof_auto on|all|off`.

        With `on` an output is added where there is something to change, with `all` to each cell.
        """
        try:
            self._set_auto(parse_auto(line))
        except OptionError as error:
            raise UsageError(str(error)) from error


def _cell_frame(shell: InteractiveShell) -> FrameType:
    """Return the frame of the cell that runs the magic, or where there is none, the magic's."""
    cells = cell_files(shell)
    own = sys._getframe(1)  # noqa: SLF001 - no public way
    frame: FrameType | None = own
    while frame is not None:
        if frame.f_code.co_filename in cells:
            return frame
        frame = frame.f_back
    return own


def _compiled(
    shell: InteractiveShell, statement: str, frame: FrameType
) -> tuple[CodeType, CodeType | None]:
    """Compile as lines of the cell: all statements, the last one apart if it has a value."""
    file = frame.f_code.co_filename
    tree = shell.transform_ast(shell.compile.ast_parse(shell.transform_cell(statement)))
    ast.increment_lineno(tree, frame.f_lineno - 1)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    flags = shell.compile.flags
    return (
        compile(tree, file, "exec", flags),
        compile(ast.Expression(last.value), file, "eval", flags)
        if isinstance(last, ast.Expr)
        else None,
    )
