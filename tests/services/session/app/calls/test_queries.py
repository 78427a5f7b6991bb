"""The position and board that a table shows before its game begins."""

from google.protobuf.any_pb2 import Any

from brettwerk.v1 import einstein_pb2, plateau_pb2, play_pb2, wec_pb2
from tests.services.session.player import Player
from tests.services.session.table import Table


async def begins(player: Player, session: str, seat_token: str = "") -> play_pb2.GetSessionResponse:
    request = play_pb2.GetSessionRequest(session_id=session, seat_token=seat_token, shows_start=True)
    response: play_pb2.GetSessionResponse = await player.ask(get_session=request)
    return response


async def test_a_table_that_waits_shows_the_position_that_its_game_begins_from_with_its_options(table: Table) -> None:
    anna, ben = table.player("Anna"), table.player("Ben")
    options = Any()
    options.Pack(einstein_pb2.EinsteinOptions(first=einstein_pb2.EINSTEIN_FIRST_BLACK))
    session = (await anna.create("me", "open", options=options)).id
    view = einstein_pb2.EinsteinView()
    assert (await begins(ben, session)).start_view.Unpack(view)
    assert (view.seat, view.position.to_move) == (0, 1), "a spectator's, of a game in which Black begins"
    assert not (await ben.ask(get_session=play_pb2.GetSessionRequest(session_id=session))).HasField("start_view")
    await ben.join(session)
    assert not (await begins(ben, session)).HasField("start_view")


async def test_a_game_comes_with_its_board_for_the_options_and_seats_that_are_asked_for(table: Table) -> None:
    anna, options = table.player("Anna"), Any()
    options.Pack(plateau_pb2.PlateauOptions(size=plateau_pb2.PLATEAU_SIZE_FIRST))
    asked = play_pb2.GetGameRequest(game="plateau", language="de", without_rules_page=True)
    assert not (await anna.ask(get_game=asked)).HasField("board")
    asked.shows_board = True
    found = await anna.ask(get_game=asked)
    assert (len(found.board.places), len(found.board.groups)) == (176, 2)
    assert found.catalogue[found.board.groups[0].label.key] == "Basis von Babylon"
    asked.options.CopyFrom(options)
    asked.seats = 3
    found = await anna.ask(get_game=asked)
    assert (len(found.board.places), len(found.board.groups)) == (264, 3)


async def test_everybody_sees_of_it_what_spectators_may_see(table: Table) -> None:
    anna = table.player("Anna")
    session = (await anna.create("me", "open", game="wec")).id
    mine, everybodys = await begins(anna, session, anna.token(session, 0)), await begins(table.player("Ben"), session)
    view = wec_pb2.WecView()
    assert mine.start_view.Unpack(view)
    assert view.eye == 2
    assert mine.start_view == everybodys.start_view
