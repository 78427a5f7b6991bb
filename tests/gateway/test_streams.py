"""What is open is counted, and there is an end to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2
from gateway.players import Player
from gateway.streams import Streams
from gateway.visitor import Visitor
from services.runtime.refusal import Refused
from tests.gateway.refusing import refusal_of

VISITORS = [Visitor(address, Player(player, player) if player else None) for address in "AB" for player in ("x", "y", "")]


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(VISITORS)), max_size=80))
def test_no_player_and_no_address_has_more_open_than_it_may(steps: list[tuple[bool, Visitor]]) -> None:
    streams, open_ = Streams(2, 5), list[Visitor]()
    for enters, visitor in steps:
        if not enters:
            if visitor in open_:
                open_.remove(visitor)
                streams.leave(visitor)
            continue
        mine = sum(1 for other in open_ if visitor.player and other.player == visitor.player)
        here = sum(1 for other in open_ if other.address == visitor.address)
        refused = refusal_of(lambda: streams.enter(visitor))  # noqa: B023 - it is called at once
        if refused is not None:
            assert refused.reason == errors_pb2.REASON_FULL
            assert mine == 2 or here == 5
        else:
            assert mine < 2
            assert here < 5
            open_.append(visitor)
    for visitor in open_:
        streams.leave(visitor)
    assert not streams._players
    assert not streams._addresses


def test_a_visitor_who_is_refused_is_not_counted() -> None:
    streams = Streams(1, 1)
    streams.enter(VISITORS[0])
    with pytest.raises(Refused):
        streams.enter(VISITORS[1])
    streams.leave(VISITORS[0])
    streams.enter(VISITORS[1])
