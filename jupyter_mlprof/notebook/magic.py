"""The registered `%%mlprof`: called where the hook does not see the cell first.

That is when its options are wrong, and when another magic or code runs it.
"""

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class

from jupyter_mlprof.notebook.options import OptionError, parse


@magics_class
class MlprofMagics(Magics):
    """Holds `%%mlprof`."""

    @cell_magic
    def mlprof(self, line: str, cell: str) -> None:
        """Profile: `%%mlprof [-n NAME] [--calls] [--no-source] [--quiet] [-o VARIABLE]`."""
        try:
            parse(line)
        except OptionError as error:
            raise UsageError(str(error)) from error
        # Run as a cell of its own, whose head the hook then sees.
        if self.shell is not None:
            self.shell.run_cell(f"%%mlprof {line}\n{cell}").raise_error()
