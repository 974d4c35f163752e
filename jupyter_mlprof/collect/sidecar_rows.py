"""The sidecar's file of one run."""

import json

RSS = 1
RISE = 1.05  # memory so much above all before is written at once

Row = list[float | int | None]


class Rows:
    """Writes rows. A long run keeps fewer: those of the highest memory, and the last.

    What is not kept yet is written when the file ends, so that a dead kernel's last row is there.
    """

    def __init__(self, path: str, header: dict[str, object]) -> None:
        self.file = open(path, "w", encoding="ascii", buffering=1)  # noqa: PTH123, SIM115
        self.write(header)
        self.kept_at = 0.0
        self.kept_most = 0.0
        self.highest: Row | None = None
        self.last: Row | None = None

    def write(self, value: object) -> None:
        """Append a line; unbuffered, so that it survives a kill."""
        self.file.write(json.dumps(value, separators=(",", ":")) + "\n")

    def add(self, row: Row, apart: float) -> None:
        """Take a row, and keep it if the one before is so far away or if memory rises."""
        self.last = row
        if self.highest is None or (row[RSS] or 0) >= (self.highest[RSS] or 0):
            self.highest = row
        if (row[0] or 0) - self.kept_at >= apart or (row[RSS] or 0) > RISE * self.kept_most:
            self.keep()

    def keep(self) -> None:
        """Write what was taken since the last time."""
        if self.last is None or self.highest is None:
            return
        if self.highest is not self.last:
            self.write(self.highest)
        self.write(self.last)
        self.kept_at = self.last[0] or 0
        self.kept_most = max(self.kept_most, self.highest[RSS] or 0)
        self.highest = self.last = None

    def close(self) -> None:
        """End the file."""
        self.keep()
        self.file.close()
