"""The callers that may come, and what they may send that brings nothing: by connection, by address, and in all."""

from collections.abc import Callable, Iterable

import pytest

from grpc_http2 import Bounds, frames, visitors
from grpc_http2.frames import Fault
from grpc_http2.visitors import UNIX, Visit, Visitors

BOUNDS = Bounds()
ADA, BERT, EVE = "192.0.2.1", "192.0.2.2", "198.51.100.7"


def entered(among: Visitors, peer: str, *, is_busy: bool = False) -> Visit:
    visit = among.enter(peer)
    assert visit is not None
    if is_busy:
        visit.is_idle = lambda: False
    return visit


def test_an_idle_connection_of_the_caller_with_most_makes_room_for_one_with_fewer() -> None:
    among = Visitors(3)
    ended: list[int] = []
    for number, peer in enumerate((EVE, EVE, ADA)):
        entered(among, peer).cut_off = lambda _why, number=number: ended.append(number)  # type: ignore[misc]
    entered(among, BERT)
    assert ended == [0]
    assert len(among) == 3
    assert among.enter(EVE) is None, "each has one by now, and nobody gives way to somebody with as many"


def test_busy_visitors_make_no_room() -> None:
    among = Visitors(2, per_address=1)
    entered(among, ADA, is_busy=True)
    assert among.enter(ADA) is None
    entered(among, EVE, is_busy=True)
    assert among.enter(BERT) is None


def nearly_exhausted(spend: Callable[[Visit], None], peers: Iterable[str]) -> int:
    """Return how many connections could spend nearly all that one may."""
    among, count = Visitors(100), 0
    for peer in peers:
        try:
            spend(entered(among, peer))
        except Fault:
            break
        count += 1
    return count


def frames_that_bring_nothing(visit: Visit) -> None:
    visit.pay(BOUNDS.frames - 100)


def resets(visit: Visit) -> None:
    for _ in range(BOUNDS.resets_per_s - 20):
        visit.pay_for_reset()


@pytest.mark.parametrize("spend", [frames_that_bring_nothing, resets])
def test_costs_are_counted_for_all_connections_of_an_address(spend: Callable[[Visit], None]) -> None:
    assert nearly_exhausted(spend, [ADA] * 20) == 2
    assert nearly_exhausted(spend, (f"198.51.100.{number}" for number in range(20))) == 20


def test_an_address_that_has_used_more_than_it_is_given_is_remembered_without_a_connection() -> None:
    among = Visitors(100_000)
    visit = entered(among, EVE)
    for _ in range(BOUNDS.resets_per_s):
        visit.pay_for_reset()
    with pytest.raises(Fault) as fault:
        resets(visit)
    assert fault.value.code == frames.ENHANCE_YOUR_CALM
    visit.leave()
    for number in range(3 * visitors._SLICE):  # others come and go, and are forgotten
        entered(among, f"10.0.{number // 256}.{number % 256}").leave()
    assert EVE in among._by_address
    assert len(among._by_address) <= 2 * visitors._SLICE


def test_bytes_that_wait_are_counted_for_all_connections_of_an_address() -> None:
    among = Visitors(100)
    visits = [entered(among, ADA) for _ in range(3)]
    assert [visit.hold(BOUNDS.held_bytes) for visit in visits] == [True, True, False]
    assert entered(among, BERT).hold(BOUNDS.held_bytes)
    for visit in visits:
        visit.leave()
    assert among.held == BOUNDS.held_bytes
    assert entered(among, ADA).hold(BOUNDS.held_bytes)


def test_our_own_services_are_counted_for_nothing() -> None:
    among = Visitors(10, per_address=1)
    visits = [entered(among, UNIX, is_busy=True) for _ in range(5)]
    for visit in visits:
        visit.pay(100 * BOUNDS.frames)
    visits[0].trust()
    assert visits[0].hold(100 * BOUNDS.held_bytes)


def test_an_allowance_grows_with_its_clock() -> None:
    now = 0.0
    allowance = visitors.Allowance(10, 2, lambda: now)
    assert allowance.take(10)
    now = 1.0
    assert not allowance.take(3), "and what there is stays there"
    assert allowance.take(2)
    was_full, now = allowance.is_full, 6.0
    assert (was_full, allowance.is_full) == (False, True)
    now = 100.0
    assert not allowance.take(11), "it is never more than full"
