"""Ticks of an axis from zero up: few, round, and labelled with the unit people say."""

import math
from collections.abc import Callable
from dataclasses import dataclass

# Room above the highest value.
HEADROOM = 1.08
MOST_TICKS = 4
ROUND_STEPS = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Ticks:
    """Where the axis ends, and the label of each tick."""

    end: float
    labels: dict[float, str]


def ticks(top: float, say: Callable[[float], str]) -> Ticks:
    """Return the ticks of an axis on which `top` is the highest value."""
    end = top * HEADROOM if top > 0 and math.isfinite(top) else 1.0
    least = end / MOST_TICKS
    power = 10.0 ** math.floor(math.log10(least))
    step = power * next(one for one in ROUND_STEPS if power * one >= least)
    # Rounded, since 3 * 0.1 is not 0.3.
    values = [float(f"{count * step:.12g}") for count in range(math.floor(end / step) + 1)]
    return Ticks(end, {value: say(value) if value else "0" for value in values})
