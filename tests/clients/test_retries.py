import pytest

from brettwerk.v1 import errors_pb2
from brettwerk_client import Refused, Timing
from brettwerk_client.refusals import refused
from brettwerk_client.retries import Retries

GONE = refused(errors_pb2.Refusal(reason=errors_pb2.REASON_UNAVAILABLE))


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_pauses_grow_to_their_bound_and_end_with_the_time_for_it() -> None:
    clock, timing = Clock(), Timing(retries_s=20, first_pause_s=1, max_pause_s=4)
    retries, pauses = Retries(timing, clock, lambda: 1.0), []
    while clock.time < 19:
        pauses.append(retries.pause_s(GONE))
        clock.time += pauses[-1]
    assert pauses == [1, 2, 4, 4, 4, 4]
    with pytest.raises(Refused):
        retries.pause_s(GONE)


def test_pauses_are_spread_over_their_upper_half() -> None:
    timing = Timing(first_pause_s=1)
    assert Retries(timing, Clock(), lambda: 0.0).pause_s(GONE) == 0.5
    assert Retries(timing, Clock(), lambda: 0.5).pause_s(GONE) == 0.75


def test_the_server_says_how_long_to_wait_at_least() -> None:
    busy = refused(errors_pb2.Refusal(reason=errors_pb2.REASON_TOO_MANY_REQUESTS, retry_after_ms=9000))
    assert Retries(Timing(), Clock()).pause_s(busy) == 9


def test_a_success_renews_the_time_for_retries() -> None:
    clock = Clock()
    retries = Retries(Timing(retries_s=5), clock)
    clock.time = 6
    with pytest.raises(Refused):
        retries.pause_s(GONE)
    retries.succeeded()
    assert retries.pause_s(GONE) <= 0.25


def test_a_lasting_refusal_is_raised_at_once() -> None:
    with pytest.raises(Refused):
        Retries(Timing(), Clock()).pause_s(refused(errors_pb2.Refusal(reason=errors_pb2.REASON_ILLEGAL)))
