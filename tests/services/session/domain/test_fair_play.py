"""Hints where people play each other: off until all agree, and everybody is told who uses them."""

import pytest

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from services.session.domain import fair_play
from tests.services.session.app.saving import fork, import_
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table

_Kind = sessions_pb2.Happening


def hint(player: Player, session: str, seat: int) -> play_pb2.GetHintRequest:
    return play_pb2.GetHintRequest(session_id=session, seat_token=player.token(session, seat))


@pytest.fixture
async def game(table: Table) -> tuple[Player, Player, str]:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open")
    await ben.join(session.id)
    return anna, ben, session.id


async def agree(anna: Player, ben: Player, session: str) -> None:
    asked = await anna.propose(session, 0, help=True)
    await ben.reply(session, 1, asked.proposal_id, True)


async def test_people_who_play_each_other_have_no_hints_until_they_agree(game) -> None:
    anna, ben, session = game
    with refused("NO_HELP"):
        await anna.ask(get_hint=hint(anna, session, 0))
    asked = await anna.propose(session, 0, help=True)
    with refused("NO_HELP"):
        await anna.ask(get_hint=hint(anna, session, 0))
    await ben.reply(session, 1, asked.proposal_id, True)
    update = await ben.see(session, 1)
    assert update.session.help_agreed
    assert (update.happening.kind, update.happening.seat) == (_Kind.KIND_HELP, 1)
    assert (await anna.ask(get_hint=hint(anna, session, 0))).win_chance == pytest.approx(0.5)


async def test_help_that_was_declined_stays_off(game) -> None:
    anna, ben, session = game
    asked = await anna.propose(session, 0, help=True)
    await ben.reply(session, 1, asked.proposal_id, False)
    assert not (await ben.see(session, 1)).session.help_agreed
    with refused("NO_HELP"):
        await anna.ask(get_hint=hint(anna, session, 0))


async def test_everybody_is_told_once_for_each_position_who_had_a_hint(game) -> None:
    anna, ben, session = game
    await agree(anna, ben, session)
    given = await anna.ask(get_hint=hint(anna, session, 0))
    update = await ben.see(session, 1)
    assert (update.happening.kind, update.happening.seat) == (_Kind.KIND_HINTED, 1)
    assert [seat.hints for seat in update.session.seats] == [1, 0]
    assert given.for_version == update.version
    await anna.ask(get_hint=hint(anna, session, 0))
    assert (await ben.see(session, 1)).version == update.version
    await anna.act(session, 0)
    await ben.ask(get_hint=hint(ben, session, 1))
    await ben.act(session, 1)
    await anna.ask(get_hint=hint(anna, session, 0))
    assert [seat.hints for seat in (await ben.see(session)).session.seats] == [2, 1]


async def test_a_player_not_to_act_gets_no_hint_and_is_not_said_to_have_had_one(game) -> None:
    anna, ben, session = game
    await agree(anna, ben, session)
    with refused("NOT_YOUR_TURN"):
        await ben.ask(get_hint=hint(ben, session, 1))
    assert [seat.hints for seat in (await ben.see(session)).session.seats] == [0, 0]


async def test_one_player_alone_ends_it(game) -> None:
    anna, ben, session = game
    with refused("PROPOSAL"):
        await ben.propose(session, 1, help=False)
    await agree(anna, ben, session)
    with refused("PROPOSAL"):
        await ben.propose(session, 1, help=True)
    await ben.propose(session, 1, help=False)
    update = await anna.see(session)
    assert (update.happening.kind, update.happening.seat) == (_Kind.KIND_HELP_ENDED, 2)
    assert not update.session.help_agreed
    with refused("NO_HELP"):
        await anna.ask(get_hint=hint(anna, session, 0))


async def test_an_agreement_outlives_a_proposals_position_and_the_owner_of_the_session(game, table: Table) -> None:
    anna, ben, session = game
    asked = await anna.propose(session, 0, help=True)
    await anna.act(session, 0)
    await ben.reply(session, 1, asked.proposal_id, True)
    await table.restart()
    assert (await ben.ask(get_hint=hint(ben, session, 1))).win_chance == pytest.approx(0.5)
    await table.restart()
    assert [seat.hints for seat in (await ben.see(session)).session.seats] == [0, 1]


async def test_a_player_whose_seat_a_computer_had_for_a_while_has_still_agreed(game) -> None:
    anna, ben, session = game
    await agree(anna, ben, session)
    await ben.set_seat(session, 1, "easy", by=1)
    assert (await anna.see(session)).session.help_agreed
    await ben.set_seat(session, 1, "me")
    assert (await anna.see(session)).session.help_agreed


