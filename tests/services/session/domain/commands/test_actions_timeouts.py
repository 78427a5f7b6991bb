"""When time ends a Turn, nobody can tell by the moments what was played for its seat. BRETTWERK_PAIRS: how many pairs."""

import os
from itertools import count, islice
from typing import Any

import pytest

from services.session.domain.commands import actions
from tests.night import examples
from tests.services.session import rhythm, running_out

PAIRS = int(os.environ.get("BRETTWERK_PAIRS", examples(40)))


@pytest.fixture(autouse=True)
def every_update_is_plain() -> None:
    """Here moments are spoilt on purpose."""


def apart(most: int) -> int:
    """Return in how many pairs an eye can tell a Turn in which nothing was done from one in which something unseen was."""
    return sum(idle.received != busy.received for idle, busy in islice(running_out.pairs(count()), most))


def test_turns_that_time_ends_are_shown_alike_whether_a_move_had_to_be_played_or_not() -> None:
    assert apart(PAIRS) == 0


def test_all_that_time_plays_in_a_turn_has_the_moment_of_the_first_of_it() -> None:
    for idle, busy in islice(running_out.pairs(count()), 4):
        moments = [rhythm.update_of(session.received[-1]).at_ms for session in (idle, busy)]
        assert moments == [idle.state.at_ms] * 2
        assert running_out.TURN_MS < moments[0] < running_out.TURN_MS + running_out.LATEST_MS


def moment_of_each(state: Any, now_ms: int) -> int:
    """Each has the moment at which it is played."""
    return now_ms


def moment_of_deadlines(state: Any, now_ms: int) -> int:
    """The action played first has the moment at which time was over, those after it that at which they are played."""
    return now_ms if state.expiries else state.clock_since_ms + state.seats[state.to_act[0]].left_ms


@pytest.mark.nightly
@pytest.mark.parametrize("leak", [moment_of_each, moment_of_deadlines])
def test_a_planted_leak_of_the_moments_is_found(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "expiry_ms", leak)
    assert apart(12)
