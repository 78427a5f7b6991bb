"""Saved games with hidden things know their players: WEC-ONLINE-3, WEC-ONLINE-4, WEC-MODE-2, and EMPERADO's cards as well."""

import pytest

from brettwerk.v1 import play_pb2, sessions_pb2
from services.session.app.calls.continuations import Continuations
from services.session.domain.updates import update_for
from tests.services.session.app.reopening import leave, play, reopen, saved
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.table import Table

_State = sessions_pb2.Session.State


@pytest.mark.parametrize("game", ["wec", "emperado"])
async def test_both_come_back_each_to_the_own_seat_and_go_on(table: Table, game: str) -> None:
    anna, ben, record = await saved(table, game)
    opened = await reopen(ben, record)
    session = opened.session.id
    assert [grant.seat for grant in opened.grants] == [1]
    assert opened.session.state == _State.STATE_WAITING
    assert opened.session.competitive
    assert opened.session.seats[0].kept_for == anna.caller.player_id
    with refused("SEAT_TAKEN"):
        await table.player("Carl").join(session)
    with refused("SEAT_TAKEN"):
        await ben.set_seat(session, 0, "me", by=1)
    with refused("SEAT_TAKEN"):
        await ben.set_seat(session, 0, "easy", by=1)
    joined = await reopen(anna, record)
    assert joined.session.id == session
    assert [grant.seat for grant in joined.grants] == [0]
    assert joined.session.state == _State.STATE_RUNNING
    assert joined.session.plies > 0
    await play(session, (anna, ben), 4)
    await check_rebuilt(table, session)


async def test_the_second_player_may_take_the_kept_seat_at_the_table_too(table: Table) -> None:
    anna, ben, record = await saved(table)
    session = (await reopen(anna, record)).session.id
    assert await ben.join(session) == 1
    assert (await anna.see(session)).session.state == _State.STATE_RUNNING


async def test_a_repeated_request_is_answered_as_the_first_one(table: Table) -> None:
    anna, ben, record = await saved(table)
    for who in (anna, ben):
        request = play_pb2.ImportSessionRequest(record=record, request_id=request_id())
        first = await who.ask(import_session=request)
        assert await who.ask(import_session=request) == first
    await ben.resign(first.session.id, 1)
    alone = play_pb2.ImportSessionRequest(record=record, seats=[wish("me"), wish("easy")], request_id=request_id())
    first = await anna.ask(import_session=alone)
    assert await anna.ask(import_session=alone) == first


@pytest.mark.parametrize("seats", [(), ("me", "me"), ("me", "easy"), ("easy", "easy"), ("open", "open")])
async def test_a_stranger_is_refused_every_request_and_learns_nothing(table: Table, seats: tuple[str, ...]) -> None:
    anna, _, record = await saved(table)
    carl = table.player("Carl")
    with refused("NOT_YOUR_SEAT") as while_closed:
        await reopen(carl, record, *seats)
    session = (await reopen(anna, record)).session.id
    with refused("NOT_YOUR_SEAT") as while_open:
        await reopen(carl, record, *seats)
    for caught in (while_closed, while_open):
        caught.value.refusal.ClearField("trace_id")
    assert while_closed.value.refusal == while_open.value.refusal
    own = (await carl.create("me", "open", game="wec")).id
    await table.player("Dora").join(own)
    with refused("NOT_YOUR_SEAT"):
        await carl.propose(own, 0, load=record)
    assert (await anna.see(session)).session.state == _State.STATE_WAITING


@pytest.mark.parametrize("competitive", [True, False])
@pytest.mark.parametrize("seats", [("me", "me"), ("open", "me"), ("easy", "me")])
async def test_the_seat_of_another_player_cannot_be_taken(table: Table, seats: tuple[str, ...], competitive: bool) -> None:
    anna, _, record = await saved(table, competitive=competitive)
    with refused("NOT_YOUR_SEAT"):
        await reopen(anna, record, *seats)


async def test_the_colours_stay_where_they_were_against_other_wishes(table: Table) -> None:
    _, ben, record = await saved(table)
    with refused("NOT_YOUR_SEAT"):
        await reopen(ben, record, "me", "open")
    with refused("MALFORMED"):
        await reopen(ben, record, "open")


