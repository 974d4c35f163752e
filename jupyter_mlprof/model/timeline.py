"""What was sampled over time."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Series:
    """One quantity over time; `unit` is bytes, cores, bytes/s, count, %, W or °C."""

    name: str
    unit: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Series over common times, in seconds from the start of the cell."""

    t_s: tuple[float, ...] = ()
    series: tuple[Series, ...] = ()

    def named(self, name: str) -> Series | None:
        """Return the series of that name, if it was recorded."""
        return next((series for series in self.series if series.name == name), None)
