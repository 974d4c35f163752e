"""The table of rows by environment, as Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

INTRODUCTION = """# Every cell behaves as without us

`make twins` runs each row in two fresh kernels of the same environment: one that has never loaded
jupyter_mlprof, and one where the cells carry `%%mlprof`. It compares all messages but our own
(outputs, errors with their tracebacks and line numbers, questions, payloads, replies), whether the
next cell in the queue runs, and what is left behind: names and values, `In` and `Out`, files,
working directory, environment variables, signal handlers, timers, trace and profile hooks,
threads, child processes, streams, warnings, import hooks, the collector's and other settings.
Only what differs between any two runs is made equal first: ids, addresses, times, how a stream is
cut into messages. One difference is known and let pass: while calls are counted, which is in the
first moments of a cell, Python 3.11 allows a recursion one frame less.

*same*: nothing differs, and a profile came that says what the row wants of it.
*same, not profiled*: nothing differs, and why there may be no profile.
A dash: the row does not apply there.
"""


@dataclass(frozen=True)
class Column:
    """What one environment gave."""

    name: str
    versions: dict[str, str]
    rows: dict[str, str]

    @property
    def different(self) -> int:
        return sum(outcome.startswith("DIFFERENT") for outcome in self.rows.values())


def table(columns: Sequence[Column]) -> str:
    """Return the document."""
    return "\n".join([INTRODUCTION, *_environments(columns), "", *_rows(columns), ""])


def _environments(columns: Sequence[Column]) -> Iterator[str]:
    names = list(columns[0].versions)
    yield _line(["environment", *names, "rows", "differences"])
    yield _line(["---"] * (len(names) + 3))
    for column in columns:
        ran = sum(not outcome.startswith("not run") for outcome in column.rows.values())
        versions = [column.versions.get(name, "none") for name in names]
        yield _line([column.name, *versions, str(ran), str(column.different)])


def _rows(columns: Sequence[Column]) -> Iterator[str]:
    yield _line(["row", *(column.name for column in columns)])
    yield _line(["---"] * (len(columns) + 1))
    for name in columns[0].rows:
        yield _line([_escaped(name), *(_shown(column.rows[name]) for column in columns)])


def _shown(outcome: str) -> str:
    if outcome.startswith("not run"):
        return "-"
    return _escaped("DIFFERENT" if outcome.startswith("DIFFERENT") else outcome)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("_", "\\_").replace("*", "\\*")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
