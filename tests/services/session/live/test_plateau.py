"""Empire Plateau at a real session service: taking back within a turn, touch move, partners, falls with a computer, a rematch."""

from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import plateau_pb2, play_pb2, sessions_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.options import Options
from brettwerk_games.rules.plateau.position import Position
from services.rules.verify import verify
from services.session.domain.records import full_record
from tests.brettwerk_games.rules.plateau.boards import begun
from tests.services.session.live.test_rebuilds import check_rebuilt
from tests.services.session.player import Player, request_id
from tests.services.session.refusing import refused
from tests.services.session.table import Table

_OPTIONS = plateau_pb2.PlateauOptions
_BABYLON = plateau_pb2.PLATEAU_FIRST_BABYLON
_THREE = ("E@A1 6@B8 2@K1 2@K3 2@K5", "E@A9 2@F9 4@G9 6@H9", "E@A17 2@F17")
_FOUR = ("E@A1 6@B6 2@K1 2@K3 2@K5", "E@A7 2@F7 4@G7", "E@A13 2@F13", "E@A19 2@F19")
_TURN = ("K1-K2-J2", "K3-K4-J4", "END")


def packed(message: Any) -> AnyMessage:
    found = AnyMessage()
    found.Pack(message)
    return found


def options(**fields: Any) -> AnyMessage:
    return packed(_OPTIONS(**{"first": _BABYLON, **fields}))


def start(*sides: str) -> AnyMessage:
    data = GAME.codec.encode(Kind.POSITION, begun(*sides))
    return packed(plateau_pb2.PlateauPosition.FromString(data))


def position_of(update: sessions_pb2.Update) -> Position:
    position: Position = GAME.codec.decode(Kind.VIEW, update.view.value).position
    return position


def armies(position: Position, seat: int) -> list[int]:
    return [nodes.bit_count() for nodes in position.armies[seat]]


async def play(who: Player, session: str, seat: int, *texts: str) -> None:
    for text in texts:
        await who.act(session, seat, notation=text)


async def test_until_its_end_a_turn_is_taken_back_freely_and_afterwards_by_nobody_alone(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="plateau", options=options())).id
    await ben.join(session)
    before = position_of(await anna.see(session, 0))
    await play(anna, session, 0, "F16-G16-G15", "F2-G2-G3")
    assert (await anna.see(session, 0)).free_undo_plies == 1
    await anna.undo(session, 0, to_plies=1)
    assert position_of(await anna.see(session, 0)).turn.total == 2
    await anna.undo(session, 0, to_plies=0)
    assert position_of(await anna.see(session, 0)) == before
    await play(anna, session, 0, "G1-H1-H2-H3-H4-H5-H6", "END")
    assert (await anna.see(session, 0)).to_act == [1]
    await play(ben, session, 1, "F10-G10")
    assert (await anna.see(session, 0)).free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session, 0, to_plies=0)
    await check_rebuilt(table, session)


async def test_with_touch_move_nothing_is_taken_back(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "me", game="plateau", options=options(touch_move=True))).id
    await play(anna, session, 0, "F16-G16-G15")
    assert (await anna.see(session, 0)).free_undo_plies == 0
    with refused("NOTHING_TO_UNDO"):
        await anna.undo(session, 0, to_plies=0)


