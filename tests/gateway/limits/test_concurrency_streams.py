"""Open streams are counted, and there is an end to them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2
from gateway.identity.caller import Caller
from gateway.identity.players import Player
from gateway.limits.concurrency import OpenStreams
from services.runtime.refusal import Refused
from tests.gateway.refusing import refusal_of

CALLERS = [Caller(address, Player(player, player) if player else None) for address in "AB" for player in ("x", "y", "")]


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(CALLERS)), max_size=80))
def test_no_player_and_no_address_has_more_open_than_it_may(steps: list[tuple[bool, Caller]]) -> None:
    streams, open_ = OpenStreams(2, 5), list[Caller]()
    for enters, caller in steps:
        if not enters:
            if caller in open_:
                open_.remove(caller)
                streams.leave(caller)
            continue
        mine = sum(1 for other in open_ if caller.player and other.player == caller.player)
        here = sum(1 for other in open_ if other.address == caller.address)
        refused = refusal_of(lambda: streams.enter(caller))  # noqa: B023 - it is called at once
        if refused is not None:
            assert refused.reason == errors_pb2.REASON_FULL
            assert mine == 2 or here == 5
        else:
            assert mine < 2
            assert here < 5
            open_.append(caller)
    for caller in open_:
        streams.leave(caller)
    assert not streams._players
    assert not streams._addresses


def test_a_caller_who_is_refused_is_not_counted() -> None:
    streams = OpenStreams(1, 1)
    streams.enter(CALLERS[0])
    with pytest.raises(Refused):
        streams.enter(CALLERS[1])
    streams.leave(CALLERS[0])
    streams.enter(CALLERS[1])
