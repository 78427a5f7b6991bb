"""The figures that workers are scaled by, as a process last heard of the board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.ai.board.load import Load
from services.ai.board.order import Urgency
from services.ai.board.want import ClassDemand, Demand, Swept

NOBODY = ClassDemand(0, 0, 0)


def load_of(waiting: int, each_ms: int, oldest_ms: int, slots: int) -> Load:
    """Return the load when so many moves wait that persons wait for, and take that long each."""
    load = Load(lambda: 0.0)
    persons = ClassDemand(waiting, oldest_ms, waiting * each_ms)
    demand = Demand("e", 1, slots, waiting, waiting * each_ms, waiting, 0, is_active=True)
    load.sweep(Swept(demand, 0, {kind: persons if kind is Urgency.PERSON else NOBODY for kind in Urgency}, {}))
    return load


def test_a_crowd_that_has_just_come_counts_with_the_time_that_its_last_one_will_wait() -> None:
    assert load_of(waiting=24, each_ms=1000, oldest_ms=200, slots=2).person_wait_s() == 11.5


def test_one_who_waits_alone_counts_with_the_time_since_they_began() -> None:
    assert load_of(waiting=1, each_ms=5000, oldest_ms=200, slots=1).person_wait_s() == pytest.approx(0.2)


@given(st.integers(0, 100), st.integers(0, 30_000), st.integers(0, 60_000), st.integers(0, 8))
def test_more_slots_never_mean_a_longer_wait(waiting: int, each_ms: int, oldest_ms: int, slots: int) -> None:
    waits = [load_of(waiting, each_ms, oldest_ms, number).person_wait_s() for number in (slots, slots + 1)]
    assert waits[0] >= waits[1] >= (oldest_ms / 1000 if waiting else 0)
