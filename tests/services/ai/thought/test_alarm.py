"""The alarm clock of a search, in a process of its own: signals are heard in main threads only."""

import signal
import time
from collections.abc import Callable, Iterator

import pytest

from brettwerk_games.players.interface import OutOfTime
from services.ai.thought import alarm


@pytest.fixture(autouse=True)
def hears() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    alarm.install()
    yield
    signal.signal(signal.SIGALRM, before)


def search_for_ever() -> str:
    while True:
        pass


def test_a_search_that_does_not_end_is_interrupted():
    with pytest.raises(OutOfTime):
        alarm.within(0.05, search_for_ever)


def test_a_search_that_is_interrupted_may_answer_all_the_same_and_is_not_interrupted_again():
    def search() -> str:
        try:
            return search_for_ever()
        except OutOfTime:
            signal.raise_signal(signal.SIGALRM)
            return "what was found"

    assert alarm.within(0.05, search) == "what was found"


@pytest.mark.parametrize("search", [lambda: "found", lambda: alarm.within(1, lambda: "found")])
def test_a_search_that_ends_in_time_leaves_no_alarm(search: Callable[[], str]):
    assert alarm.within(60, search) == "found"
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_failed_search_leaves_no_alarm():
    with pytest.raises(ZeroDivisionError):
        alarm.within(60, lambda: 1 // 0)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_alarm_that_comes_too_late_interrupts_nothing():
    alarm.within(60, lambda: None)
    signal.raise_signal(signal.SIGALRM)
    until = time.monotonic() + 0.01
    while time.monotonic() < until:
        pass
