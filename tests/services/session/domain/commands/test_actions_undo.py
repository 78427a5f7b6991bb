"""Taking back."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import play_pb2, wec_pb2
from services.session.domain.bounds import POSITIONS_KEPT
from tests.services.session.player import Player, einstein, request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import play_out


async def test_against_a_computer_one_goes_back_to_the_own_turn(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    start = einstein(await anna.see(session.id, 0))
    await anna.act(session.id, 0)
    assert (await anna.see(session.id, 0)).free_undo_plies == 1
    await table.computer_moves()
    update = await anna.see(session.id, 0)
    assert update.free_undo_plies == 2
    await anna.undo(session.id, 0, to_plies=0)
    again = await anna.see(session.id, 0)
    assert einstein(again).squares == start.squares
    assert again.session.plies == 0
    assert again.free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, 0, to_plies=0)


async def test_the_same_move_after_an_undo_rolls_the_same_dice(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    await anna.act(session.id, 0, pick=1)
    first = einstein(await anna.see(session.id))
    await anna.undo(session.id, 0, to_plies=0)
    await anna.act(session.id, 0, pick=1)
    assert einstein(await anna.see(session.id)) == first


async def test_only_points_where_the_seat_was_to_act_count(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    for _ in range(2):
        await anna.act(session.id, 0)
        await table.computer_moves()
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, 0, to_plies=3)
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, 0, to_plies=4)
    await anna.undo(session.id, 0, to_plies=0)


async def test_another_persons_ply_is_not_taken_back_without_asking(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open")
    await ben.join(session.id)
    await anna.act(session.id, 0)
    assert (await anna.see(session.id, 0)).free_undo_plies == 1
    await ben.act(session.id, 1)
    assert (await anna.see(session.id, 0)).free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, 0, to_plies=0)


async def test_competitive_sessions_know_no_undo(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy", competitive=True)
    await anna.act(session.id, 0)
    assert (await anna.see(session.id, 0)).free_undo_plies == 0
    with refused("COMPETITIVE"):
        await anna.undo(session.id, 0, to_plies=0)


async def test_the_end_against_computers_can_be_taken_back_but_not_a_resignation(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    while (update := await anna.see(session.id)).to_act:
        await anna.act(session.id, update.to_act[0], pick=-1)
    assert update.session.HasField("outcome")
    loser = 1 - update.session.outcome.winners[0]
    winner = 1 - loser
    await anna.undo(session.id, winner, to_plies=update.session.plies - 1)
    reopened = await anna.see(session.id)
    assert not reopened.session.HasField("outcome")
    assert reopened.session.secret == b""
    await anna.resign(session.id, loser)
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session.id, winner, to_plies=update.session.plies - 1)


async def test_undo_reaches_further_back_than_positions_are_kept(table: Table, monkeypatch) -> None:
    assert POSITIONS_KEPT > 2
    monkeypatch.setattr("services.session.live.memory.POSITIONS_KEPT", 2)
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    start = einstein(await anna.see(session.id))
    await play_out((anna, anna), session.id, 6)
    await table.restart()
    await anna.undo(session.id, 0, to_plies=0)
    assert einstein(await anna.see(session.id)) == start


def wec_options(**chosen: Any) -> AnyMessage:
    options = AnyMessage()
    options.Pack(wec_pb2.WecOptions(**chosen))
    return options


async def a_wec_turn(player: Player, session: str, seat: int) -> None:
    """A Move, which tells what is not in its way, and the end of the Turn, which tells what is hidden now."""
    await player.act(session, seat)
    await player.act(session, seat, notation="END")


async def test_a_revealing_action_is_taken_back_where_the_rules_allow_it_and_all_agree(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="wec")).id
    await ben.join(session)
    start = (await anna.see(session, 0)).view
    await a_wec_turn(anna, session, 0)
    await a_wec_turn(ben, session, 1)
    assert (await anna.see(session, 0)).free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session, 0, to_plies=0)
    asked = await anna.propose(session, 0, undo_to_plies=0)
    await ben.reply(session, 1, asked.proposal_id, True)
    again = await anna.see(session, 0)
    assert (again.view, again.session.plies) == (start, 0)
    assert (await table.rebuilt(session)).state.ply_count == 0


async def test_a_lone_player_takes_a_revelation_back_action_by_action(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="wec")).id
    start = (await anna.see(session, 0)).view
    await a_wec_turn(anna, session, 0)
    await table.computer_moves()
    assert (await anna.see(session, 0)).free_undo_plies == 2
    for plies in (1, 0):
        await anna.undo(session, 0, to_plies=plies)
    assert (await anna.see(session, 0)).view == start


async def test_in_a_game_that_is_competitive_by_its_rules_a_revelation_stays_a_wall(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="wec", options=wec_options(competitive=True))).id
    await a_wec_turn(anna, session, 0)
    assert (await anna.see(session, 0)).free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session, 0, to_plies=0)
    with refused("NOTHING_TO_UNDO"):
        await anna.propose(session, 0, undo_to_plies=0)


def wec_options_of(update: Any) -> wec_pb2.WecOptions:
    options = wec_pb2.WecOptions()
    update.session.options.Unpack(options)
    return options


async def test_changed_options_are_taken_back_where_the_rules_allow_it_and_all_agree(table: Table) -> None:
    """WEC-RUL-56: as far as the start of the game, with the options of then."""
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="wec", options=wec_options(flame_range=1))).id
    await ben.join(session)
    start = await anna.see(session, 0)
    await a_wec_turn(anna, session, 0)
    for reach in (2, 1):
        asked = await anna.propose(session, 0, options=wec_options(flame_range=reach))
        await ben.reply(session, 1, asked.proposal_id, True)
        await a_wec_turn(ben, session, 1) if reach == 2 else await a_wec_turn(anna, session, 0)
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session, 0, to_plies=0)
    asked = await anna.propose(session, 0, undo_to_plies=5)
    await ben.reply(session, 1, asked.proposal_id, True)
    between = await anna.see(session, 0)
    assert (between.session.plies, wec_options_of(between).flame_range) == (5, 2)
    asked = await anna.propose(session, 0, undo_to_plies=0)
    await ben.reply(session, 1, asked.proposal_id, True)
    again = await anna.see(session, 0)
    assert (again.view, again.session.plies) == (start.view, 0)
    assert wec_options_of(again) == wec_options_of(start)
    rebuilt = (await table.rebuilt(session)).state
    assert (rebuilt.ply_count, rebuilt.former_options, rebuilt.options) == (0, (), again.session.options)


async def test_a_lone_player_takes_changed_options_back(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="wec", options=wec_options(flame_range=1))).id
    await a_wec_turn(anna, session, 0)
    await anna.propose(session, 0, options=wec_options(flame_range=2))
    assert wec_options_of(await anna.see(session, 0)).flame_range == 2
    await anna.undo(session, 0, to_plies=0)
    assert wec_options_of(await anna.see(session, 0)).flame_range == 1


async def test_only_so_many_changes_of_options_are_taken_back(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.session.domain.fold.FORMER_OPTIONS", 1)
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="wec", options=wec_options(flame_range=1))).id
    await a_wec_turn(anna, session, 0)
    await anna.propose(session, 0, options=wec_options(flame_range=2))
    await anna.propose(session, 0, options=wec_options(flame_range=1))
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session, 0, to_plies=0)
    assert len((await table.rebuilt(session)).state.former_options) == 1


async def test_options_that_were_changed_in_a_saved_game_stay_as_they_are(table: Table) -> None:
    """Their former values are not known at the table that goes on from it."""
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="wec", options=wec_options(flame_range=1))).id
    await a_wec_turn(anna, session, 0)
    await anna.propose(session, 0, options=wec_options(flame_range=2))
    record = await anna.export(session)
    loading = play_pb2.ImportSessionRequest(record=record, seats=[wish("me"), wish("easy")], request_id=request_id())
    other = (await anna.ask(import_session=loading)).session.id
    assert wec_options_of(await anna.see(other, 0)).flame_range == 2
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(other, 0, to_plies=0)


async def test_a_game_that_became_competitive_keeps_its_options(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="wec", options=wec_options())).id
    await a_wec_turn(anna, session, 0)
    await anna.propose(session, 0, options=wec_options(competitive=True))
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session, 0, to_plies=0)
