"""What a window of torch's profiler may cost."""

import pytest

from jupyter_mlprof.collect.ledger import Ledger
from jupyter_mlprof.collect.window_budget import WindowBudget


@pytest.fixture
def budget_after(monkeypatch):
    """The budget of a cell that has run for so many seconds, with so much spent."""

    def after(seconds, spent=0.0, **known):
        ledger = Ledger(costs=[lambda: spent], _begun=0.0)
        monkeypatch.setattr("time.monotonic", lambda: seconds)
        return WindowBudget(ledger, **known)

    return after


def test_a_young_cell_affords_no_window(budget_after):
    budget = budget_after(0.1, spent=0.01)
    assert not budget.affords(budget.probe_s)
    later = budget_after(0.1 + budget.wait_s(budget.probe_s) + 1.0, spent=0.01)
    assert later.affords(later.probe_s)


def test_an_unknown_step_is_taken_for_the_dearest(budget_after):
    budget = budget_after(3.0, started=True)
    assert not budget.affords(budget.cost_s(0.05))
    budget.learn(events=50, seconds=0.005)
    assert budget.affords(budget.cost_s(0.05))


def test_a_step_of_many_tiny_operators_stays_too_dear(budget_after):
    budget = budget_after(3.0)
    budget.learn(events=2_500, seconds=0.005)
    assert not budget.affords(budget.cost_s(0.05))
    assert budget.longest_s(10.0) < 0.05


def test_not_even_a_long_cell_takes_all_that_it_could_afford(budget_after):
    budget = budget_after(10_000.0)
    budget.learn(events=2_500, seconds=0.005)
    assert not budget.affords(budget.cost_s(10.0))


def test_what_others_spent_is_not_there(budget_after):
    assert budget_after(2.0).affords(0.05)
    assert not budget_after(2.0, spent=0.06).affords(0.05)
