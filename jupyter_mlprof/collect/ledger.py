"""The overhead budget of one cell: what measuring it may cost, and what it has cost so far.

A share of the cell's time is allowed, and a little at once, since nothing could start without.
Collectors that can do with less look here, and stop or slow down in time.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

BUDGET_PCT = 5.0
# What is aimed at, of the budget: costs are estimates, and what is cut off runs on for a moment.
TARGET_SHARE = 0.6
# A cell of less than half a second may cost that much more.
AT_ONCE_S = 0.015

Costs = Callable[[], float]


@dataclass
class Ledger:
    """Knows the budget in percent of the cell's wall time, and what tells the costs so far.

    `costs` are functions that return CPU seconds of collectors, or estimates of them.
    """

    budget_pct: float = BUDGET_PCT
    costs: list[Costs] = field(default_factory=list)
    _begun: float = field(default_factory=time.monotonic)

    @property
    def target_share(self) -> float:
        """CPU seconds that are aimed at, for each second of the cell."""
        return TARGET_SHARE * self.budget_pct / 100

    @property
    def target_s(self) -> float:
        """CPU seconds that are aimed at by now."""
        return self.target_share * (time.monotonic() - self._begun)

    @property
    def allowed_s(self) -> float:
        """CPU seconds that measuring may have cost by now."""
        return max(AT_ONCE_S, self.target_s)

    @property
    def spent_s(self) -> float:
        """CPU seconds that measuring has cost so far."""
        return sum(cost() for cost in self.costs)

    @property
    def overdrawn(self) -> bool:
        """Whether more was spent than is allowed by now."""
        return self.spent_s > self.allowed_s