async def test_one_goes_on_alone_against_a_computer_at_the_own_seat_only(table: Table) -> None:
    anna, ben, record = await saved(table, competitive=False)
    opened = await reopen(anna, record, "me", "easy")
    session = opened.session.id
    assert [grant.seat for grant in opened.grants] == [0]
    assert opened.session.state == _State.STATE_RUNNING
    with refused("SEAT_TAKEN"):
        await anna.set_seat(session, 1, "me", by=0)
    with refused("COMPETITIVE"):
        await anna.propose(session, 0, options=opened.session.options)
    assert ben.caller.player_id not in [seat.kept_for for seat in opened.session.seats]


async def test_a_game_gone_on_with_alone_is_not_continued_together(table: Table) -> None:
    """At the end Anna is shown what Ben hid: then it is no game between the two any more."""
    anna, ben, record = await saved(table)
    session = (await reopen(anna, record, "me", "easy")).session.id
    for who in (anna, ben):
        with refused("GAME_OVER"):
            await reopen(who, record)
    await anna.resign(session, 0)
    for who in (anna, ben):
        with refused("GAME_OVER"):
            await reopen(who, record)
    assert (await reopen(ben, record, "easy", "me")).session.state == _State.STATE_RUNNING
    again = (await reopen(anna, record, "me", "easy")).session.id
    assert again != session


async def test_looking_ahead_alone_is_refused_while_both_play(table: Table) -> None:
    anna, ben, record = await saved(table)
    session = (await reopen(anna, record)).session.id
    with refused("STILL_RUNNING"):
        await reopen(ben, record, "easy", "me")
    await reopen(ben, record)
    with refused("STILL_RUNNING"):
        await reopen(anna, record, "me", "easy")
    await play(session, (anna, ben), 3)
    later = await anna.export(session)
    with refused("STILL_RUNNING"):
        await reopen(ben, later)
    with refused("STILL_RUNNING"):
        await reopen(anna, later, "me", "easy")
    await leave(anna, session, 0), await leave(ben, session, 1)
    again = (await reopen(ben, later)).session
    assert again.id != session and again.competitive
    with refused("STILL_RUNNING"):
        await reopen(anna, record)
    assert (await reopen(anna, later)).session.id == again.id


async def test_while_its_own_table_goes_on_a_save_is_opened_by_nobody(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="wec")).id
    await ben.join(session)
    await play(session, (anna, ben), 3)
    record = await anna.export(session)
    await leave(ben, session, 1)
    for who in (anna, ben):
        with refused("STILL_RUNNING"):
            await reopen(who, record)


async def test_a_game_that_was_given_up_shows_nothing_that_was_hidden(table: Table) -> None:
    anna, ben, record = await saved(table)
    session = record.session_id
    shown = (await anna.see(session)).session
    assert shown.state == _State.STATE_CLOSED and not shown.secret
    export = await table.player("Carl").export(session)
    assert export.sealed and not export.entries and not export.secret
    with refused("STILL_RUNNING"):
        seats = [wish("me"), wish("easy")]
        await anna.ask(
            fork_session=play_pb2.ForkSessionRequest(session_id=session, at_version=4, seats=seats, request_id=request_id())
        )
    with refused("STILL_RUNNING"):
        await anna.ask(get_hint=play_pb2.GetHintRequest(session_id=session, at_version=5))
    with refused("STILL_RUNNING"):
        await anna.ask(export_session=play_pb2.ExportSessionRequest(session_id=session, as_text=True))
    listed = await table.player("Carl").ask(list_updates=play_pb2.ListUpdatesRequest(session_id=session))
    assert list(listed.updates) == [update_for(packed, None) for packed in (await table.rebuilt(session)).packed]
    assert (await reopen(ben, export)).session.state == _State.STATE_WAITING


async def test_a_finished_game_is_opened_by_anybody(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="wec", competitive=True)).id
    await ben.join(session)
    await play(session, (anna, ben), 3)
    await ben.resign(session, 1)
    record = await anna.export(session)
    assert record.entries and not record.sealed
    carl = table.player("Carl")
    assert (await reopen(carl, record, "me", "me")).session.state == _State.STATE_FINISHED


