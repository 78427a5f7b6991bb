"""The board that comes with a game: for the options and seats that are asked for, in few bytes, and only where it is wanted."""

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import errors_pb2, games_pb2, plateau_pb2
from brettwerk_games.rules.board import Board, BoardPlace
from brettwerk_games.rules.interface import AnyGame
from services.rules import scenes
from services.rules.answers import find_game
from services.runtime import limits
from services.runtime.refusal import Refused
from tests.services.rules.asking import refusal_of

FLAT = plateau_pb2.PlateauOptions(shape=plateau_pb2.PLATEAU_SHAPE_FLAT)


def packed(options: plateau_pb2.PlateauOptions) -> AnyMessage:
    message = AnyMessage()
    message.Pack(options)
    return message


def asked(game: str, seats: int = 0, options: AnyMessage | None = None) -> games_pb2.Board:
    request = pb.FindGameRequest(game=game, language="en", shows_board=True, seats=seats, options=options)
    return find_game(request).board


def test_a_board_comes_only_where_it_is_wanted(game: AnyGame) -> None:
    request = pb.FindGameRequest(game=game.facts.id, language="en")
    assert not find_game(request).HasField("board")
    request.shows_board = True
    found = find_game(request)
    assert found.board.places
    assert found.catalogue["game.name"]
    found.ClearField("board")
    request.shows_board = False
    assert found == find_game(request)


def test_a_board_keeps_to_the_contract(game: AnyGame) -> None:
    found = asked(game.facts.id)
    limits.check_request(found)
    assert found.ByteSize() <= scenes.MAX_BYTES


def test_the_names_of_places_and_groups_are_in_both_catalogues(game: AnyGame) -> None:
    found = asked(game.facts.id)
    keys = {place.label.key for place in found.places if place.HasField("label")}
    keys |= {group.label.key for group in found.groups if group.HasField("label")}
    for language in ("en", "de"):
        assert keys <= game.facts.catalogue(language).keys()


def test_seats_and_options_choose_the_board() -> None:
    assert len(asked("plateau").places) == 176
    assert len(asked("plateau", 2).groups) == 2
    assert len(asked("plateau", 4).places) == 264
    flat = asked("plateau", 2, packed(FLAT))
    assert len(flat.places) == 170
    assert 1 in flat.places[0].neighbours
    assert 15 not in flat.places[0].neighbours
    assert 15 in asked("plateau", 2).places[0].neighbours


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (9, None, errors_pb2.REASON_MALFORMED),
        (3, packed(FLAT), errors_pb2.REASON_ILLEGAL),
        (0, AnyMessage(type_url="type.googleapis.com/brettwerk.v1.EinsteinOptions"), errors_pb2.REASON_MALFORMED),
    ],
    ids=["too many", "a board that three cannot play on", "another game's options"],
)
def test_options_and_seats_that_no_game_can_have_are_refused(
    seats: int, options: AnyMessage | None, reason: errors_pb2.Reason.ValueType
) -> None:
    request = pb.FindGameRequest(game="plateau", language="en", shows_board=True, seats=seats, options=options)
    assert refusal_of("find_game", request).reason == reason


def test_a_board_of_too_many_bytes_is_refused() -> None:
    places = tuple(BoardPlace(number, "x" * 16, label="place." + "x" * 94) for number in range(600))
    with pytest.raises(Refused) as refused:
        scenes.board(Board(places))
    assert refused.value.refusal.field == "options"
