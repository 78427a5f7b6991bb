"""Asking the others."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import einstein_pb2, sessions_pb2
from tests.services.session.player import Player, einstein
from tests.services.session.refusing import refused
from tests.services.session.table import Table

_State = sessions_pb2.Session
_Kind = sessions_pb2.Happening


def options(**fields: Any) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(einstein_pb2.EinsteinOptions(**fields))
    return packed


@pytest.fixture
async def game(table: Table) -> tuple[Player, Player, str]:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open")
    await ben.join(session.id)
    return anna, ben, session.id


async def test_a_pause_is_agreed_and_ended_by_agreement(game) -> None:
    anna, ben, session = game
    asked = await anna.propose(session, 0, pause=True)
    update = await ben.see(session, 1)
    assert update.session.proposals[0].waiting == [1]
    assert update.happening.kind == _Kind.KIND_PROPOSED
    await ben.reply(session, 1, asked.proposal_id, True)
    update = await ben.see(session, 1)
    assert update.session.state == _State.STATE_PAUSED
    assert not update.session.proposals
    assert not update.actions
    with refused("NOT_RUNNING"):
        await anna.propose(session, 0, undo_to_plies=0)
    with refused("NOT_RUNNING"):
        await anna.propose(session, 0, pause=True)
    asked = await ben.propose(session, 1, pause=False)
    await anna.reply(session, 0, asked.proposal_id, True)
    assert (await ben.see(session, 1)).session.state == _State.STATE_RUNNING


async def test_an_agreed_undo_goes_over_both_players_plies(game) -> None:
    anna, ben, session = game
    start = einstein(await anna.see(session))
    await anna.act(session, 0)
    await ben.act(session, 1)
    asked = await anna.propose(session, 0, undo_to_plies=0)
    await ben.reply(session, 1, asked.proposal_id, True)
    assert einstein(await anna.see(session)) == start
    with refused("NOTHING_TO_UNDO"):
        await anna.propose(session, 0, undo_to_plies=0)


async def test_a_declined_or_withdrawn_proposal_changes_nothing(game) -> None:
    anna, ben, session = game
    await anna.act(session, 0)
    asked = await anna.propose(session, 0, undo_to_plies=0)
    with refused("PROPOSAL"):
        await anna.reply(session, 0, asked.proposal_id, True)
    with refused("PROPOSAL"):
        await anna.propose(session, 0, undo_to_plies=0)
    await ben.reply(session, 1, asked.proposal_id, False)
    with refused("PROPOSAL"):
        await ben.reply(session, 1, asked.proposal_id, True)
    asked = await anna.propose(session, 0, undo_to_plies=0)
    await anna.reply(session, 0, asked.proposal_id, False)
    update = await anna.see(session)
    assert update.session.plies == 1
    assert update.happening.kind == _Kind.KIND_DECLINED
    assert not update.session.proposals


async def test_proposals_lapse_when_the_position_changes_but_a_pause_does_not(game) -> None:
    anna, ben, session = game
    await anna.act(session, 0)
    undo = await anna.propose(session, 0, undo_to_plies=0)
    pause = await anna.propose(session, 0, pause=True)
    await ben.act(session, 1)
    with refused("PROPOSAL"):
        await ben.reply(session, 1, undo.proposal_id, True)
    await ben.reply(session, 1, pause.proposal_id, True)


async def test_options_change_when_all_agree_and_only_as_the_rules_allow(game) -> None:
    anna, ben, session = game
    asked = await anna.propose(session, 0, options=options(show_roll=True))
    await ben.reply(session, 1, asked.proposal_id, True)
    update = await anna.see(session)
    assert update.happening.kind == _Kind.KIND_OPTIONS
    shown = einstein_pb2.EinsteinOptions()
    assert update.session.options.Unpack(shown)
    assert shown.show_roll
    assert einstein(update).show_roll
    with refused("ILLEGAL") as caught:
        await anna.propose(session, 0, options=options(setup=einstein_pb2.EINSTEIN_SETUP_CHOSEN))
    assert caught.value.refusal.rule.startswith("EWN-")
    assert not (await anna.see(session)).session.proposals


async def test_a_draw_where_there_is_none_is_refused_before_it_is_offered(game) -> None:
    anna, _, session = game
    version = (await anna.see(session)).version
    with refused("ILLEGAL") as caught:
        await anna.propose(session, 0, draw=True)
    assert caught.value.refusal.rule.startswith("EWN-")
    assert (await anna.see(session)).version == version


async def test_where_nobody_has_to_be_asked_it_is_done(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.act(session.id, 0)
    await table.computer_moves()
    done = await anna.propose(session.id, 0, undo_to_plies=1)
    assert done.proposal_id == 0
    assert (await anna.see(session.id)).session.plies == 1
    assert (await table.until_asked()).version == done.version


async def test_in_competitive_sessions_a_pause_is_all_that_is_agreed_here(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open", competitive=True)
    await ben.join(session.id)
    await anna.act(session.id, 0)
    with refused("COMPETITIVE"):
        await anna.propose(session.id, 0, undo_to_plies=0)
    with refused("COMPETITIVE"):
        await anna.propose(session.id, 0, options=options(show_roll=True))
    asked = await anna.propose(session.id, 0, pause=True)
    await ben.reply(session.id, 1, asked.proposal_id, True)


async def test_a_proposal_must_say_what_it_asks(game) -> None:
    anna, _, session = game
    with refused("MALFORMED"):
        await anna.propose(session, 0)


async def test_a_leaving_player_takes_their_proposals_along(game) -> None:
    anna, ben, session = game
    asked = await anna.propose(session, 0, pause=True)
    await ben.set_seat(session, 1, "easy", by=1)
    await ben.set_seat(session, 1, "me")
    with refused("PROPOSAL"):
        await ben.reply(session, 1, asked.proposal_id, True)
