"""The occupants of seats."""

from typing import Any

import pytest

from brettwerk.v1 import einstein_pb2, play_pb2, record_pb2, sessions_pb2
from services.session.domain.state import hash_token
from tests.services.session.domain.commands.test_seats_endings import rematch
from tests.services.session.player import Player, request_id, wish
from tests.services.session.refusing import refused
from tests.services.session.table import Table
from tests.services.session.two_players import two

_State = sessions_pb2.Session


async def test_a_session_waits_for_its_open_seats_and_then_starts(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("open", "me", title="Friday", public=True)
    assert session.state == _State.STATE_WAITING
    assert not (await anna.see(session.id)).HasField("view")
    assert await ben.join(session.id) == 0
    update = await ben.see(session.id, 0)
    assert update.session.state == _State.STATE_RUNNING
    assert [seat.occupant.person.name for seat in update.session.seats] == ["Ben", "Anna"]
    assert len(update.actions) > 0
    assert update.to_act == [0]
    with refused("SEAT_TAKEN"):
        await table.player("Carl").join(session.id)
    with refused("SEAT_TAKEN"):
        await table.player("Carl").join(session.id, 1)


async def test_creation_repeated_returns_the_same_session_and_tokens(table: Table) -> None:
    anna = table.player("Anna")
    request = play_pb2.CreateSessionRequest(game="einstein", seats=[wish("me"), wish("open")], request_id=request_id())
    first = await anna.ask(create_session=request)
    await table.restart()
    assert await anna.ask(create_session=request) == first
    request.title = "another"
    with refused("REQUEST_ID_REUSED"):
        await anna.ask(create_session=request)


async def test_stored_answers_do_not_show_tokens(table: Table) -> None:
    anna = table.player("Anna")
    session = await anna.create("me", "open")
    token = anna.token(session.id).encode()
    client = table.wiring.store._client
    async for key in client.scan_iter("*"):
        kind = await client.type(key)
        if kind == b"hash":
            values = [part for pair in (await client.hgetall(key)).items() for part in pair]
        elif kind == b"list":
            values = await client.lrange(key, 0, -1)
        else:
            continue
        assert all(token not in value for value in values), key


@pytest.mark.parametrize(
    ("reason", "fields"),
    [
        ("UNKNOWN", {"game": "halma"}),
        ("MALFORMED", {"seats": ["me"]}),
        ("MALFORMED", {"seats": ["me", "open", "open"]}),
        ("UNKNOWN", {"seats": ["me", "genius"]}),
        ("MALFORMED", {"seats": [play_pb2.SeatWish(), wish("open")]}),
        ("MALFORMED", {"seats": [play_pb2.SeatWish(computer=record_pb2.Computer(level="depth", depth=13)), wish("me")]}),
        ("MALFORMED", {"clock": record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL)}),
        ("MALFORMED", {"start_position": einstein_pb2.EinsteinPosition(squares=[1])}),
        ("MALFORMED", {"options": einstein_pb2.EinsteinAction()}),
    ],
)
async def test_an_impossible_session_is_refused_at_once(table: Table, reason: str, fields: dict[str, Any]) -> None:
    seats = fields.pop("seats", ["me", "open"])
    request = play_pb2.CreateSessionRequest(
        game=fields.pop("game", "einstein"),
        seats=[wish(seat) if isinstance(seat, str) else seat for seat in seats],
        request_id=request_id(),
    )
    for name, value in fields.items():
        target = getattr(request, name)
        if name == "clock":
            target.CopyFrom(value)
        else:
            target.Pack(value)
    with refused(reason):
        await table.player("Anna").ask(create_session=request)


async def test_strangers_cannot_create_or_join(table: Table) -> None:
    anna, nobody = table.player("Anna"), table.player("")
    nobody.caller.player_id = ""
    session = await anna.create("me", "open")
    with refused("NO_TOKEN"):
        await nobody.join(session.id)
    with refused("NO_TOKEN"):
        await nobody.create("me", "open")


async def test_a_player_has_a_bounded_number_of_unfinished_sessions(table: Table, monkeypatch) -> None:
    monkeypatch.setattr("services.session.app.calls.creation.SESSIONS_PER_PLAYER", 3)
    anna = table.player("Anna")
    games = [(await anna.create("me", "me")).id for _ in range(3)]
    with refused("FULL"):
        await anna.create("me", "open")
    await anna.resign(games[0], 0)
    await anna.create("me", "open")


