"""The cell magics above a cell's code, and under which names IPython compiles what is below."""

from dataclasses import dataclass
from functools import cached_property

OURS = "mlprof"
# These run their body as Python, in files of these names; `%%capture` runs it as a cell instead.
COMPILED_AS = {
    "time": ("<timed exec>", "<timed eval>"),
    "timeit": ("<magic-timeit>",),
    "capture": (),
    "prun": (),
}


@dataclass(frozen=True)
class CellMagics:
    """The head of a cell's source: its cell magics, with comments and blank lines between."""

    source: str

    @cached_property
    def _head(self) -> tuple[list[str], int]:
        names: list[str] = []
        lines, below = self.source.split("\n"), 0
        for number, line in enumerate(lines):
            if line.startswith("%%"):
                name = line[2:].partition(" ")[0].strip()
                if name != OURS:
                    names.append(name)
                    below = number + 1
            elif line.strip() and not line.lstrip().startswith("#"):
                break
        while below < len(lines) and not lines[below].strip():
            below += 1  # IPython takes them off before it numbers the lines
        return names, below

    @property
    def others(self) -> list[str]:
        """Names of the cell magics but ours, the outermost first."""
        return self._head[0]

    @property
    def lines_above(self) -> int:
        """Return how many lines stand above what the innermost of the others runs."""
        return self._head[1]
