"""The interval of a ratio of times, from pairs of neighbouring runs.

Student's t on the logarithms of the pairs' ratios: runs of a pair share the machine's load, so its
drift falls out, and a ratio and its inverse count the same.
"""

import math
import statistics
from collections.abc import Sequence

from jupyter_mlprof.model.trial import Interval

# 97.5 % quantiles of Student's t for 1, 2, ... degrees of freedom.
T = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179)
LEAST_PAIRS, MOST_PAIRS = 3, len(T) + 1


def interval(ratios: Sequence[float]) -> Interval:
    """Return the mean ratio and its interval of 95 %; at least two ratios."""
    logs = [math.log(ratio) for ratio in ratios]
    middle = statistics.fmean(logs)
    error = statistics.stdev(logs) / math.sqrt(len(logs))
    spread = T[min(len(logs) - 2, len(T) - 1)] * error
    return Interval(math.exp(middle - spread), math.exp(middle), math.exp(middle + spread))