async def test_a_seat_goes_to_a_computer_and_back_and_its_tokens_rotate(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open")
    await ben.join(session.id)
    old = anna.token(session.id, 0)
    handed = (await anna.set_seat(session.id, 0, "easy", by=0)).session
    assert handed.seats[0].kept_for == "p-anna"
    assert handed.seats[0].occupant.computer.level == "easy"
    with refused("NOT_YOUR_SEAT"):
        await anna.act(session.id, 0, notation="3D4-C3", expected_version=handed.version, seat_token=old)
    with refused("SEAT_TAKEN"):
        await ben.set_seat(session.id, 0, "me", by=1)
    await table.computer_moves()
    back = await anna.set_seat(session.id, 0, "me")
    assert back.session.seats[0].kept_for == ""
    assert back.grant.seat_token != old
    await ben.act(session.id, 1)
    await anna.act(session.id, 0)
    state = (await table.wiring.session_cache.newest(session.id)).state
    assert [seat.token_hash for seat in state.seats] == [
        hash_token(back.grant.seat_token),
        hash_token(ben.token(session.id, 1)),
    ]


async def test_joining_takes_a_kept_seat_back_too(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open")
    await ben.join(session.id)
    await ben.set_seat(session.id, 1, "easy", by=1)
    with refused("SEAT_TAKEN"):
        await table.player("Carl").join(session.id)
    assert await ben.join(session.id) == 1


async def test_leaving_before_the_start_opens_the_seat_and_afterwards_a_computer_plays(table: Table) -> None:
    anna, ben, carl = table.player("Anna"), table.player("Ben"), table.player("Carl")
    session = await anna.create("me", "open", public=True)

    def leave(token: str) -> play_pb2.LeaveSessionRequest:
        return play_pb2.LeaveSessionRequest(session_id=session.id, seat_token=token, request_id=request_id())

    await ben.join(session.id)
    left = await ben.ask(leave_session=leave(ben.token(session.id)))
    assert left.session.seats[1].occupant.computer.level == "normal"
    assert left.session.seats[1].kept_for == ""
    with refused("SEAT_TAKEN"):
        await ben.join(session.id)
    await anna.act(session.id, 0)
    await table.computer_moves()
    session = await anna.create("me", "open", public=True)
    closed = await anna.ask(leave_session=leave(anna.token(session.id)))
    assert closed.session.state == _State.STATE_CLOSED
    with refused("GAME_OVER"):
        await carl.join(session.id)


async def test_the_creator_changes_computers_and_fills_seats(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open")
    with refused("NOT_YOUR_SEAT"):
        await ben.set_seat(session.id, 1, "easy")
    assert (await anna.set_seat(session.id, 1, "easy")).session.state == _State.STATE_RUNNING
    changed = (await anna.set_seat(session.id, 1, "strong", by=0)).session
    assert changed.seats[1].occupant.computer.level == "strong"
    assert (await anna.set_seat(session.id, 1, "strong", by=0)).session.version == changed.version
    with refused("SEAT_TAKEN"):
        await anna.set_seat(session.id, 1, "open", by=0)
    with refused("UNKNOWN"):
        await anna.set_seat(session.id, 1, "genius", by=0)
    with refused("UNKNOWN"):
        await anna.set_seat(session.id, 2, "easy", by=0)


async def test_the_creator_does_not_look_into_a_computers_hand_while_others_play(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open")
    await ben.join(session.id)
    await ben.ask(
        leave_session=play_pb2.LeaveSessionRequest(
            session_id=session.id, seat_token=ben.token(session.id), request_id=request_id()
        )
    )
    assert (await anna.set_seat(session.id, 1, "me")).grant.seat == 1
    rated = await anna.create("me", "easy", competitive=True)
    with refused("SEAT_TAKEN"):
        await anna.set_seat(rated.id, 1, "me")
    with refused("COMPETITIVE"):
        await anna.set_seat(rated.id, 1, "beginner")


async def test_a_player_alone_against_computers_takes_their_seats_and_others_cannot(table: Table) -> None:
    anna, ben, carl = table.player("Anna"), table.player("Ben"), table.player("Carl")
    session = await anna.create("me", "open", public=True)
    await ben.join(session.id)
    await anna.ask(
        leave_session=play_pb2.LeaveSessionRequest(
            session_id=session.id, seat_token=anna.token(session.id), request_id=request_id()
        )
    )
    with refused("SEAT_TAKEN"):
        await carl.set_seat(session.id, 0, "me")
    assert (await ben.set_seat(session.id, 0, "me")).grant.seat == 0
    seats = (await ben.see(session.id, 0)).session.seats
    assert [seat.occupant.person.name for seat in seats] == ["Ben", "Ben"]


async def test_seed_contributions_change_the_dice_and_are_proved(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = await anna.create("me", "open")
    await ben.join(session.id, seed_contribution=b"nobody knew this")
    await anna.act(session.id, 0)
    await ben.resign(session.id, 1)
    record = await anna.export(session.id)
    assert any(entry.seat_changed.seed_contribution == b"nobody knew this" for entry in record.entries)
    checked = await anna.ask(check_record=play_pb2.CheckRecordRequest(record=record))
    assert checked.verification.chance_proved
    for entry in record.entries:
        if entry.seat_changed.seed_contribution:
            entry.seat_changed.seed_contribution = b"or did they?"
    checked = await anna.ask(check_record=play_pb2.CheckRecordRequest(record=record))
    assert not checked.verification.good


async def test_only_the_creator_closes_and_only_when_no_other_person_plays(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")

    async def close(who: Player, session_id: str, token: str = "") -> sessions_pb2.Session:
        request = play_pb2.CloseSessionRequest(session_id=session_id, seat_token=token, request_id=request_id())
        session: sessions_pb2.Session = (await who.ask(close_session=request)).session
        return session

    waiting = await anna.create("me", "open")
    with refused("NOT_YOUR_SEAT"):
        await close(ben, waiting.id)
    assert (await close(anna, waiting.id)).state == _State.STATE_CLOSED
    with refused("GAME_OVER"):
        await close(anna, waiting.id)
    running = await anna.create("me", "open")
    await ben.join(running.id)
    with refused("SEAT_TAKEN"):
        await close(anna, running.id)
    alone = await anna.create("me", "easy")
    assert (await close(anna, alone.id)).state == _State.STATE_CLOSED


async def test_a_player_naming_their_own_seat_gets_another_token_and_the_one_before_is_void(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    game = (await anna.create("me", "open")).id
    await ben.join(game)
    await anna.act(game, 0)
    before, old = await ben.see(game, 1), ben.token(game, 1)
    assert await ben.join(game, 1) == 1
    after = await ben.see(game, 1)
    assert after.version == before.version + 1
    assert (after.view, after.actions, after.to_act) == (before.view, before.actions, before.to_act)
    with refused("NOT_YOUR_SEAT"):
        await ben.act(game, 1, seat_token=old)
    await ben.act(game, 1)
    await anna.resign(game, 0)
    verified = await ben.ask(verify_session=play_pb2.VerifySessionRequest(session_id=game))
    assert verified.verification.good, verified.verification.fault


async def test_sitting_down_again_needs_the_number_of_ones_own_seat(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    game = (await anna.create("me", "open", "open", game="emperado")).id
    assert await anna.join(game) == 1, "who names no seat takes an open one"
    await ben.join(game)
    with refused("SEAT_TAKEN"):
        await ben.join(game)
    for other in (0, 1):
        with refused("SEAT_TAKEN"):
            await ben.join(game, other)


async def test_sitting_down_again_before_the_start_keeps_the_seed_contribution_or_replaces_it(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    game = (await anna.create("me", "open", "open", game="emperado")).id
    await ben.join(game, 1, seed_contribution=b"ben's seed")
    await ben.join(game, 1)
    assert (await table.wiring.session_cache.newest(game)).state.seats[1].seed_contribution == b"ben's seed"
    await ben.join(game, 1, seed_contribution=b"another")
    assert (await table.wiring.session_cache.newest(game)).state.seats[1].seed_contribution == b"another"


def declining(session_id: str) -> play_pb2.LeaveSessionRequest:
    return play_pb2.LeaveSessionRequest(session_id=session_id, request_id=request_id())


async def test_an_invitation_to_a_rematch_is_declined_and_the_seat_becomes_open(table: Table) -> None:
    anna, ben, session = await two(table)
    await ben.resign(session, 1)
    again = (await ben.ask(rematch=rematch(ben, session))).session.id
    request = declining(again)
    declined = await anna.ask(leave_session=request)
    assert [(seat.HasField("occupant"), seat.kept_for) for seat in declined.session.seats] == [(True, ""), (False, "")]
    assert await anna.ask(leave_session=request) == declined
    await table.player("Clara").join(again)


async def test_only_an_invited_player_can_decline(table: Table) -> None:
    anna, ben, session = await two(table)
    for nobody_invited in (anna, table.player("Clara")):
        with refused("NO_TOKEN"):
            await nobody_invited.ask(leave_session=declining(session))
    kept = play_pb2.SetSeatRequest(
        session_id=session, seat=0, seat_token=anna.token(session, 0), wish=wish("easy"), request_id=request_id()
    )
    await anna.ask(set_seat=kept)
    with refused("NO_TOKEN"):
        await anna.ask(leave_session=declining(session))
    assert (await ben.see(session)).session.seats[0].kept_for == "p-anna"
    await ben.resign(session, 1)
    again = (await ben.ask(rematch=rematch(ben, session))).session.id
    with refused("NO_TOKEN"):
        await ben.ask(leave_session=declining(again))
    nobody = table.player("")
    nobody.caller.player_id = ""
    with refused("NO_TOKEN"):
        await nobody.ask(leave_session=declining(again))
