import pytest

from services.ai.celery_worker.liveness import STALLED_S, Liveness
from services.runtime.bell import IdleEnd


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


def test_a_worker_rests_when_it_has_had_nothing_to_do_for_a_while(clock, queues):
    rested: list[float] = []
    busy = [True]
    liveness = Liveness(queues, clock, idle=IdleEnd(30, clock, lambda: rested.append(clock.now)), is_busy=lambda: busy[0])
    look_for(liveness, clock, 100)
    busy[0], queues.waiting = False, 1
    look_for(liveness, clock, 30)
    queues.waiting = -1
    look_for(liveness, clock, 100)
    assert not rested, "it has something to do, or nobody can tell"
    queues.waiting = 0
    liveness.took()
    look_for(liveness, clock, 29)
    assert not rested
    look_for(liveness, clock, 1)
    assert rested == [clock.now]


def test_a_worker_without_an_alarm_does_not_rest(clock, queues):
    liveness = Liveness(queues, clock, idle=IdleEnd(0, clock, lambda: pytest.fail("it rests")))
    look_for(liveness, clock, 10_000)
