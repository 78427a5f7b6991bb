"""Competitive sessions of a game with an option for that: however they come about, their history is closed (WEC-MODE-1)."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2, wec_pb2
from tests.services.session.player import Player, request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.settling import settling, wec_now, wec_options
from tests.services.session.table import Table


def options_of(session: Any) -> wec_pb2.WecOptions:
    found = wec_pb2.WecOptions()
    assert session.options.Unpack(found)
    return found


async def history_read(table: Table, anna: Player, ben: Player, session: str) -> str:
    """Let both play a Turn, Ben's with a piece that Anna does not see; return how she reads that."""
    for who, seat, begins in ((anna, 0, "MV:FP"), (anna, 0, "END"), (ben, 1, "MV:AAA"), (ben, 1, "END")):
        update = await who.see(session, seat)
        choice = next(each for each in update.actions if each.notation.startswith(begins))
        await who.act(session, seat, action=choice.action)
    view = wec_pb2.WecView()
    assert (await anna.see(session, 0)).view.Unpack(view)
    return view.history[-1]


@pytest.mark.parametrize(("competitive", "begins"), [(True, "MV:?"), (False, "MV:AAA(9,")])
async def test_the_table_s_switch_is_the_game_s(table: Table, competitive: bool, begins: str) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open", game="wec", competitive=competitive)
    assert options_of(session).competitive == competitive
    await ben.join(session.id)
    assert (await history_read(table, anna, ben, session.id)).startswith(begins)


async def test_a_competitive_table_with_an_open_history_cannot_be_made(table: Table) -> None:
    with refused("COMPETITIVE"):
        await table.player("Anna").create("me", "open", game="wec", competitive=True, options=wec_options(competitive=False))


async def test_options_left_out_by_a_client_follow_from_the_switch(table: Table) -> None:
    options = AnyMessage()
    options.Pack(wec_pb2.WecOptions(stun_range=4))
    made = await table.player("Anna").create("me", "open", game="wec", competitive=True, options=options)
    assert options_of(made).competitive and options_of(made).stun_range == 4


async def test_pools_and_tournaments_arrange_games_with_a_closed_history(table: Table) -> None:
    create = play_pb2.CreateSessionRequest(game="wec", competitive=True, seats=[wish("open"), wish("open")])
    asked = session_pb2.ArrangeSessionRequest(arrangement_id="arranged", create=create, kept_for=["p-anna", "p-ben"])
    session = (await table.wiring.arrangements.arrange(asked)).session_id
    anna, ben = table.player("Anna"), table.player("Ben")
    await anna.join(session, 0)
    await ben.join(session, 1)
    assert await history_read(table, anna, ben, session) == "MV:?"


async def test_a_tournament_with_an_open_history_is_refused_when_it_is_made(table: Table) -> None:
    options = wec_options(competitive=False)
    create = play_pb2.CreateSessionRequest(game="wec", competitive=True, options=options, seats=[wish("open"), wish("open")])
    asked = session_pb2.ArrangeSessionRequest(arrangement_id="a", create=create, kept_for=["one", "other"], only_checks=True)
    with refused("COMPETITIVE"):
        await table.wiring.arrangements.arrange(asked)


async def test_it_stays_closed_while_the_game_is_settled(table: Table) -> None:
    anna, ben, session = await settling(table, game="wec", competitive=True)
    with refused("COMPETITIVE"):
        await anna.propose(session, 0, options=wec_options(competitive=False, stun_range=4))
    wanted = wec_options(stun_range=4, competitive=True)
    number = await anna.propose(session, 0, options=wanted)
    await ben.reply(session, 1, number.proposal_id, accept=True)
    assert (await wec_now(table, session)).stun_range == 4
    assert (await wec_now(table, session)).competitive


async def test_its_rematch_is_closed_as_well(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me", game="wec", competitive=True)
    await anna.resign(session.id, 1)
    request = play_pb2.RematchRequest(session_id=session.id, seat_token=anna.token(session.id, 0), request_id=request_id())
    again = (await anna.ask(rematch=request)).session
    assert again.competitive and options_of(again).competitive
