"""What a window of torch's profiler will cost, and whether that may be spent.

Kineto's cost lies in its events, not in the length of the window: a step of tiny operators costs
many times its own duration, one of large operators next to nothing. So the first window is short,
and tells how many events come in a second.
"""

from dataclasses import dataclass

from jupyter_mlprof.collect.ledger import AT_ONCE_S, TARGET_SHARE, Ledger

# Recording, stopping, reading and freeing one event took 11 to 17 us (torch 2.13).
COST_PER_EVENT_S = 16e-6
OPEN_S = 0.002
# The first window of a process starts kineto: 4 to 7 ms; with CUPTI far more (not measured here).
FIRST_OPEN_S = 0.008
FIRST_OPEN_CUDA_S = 0.3
# What is met at most: operators on tiny tensors, several in 10 us.
MOST_PER_S = 5e5
# Of such a probe as little is expected as rarely is wrong; the ledger knows the rest afterwards.
PROBE_S = 0.005
PROBE_EVENTS = 500
MOST_EVENTS = 20_000
# Of the budget: what aims at the ledger's target, as counting calls does, leaves nothing of it.
SHARE = 0.8


@dataclass
class WindowBudget:
    """Plans windows under a ledger; `started` tells that kineto runs in this process already."""

    ledger: Ledger
    started: bool = False
    cuda: bool = False
    events_per_s: float | None = None

    def learn(self, events: int, seconds: float) -> None:
        """Take what a window has shown."""
        self.started = True
        self.events_per_s = events / max(seconds, 1e-6)

    @property
    def opening_s(self) -> float:
        """CPU seconds that opening and closing costs without any event."""
        if self.started:
            return OPEN_S
        return FIRST_OPEN_CUDA_S if self.cuda else FIRST_OPEN_S

    def cost_s(self, seconds: float) -> float:
        """Return the CPU seconds that a window of such a length is to cost at most."""
        rate = MOST_PER_S if self.events_per_s is None else 1.2 * self.events_per_s
        return self.opening_s + COST_PER_EVENT_S * rate * seconds

    @property
    def probe_s(self) -> float:
        """CPU seconds that a probe is to cost."""
        return self.opening_s + COST_PER_EVENT_S * PROBE_EVENTS

    @property
    def room_s(self) -> float:
        """CPU seconds that may be spent now."""
        allowed_s = max(AT_ONCE_S, SHARE / TARGET_SHARE * self.ledger.target_s)
        return allowed_s - self.ledger.spent_s

    def affords(self, cost_s: float) -> bool:
        """Tell whether so much may be spent now."""
        most = COST_PER_EVENT_S * MOST_EVENTS + self.opening_s
        return cost_s <= min(most, self.room_s)

    def wait_s(self, cost_s: float) -> float:
        """Return the seconds after which so much may be spent, if nothing else is."""
        return max(0.0, (cost_s - self.room_s) / self.ledger.target_share)

    def longest_s(self, most_s: float) -> float:
        """Return the seconds for which a window may now be open."""
        room = self.room_s - self.opening_s
        rate = self.events_per_s or MOST_PER_S
        return max(0.0, min(most_s, room / (1.2 * rate * COST_PER_EVENT_S)))