async def test_one_who_plays_at_both_seats_opens_both(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "me", game="wec", competitive=True)).id
    await play(session, (anna, anna), 5)
    record = await anna.export(session)
    await leave(anna, session, 0)
    assert (await leave(anna, session, 1)).state == _State.STATE_CLOSED
    opened = await reopen(anna, record)
    assert [grant.seat for grant in opened.grants] == [0, 1]
    assert opened.session.competitive and opened.session.state == _State.STATE_RUNNING
    with refused("NOT_YOUR_SEAT"):
        await reopen(table.player("Ben"), record)


async def test_a_competitive_game_against_a_computer_stays_one(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", game="emperado", competitive=True)).id
    await play(session, (anna,), 1)
    record = await anna.export(session)
    with refused("STILL_RUNNING"):
        await reopen(anna, record)
    await leave(anna, session, 0)
    with refused("NOT_YOUR_SEAT"):
        await reopen(anna, record, "me", "me")
    opened = (await reopen(anna, record)).session
    assert opened.competitive and opened.seats[1].occupant.computer.level == "easy"
    with refused("NOT_YOUR_SEAT"):
        await reopen(table.player("Ben"), record)


async def test_of_three_two_go_on_with_a_computer_and_the_third_cannot_be_fooled_then(table: Table) -> None:
    anna, ben, carl = (table.player(name) for name in ("Anna", "Ben", "Carl"))
    session = (await anna.create("me", "open", "open", game="emperado")).id
    await ben.join(session), await carl.join(session)
    await play(session, (anna, ben, carl), 9)
    record = await ben.export(session)
    for seat, who in enumerate((anna, ben, carl)):
        await leave(who, session, seat)
    opened = (await reopen(anna, record, "me", "open", "easy")).session
    assert opened.state == _State.STATE_WAITING
    assert await ben.join(opened.id) == 1
    assert (await anna.see(opened.id)).session.state == _State.STATE_RUNNING
    for who, seats in ((carl, ("easy", "easy", "me")), (anna, ("me", "easy", "easy"))):
        with refused("STILL_RUNNING"):
            await reopen(who, record, *seats)
    with refused("GAME_OVER"):
        await reopen(carl, record)
    with refused("GAME_OVER"):
        await reopen(carl, record, "open", "easy", "me")
    await play(opened.id, (anna, ben), 2)
    later = await ben.export(opened.id)
    await leave(anna, opened.id, 0), await leave(ben, opened.id, 1)
    with refused("NOT_YOUR_SEAT"):
        await reopen(carl, later)
    again = (await reopen(ben, later)).session
    assert again.seats[0].kept_for == anna.caller.player_id
    assert again.seats[2].occupant.computer.level == "easy"
    with refused("STILL_RUNNING"):
        await reopen(anna, record, "me", "easy", "easy")
    assert (await reopen(anna, later)).session.state == _State.STATE_RUNNING


async def test_a_player_who_goes_on_alone_saves_and_goes_on_with_that(table: Table) -> None:
    anna, ben, record = await saved(table, competitive=False)
    session = (await reopen(anna, record, "me", "easy")).session.id
    later = await anna.export(session)
    with refused("NOT_YOUR_SEAT"):
        await reopen(ben, later)
    with refused("STILL_RUNNING"):
        await reopen(anna, later)
    assert (await leave(anna, session, 0)).state == _State.STATE_CLOSED
    with refused("NOT_YOUR_SEAT"):
        await reopen(anna, later, "me", "me")
    again = (await reopen(anna, later)).session
    assert again.seats[1].occupant.computer.level == "easy" and again.state == _State.STATE_RUNNING
    with refused("SEAT_TAKEN"):
        await anna.set_seat(again.id, 1, "me", by=0)


def test_all_sessions_of_a_game_are_in_its_shard() -> None:
    places = Continuations(None, b"key")  # type: ignore[arg-type]
    game = "0babcdefghijklmnopqrstuv"
    assert {places.default_id(game, "anna", "request-1")[:2], places.without_id(game)[:2]} == {"0b"}