async def test_a_rematch_passes_the_seats_on_so_that_the_other_one_begins(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    session = (await anna.create("me", "open", game="plateau", options=options())).id
    await ben.join(session)
    assert (await anna.see(session, 0)).to_act == [0]
    await anna.resign(session, 0)
    for who, token in ((anna, anna.token(session, 0)), (ben, ben.token(session, 1))):
        request = play_pb2.RematchRequest(session_id=session, seat_token=token, request_id=request_id())
        rematch = (await who.ask(rematch=request)).session
    update = await ben.see(rematch.id, 0)
    assert update.to_act == [0]
    await play(ben, rematch.id, 0, "F16-G16-G15")


@pytest.mark.parametrize("first", ["PLATEAU_FIRST_LOT", "PLATEAU_FIRST_MEDIA_PERSIA"])
@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_in_rematches_everybody_begins_once_before_the_first_begins_again(table: Table, seats: int, first: str) -> None:
    anna = table.player("Anna")
    chosen = packed(_OPTIONS(first=plateau_pb2.PlateauFirst.Value(first)))
    session = await anna.create(*("me", "easy", "normal", "strong")[:seats], game="plateau", options=chosen)
    began = []
    for _ in range(seats + 1):
        own = next(number for number, seat in enumerate(session.seats) if seat.occupant.HasField("person"))
        update = await anna.see(session.id, own)
        occupant = session.seats[update.to_act[0]].occupant
        began.append(occupant.computer.level or "Anna")
        token = anna.token(session.id, own)
        await anna.ask(
            close_session=play_pb2.CloseSessionRequest(session_id=session.id, seat_token=token, request_id=request_id())
        )
        request = play_pb2.RematchRequest(session_id=session.id, seat_token=token, request_id=request_id())
        session = (await anna.ask(rematch=request)).session
    assert len(set(began[:seats])) == seats
    assert began[seats] == began[0]


async def test_a_rematch_of_what_never_began_still_draws_lots(table: Table) -> None:
    anna = table.player("Anna")
    chosen = packed(_OPTIONS(first=plateau_pb2.PLATEAU_FIRST_LOT))
    created = await anna.create("me", "open", game="plateau", options=chosen)
    session, token = created.id, anna.token(created.id, 0)
    await anna.ask(close_session=play_pb2.CloseSessionRequest(session_id=session, seat_token=token, request_id=request_id()))
    request = play_pb2.RematchRequest(session_id=session, seat_token=token, request_id=request_id())
    rematch = (await anna.ask(rematch=request)).session
    assert rematch.options == created.options
    assert _OPTIONS.FromString(rematch.options.value).first == plateau_pb2.PLATEAU_FIRST_LOT


async def test_partners_share_a_victory_and_do_not_take_from_each_other(table: Table) -> None:
    anna = table.player("Anna")
    alliance = start_with_partners()
    session = (
        await anna.create("me", "me", "me", "me", game="plateau", options=options(alliance=True), start_position=alliance)
    ).id
    with refused("ILLEGAL"):
        await play(anna, session, 0, "6 B12-B13#A13")
    await anna.resign(session, 1)
    await play(anna, session, 0, "2 B18-A18#A19")
    outcome = (await anna.see(session, 0)).session.outcome
    assert (list(outcome.winners), list(outcome.places), list(outcome.sides)) == ([0, 2], [1, 3, 1, 3], [0, 1, 0, 1])
    assert list(outcome.scores) == [0.5, 0, 0.5, 0]
    await check_rebuilt(table, session)


def start_with_partners() -> AnyMessage:
    position = begun("E@A1 6@B12 2@B18", "E@A7 2@F7", "E@A13 2@F13", "E@A19 2@F19", options=Options(alliance=True))
    return packed(plateau_pb2.PlateauPosition.FromString(GAME.codec.encode(Kind.POSITION, position)))


async def test_a_computers_empire_falls_and_its_armies_change_hands(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "easy", "easy", game="plateau", options=options(), start_position=start(*_THREE))).id
    await play(anna, session, 0, "6 B8-B9#A9")
    position = position_of(await anna.see(session, 0))
    assert (position.fallen, armies(position, 0), armies(position, 1)) == ((1,), [4, 1, 2, 1], [0, 0, 0, 0])
    await play(anna, session, 0, *_TURN)
    assert (await table.until_asked()).seat == 2
    for _ in range(12):
        if (await anna.see(session, 0)).to_act == [0]:
            break
        await table.computer_moves(pick=-1)
    else:
        raise AssertionError("the computer does not end its turn")
    await play(anna, session, 0, "2 F9-F10")
    state = (await table.wiring.session_cache.newest(session)).state
    assert verify(full_record(state, await table.wiring.rebuilds.entries(session))).good
    await check_rebuilt(table, session)


async def test_of_four_one_falls_to_a_person_and_one_resigns_and_computers_play_on(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    seats = ("me", "easy", "open", "easy")
    session = (await anna.create(*seats, game="plateau", options=options(), start_position=start(*_FOUR))).id
    await ben.join(session)
    await play(anna, session, 0, "6 B6-B7#A7", *_TURN)
    assert (await ben.see(session, 2)).to_act == [2]
    await ben.resign(session, 2)
    position = position_of(await anna.see(session, 0))
    assert (position.fallen, position.to_move, armies(position, 2)) == ((1, 2), 3, [0, 0, 0, 0])
    asked = await table.until_asked()
    assert asked.seat == 3
    await table.computer_moves()
    await check_rebuilt(table, session)
