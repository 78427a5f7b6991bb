"""Ends and what follows them."""

from brettwerk.v1 import play_pb2, sessions_pb2
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table

_State = sessions_pb2.Session


def rematch(who: Player, session_id: str, token: str = "") -> play_pb2.RematchRequest:
    return play_pb2.RematchRequest(session_id=session_id, seat_token=token or who.token(session_id), request_id=request_id())


async def test_a_player_who_resigns_has_lost(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open")
    with refused("NOT_RUNNING"):
        await anna.resign(session.id, 0)
    await ben.join(session.id)
    await anna.resign(session.id, 0)
    update = await anna.see(session.id)
    assert update.session.outcome.winners == [1]
    assert update.session.outcome.places == [2, 1]
    assert update.happening.kind == sessions_pb2.Happening.KIND_RESIGNED
    assert update.happening.seat == 1
    with refused("GAME_OVER"):
        await ben.resign(session.id, 1)


async def test_there_is_one_rematch_for_all_requests_and_the_seats_are_passed_on(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open", title="Friday", public=True)
    await ben.join(session.id)
    with refused("STILL_RUNNING"):
        await anna.ask(rematch=rematch(anna, session.id))
    await anna.resign(session.id, 0)
    request = rematch(ben, session.id)
    first = await ben.ask(rematch=request)
    assert [grant.seat for grant in first.grants] == [0]
    assert first.session.seats[1].kept_for == "p-anna"
    assert first.session.state == _State.STATE_WAITING
    assert first.session.title == "Friday"
    assert await ben.ask(rematch=request) == first
    assert (await anna.see(session.id)).session.rematch_id == first.session.id
    with refused("SEAT_TAKEN"):
        await table.player("Carl").join(first.session.id)
    second = await anna.ask(rematch=rematch(anna, session.id))
    assert second.session.id == first.session.id
    assert [grant.seat for grant in second.grants] == [1]
    assert second.session.state == _State.STATE_RUNNING
    third = await anna.ask(rematch=rematch(anna, session.id))
    assert third.session.version == second.session.version
    assert not third.grants
    await ben.act(first.session.id, 0)


async def test_a_rematch_against_a_computer_starts_at_once(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "easy")
    await anna.resign(session.id, 0)
    again = await anna.ask(rematch=rematch(anna, session.id))
    assert again.session.state == _State.STATE_RUNNING
    assert again.session.seats[0].occupant.computer.level == "easy"
    await table.computer_moves()
    await anna.act(again.session.id, 1)


async def test_a_session_that_stands_still_is_closed_in_the_end(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    await anna.act(session.id, (await anna.see(session.id)).to_act[0])
    table.clock.pass_s(86400 * 13)
    await table.sweep()
    assert (await anna.see(session.id)).session.state == _State.STATE_RUNNING
    table.clock.pass_s(86400 * 2)
    await table.sweep()
    assert (await anna.see(session.id)).session.state == _State.STATE_CLOSED


async def test_entries_of_other_kinds_leave_room_for_all_actions_of_the_game(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.transaction.ENTRIES", 64 + 30)
    monkeypatch.setattr("services.session.live.transaction.ACTIONS", 20)
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    for _ in range(3):
        await anna.act(session.id, (await anna.see(session.id)).to_act[0])
    plies = 3
    with refused("FULL"):
        for _ in range(40):
            seat = (await anna.see(session.id)).to_act[0]
            await anna.act(session.id, seat)
            await anna.undo(session.id, seat, plies)
    for _ in range(20 - plies - 1):
        update = await anna.see(session.id)
        if update.session.state == _State.STATE_RUNNING:
            await anna.act(session.id, update.to_act[0])


async def test_a_session_that_has_room_for_nothing_but_its_end_is_ended(table: Table, monkeypatch) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    for _ in range(3):
        await anna.act(session.id, (await anna.see(session.id)).to_act[0])
    monkeypatch.setattr("services.session.live.transaction.ENTRIES", 64 + 3)
    table.clock.pass_s(86400 * 15)
    await table.sweep()
    assert (await anna.see(session.id)).session.state == _State.STATE_CLOSED


async def test_a_full_log_takes_nothing_but_the_end(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.live.transaction.ENTRIES", 64 + 10)
    anna = table.player("Anna")
    session = await anna.create("me", "me")
    ply = 0
    while (await anna.see(session.id)).version < 10:
        update = await anna.see(session.id)
        await anna.act(session.id, update.to_act[0])
        ply += 1
        assert ply < 40
    with refused("FULL"):
        await anna.act(session.id, (await anna.see(session.id)).to_act[0])
    await anna.resign(session.id, 0)