async def test_a_player_who_sits_down_later_has_not_agreed(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("easy", "me", "easy", game="emperado")).id
    await anna.propose(session, 1, help=True)
    assert (await anna.see(session)).session.help_agreed
    change = record_pb2.SeatChanged(seat=0, occupant=record_pb2.Occupant(person=record_pb2.Person(player_id="p-ben")))
    state = (await table.wiring.session_cache.newest(session)).state
    assert not fair_play.is_help_agreed_after(state, change)


async def test_a_player_against_computers_has_hints_without_a_word(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    before = await anna.see(session)
    assert (await anna.ask(get_hint=hint(anna, session, 0))).win_chance == pytest.approx(0.5)
    after = await anna.see(session)
    assert (after.version, after.session.seats[0].hints) == (before.version, 0)


async def test_competitive_sessions_and_tables_that_wait_know_no_such_agreement(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    waiting = (await anna.create("me", "open")).id
    with refused("NOT_RUNNING"):
        await anna.propose(waiting, 0, help=True)
    rated = (await anna.create("me", "open", competitive=True)).id
    await ben.join(rated)
    with refused("COMPETITIVE"):
        await anna.propose(rated, 0, help=True)


async def test_at_seats_of_one_player_it_is_their_device_that_asks_for_help_and_remembers_whether_it_is_on(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "me")).id
    assert (await anna.ask(get_hint=hint(anna, session, 0))).win_chance == pytest.approx(0.5)
    assert (await fork(anna, session, (await anna.see(session)).version, "me", "easy")).id != session
    assert (await anna.propose(session, 0, help=True)).proposal_id == 0, "nobody has to be asked"
    assert (await anna.see(session, 1)).session.help_agreed
    await anna.propose(session, 1, help=False)
    assert not (await anna.see(session, 1)).session.help_agreed


async def test_a_running_game_of_people_is_not_forked_without_help(game, table: Table) -> None:
    anna, ben, session = game
    await anna.act(session, 0)
    version = (await anna.see(session)).version
    for player in (anna, table.player("Carl")):
        with refused("NO_HELP"):
            await fork(player, session, version, "me", "easy")
    await agree(anna, ben, session)
    assert (await fork(anna, session, version, "me", "easy")).plies == 1
    await ben.propose(session, 1, help=False)
    token = anna.token(session, 0)
    await anna.ask(resign=play_pb2.ResignRequest(session_id=session, seat_token=token, request_id=request_id()))
    assert (await fork(anna, session, version, "me", "easy")).plies == 1


async def test_a_game_against_computers_can_be_forked(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    assert (await fork(anna, session, (await anna.see(session)).version, "me", "easy")).id != session


async def test_a_game_that_people_play_without_help_has_none_at_home_either(game) -> None:
    anna, ben, session = game
    await anna.act(session, 0)
    await ben.act(session, 1)
    home = await import_(anna, await anna.export(session), "me", "easy")
    assert home.without_help
    with refused("NO_HELP"):
        await anna.ask(get_hint=hint(anna, home.id, 0))
    with refused("NO_HELP"):
        await fork(anna, home.id, 1)
    again = await import_(anna, await anna.export(home.id), "me", "easy")
    assert again.without_help, "nor what is taken on from there"
    await anna.propose(home.id, 0, help=True)
    with refused("NO_HELP"):
        await anna.ask(get_hint=hint(anna, home.id, 0))
    await anna.resign(home.id, 0)
    with refused("NO_HELP"):
        await anna.ask(get_hint=play_pb2.GetHintRequest(session_id=home.id, at_version=3))


async def test_a_game_is_taken_home_with_help_once_all_have_agreed_or_it_is_over(game) -> None:
    anna, ben, session = game
    await anna.act(session, 0)
    unfinished = await anna.export(session)
    await agree(anna, ben, session)
    assert not (await import_(anna, await anna.export(session), "me", "easy")).without_help
    await ben.propose(session, 1, help=False)
    assert (await import_(anna, unfinished, "me", "easy")).without_help
    await ben.resign(session, 1)
    home = await import_(anna, unfinished, "easy", "me")
    assert not home.without_help
    assert (await anna.ask(get_hint=hint(anna, home.id, 1))).win_chance == pytest.approx(0.5)


async def test_a_game_against_computers_is_taken_home_with_help(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy")).id
    await anna.act(session, 0)
    assert not (await import_(anna, await anna.export(session), "me", "easy")).without_help


async def test_a_game_of_a_session_that_cannot_be_is_taken_home_without_help(game) -> None:
    anna, _, session = game
    await anna.act(session, 0)
    unfinished = await anna.export(session)
    unfinished.ClearField("sealed")
    unfinished.session_id = "Ostafrika +2"
    assert (await import_(anna, unfinished, "me", "easy")).without_help
