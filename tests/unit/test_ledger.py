"""What measuring may cost, and how the ticker keeps to it."""

import threading
import time

import pytest

from jupyter_mlprof.collect.ledger import AT_ONCE_S, Ledger
from jupyter_mlprof.collect.main_thread import soon
from jupyter_mlprof.collect.ticker import INTERVAL_S, SLOWEST_S, Ticker

WAIT_S = 20


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands at 100 s until it is moved."""
    now = [100.0]
    monkeypatch.setattr("jupyter_mlprof.collect.ledger.time.monotonic", lambda: now[0])
    return now


def test_a_little_is_allowed_at_once_and_a_share_later(clock):
    ledger = Ledger(5.0, _begun=clock[0])
    assert ledger.allowed_s == AT_ONCE_S
    clock[0] += 10
    assert ledger.allowed_s == pytest.approx(0.3)


def test_all_costs_count(clock):
    ledger = Ledger(10.0, [lambda: 0.1, lambda: 0.2], _begun=clock[0])
    assert ledger.spent_s == pytest.approx(0.3)
    assert ledger.overdrawn
    clock[0] += 6
    assert not ledger.overdrawn


def until(condition):
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_ticker_whose_jobs_are_dear_slows_down():
    def dear():
        end = time.thread_time() + 0.01
        while time.thread_time() < end:
            pass

    ticker = Ticker()
    ticker.add(dear)
    try:
        until(lambda: ticker.slowest_s == SLOWEST_S)
    finally:
        ticker.remove(dear)
    assert ticker.cpu_s > 0.1


def test_a_ticker_whose_jobs_are_cheap_keeps_its_pace():
    ticks = []
    job = lambda: ticks.append(1)  # noqa: E731 - one object, to remove
    ticker = Ticker(target_share=1.0)
    ticker.add(job)
    until(lambda: len(ticks) > 40)
    ticker.remove(job)
    assert ticker.slowest_s == INTERVAL_S


def test_a_job_that_fails_ends_alone():
    ticks = []

    def failing():
        raise ValueError("no")

    job = lambda: ticks.append(1)  # noqa: E731 - one object, to remove
    ticker = Ticker()
    ticker.add(failing)
    ticker.add(job)
    until(lambda: len(ticks) > 2)
    ticker.remove(failing)
    ticker.remove(job)
    assert ticker.failure == "ValueError: no"


def test_the_main_thread_does_what_another_one_asks_for():
    done = []
    thread = threading.Thread(
        target=lambda: soon(lambda: done.append(threading.current_thread().name))
    )
    thread.start()
    thread.join()
    until(lambda: done)
    assert done == [threading.main_thread().name]
