import pytest

from services.ai.celery_worker.liveness import STALLED_S, Liveness


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Queues:
    def __init__(self) -> None:
        self.waiting = 0

    def __call__(self) -> int:
        if self.waiting < 0:
            raise ConnectionError
        return self.waiting


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def queues():
    return Queues()


@pytest.fixture
def liveness(queues, clock):
    return Liveness(queues, clock)


def look_for(liveness: Liveness, clock: Clock, seconds: float) -> None:
    for _ in range(int(seconds)):
        clock.now += 1
        liveness.look()


def test_a_worker_with_nothing_to_do_is_live_for_ever(liveness, clock):
    look_for(liveness, clock, 10 * STALLED_S)
    assert liveness.is_live
    assert liveness.is_ready


def test_a_worker_that_leaves_tickets_lying_is_dead(liveness, clock, queues):
    queues.waiting = 1
    look_for(liveness, clock, STALLED_S - 1)
    assert liveness.is_live
    look_for(liveness, clock, 2)
    assert not liveness.is_live


def test_a_worker_that_takes_some_is_live_however_many_wait(liveness, clock, queues):
    queues.waiting = 1000
    for _ in range(10):
        look_for(liveness, clock, STALLED_S - 1)
        assert liveness.is_live
        liveness.took()


def test_a_broker_that_is_away_makes_a_worker_unready_and_not_dead(liveness, clock, queues):
    queues.waiting = -1
    look_for(liveness, clock, 3 * STALLED_S)
    assert liveness.is_live
    assert not liveness.is_ready
    queues.waiting = 0
    look_for(liveness, clock, 1)
    assert liveness.is_ready
