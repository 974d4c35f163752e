"""Numbers as people say them: three significant figures and a unit.

The front end formats alike; `tests/fixtures/numbers.json` holds the two together.
"""

import math

UNKNOWN = "unknown"


def _significant(value: float, digits: int = 3) -> str:
    """Return the value with so many significant digits, without trailing zeros."""
    if value == 0:
        return "0"
    if not math.isfinite(value):  # a product beyond what a float holds
        return f"{value:.0f}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _known(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def seconds(value: float | None) -> str:
    """12.4 s, 340 µs, 3 min 24 s."""
    if value is None or not _known(value):
        return UNKNOWN
    if value >= 7199.5:  # noqa: PLR2004 - two hours
        minutes = round(value / 60)
        return f"{minutes // 60} h {minutes % 60} min"
    if value >= 119.5:  # noqa: PLR2004 - two minutes
        whole = round(value)
        return f"{whole // 60} min {whole % 60} s"
    for factor, unit in ((1.0, "s"), (1e3, "ms")):
        if value * factor >= 0.9995 or value == 0:  # noqa: PLR2004 - rounds up to 1
            return f"{_significant(value * factor)} {unit}"
    return f"{_significant(value * 1e6)} µs"


def size(value: float | None) -> str:
    """1.23 GB; a kB is 1000 bytes."""
    return _scaled(value, ("B", "kB", "MB", "GB", "TB"))


def power(value: float | None) -> str:
    """213 W."""
    return _scaled(value, ("W", "kW", "MW"))


def energy(value: float | None) -> str:
    """1.23 kJ."""
    return _scaled(value, ("J", "kJ", "MJ", "GJ"))


def _scaled(value: float | None, units: tuple[str, ...]) -> str:
    """Return the value in the first unit in which it is below a thousand."""
    if value is None or not _known(value):
        return UNKNOWN
    *smaller, largest = units
    for unit in smaller:
        if abs(value) < 999.5:  # noqa: PLR2004 - rounds below 1000
            return f"{_significant(value)} {unit}"
        value /= 1000
    return f"{_significant(value)} {largest}"


def percent(value: float | None) -> str:
    """71 %, 3.4 %, <0.1 %."""
    if value is None or not _known(value):
        return UNKNOWN
    if value == 0 or value >= 9.95:  # noqa: PLR2004 - rounds up to 10
        return f"{value:.0f} %"
    if value < 0.1:  # noqa: PLR2004 - below what is worth a digit
        return "<0.1 %"
    return f"{value:.1f}".removesuffix(".0") + " %"


def ratio(value: float | None) -> str:
    """3.4x; two significant figures."""
    if value is None or not _known(value):
        return UNKNOWN
    return f"{_significant(value, 2) if value < 9.95 else f'{value:.0f}'}x"  # noqa: PLR2004


def cores(value: float | None) -> str:
    """1.93 cores."""
    if value is None or not _known(value):
        return UNKNOWN
    text = _significant(value)
    return f"{text} core" if text == "1" else f"{text} cores"


def count(value: float | None) -> str:
    """12,345."""
    return UNKNOWN if value is None or not _known(value) else f"{value:,.0f}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """1 worker, 2 workers."""
    return f"{count(number)} {noun if number == 1 else plural or noun + 's'}"


def evidence(value: float | None, unit: str) -> str:
    """Return a value of evidence with its unit."""
    known = {"s": seconds, "bytes": size, "%": percent, "x": ratio, "cores": cores}
    return known[unit](value) if unit in known else f"{count(value)} {unit}".strip()


def share(part: float, whole: float) -> str:
    """Return part of whole in percent."""
    return percent(100 * part / whole if whole > 0 else None)
