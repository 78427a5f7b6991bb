"""Requests to computer players in tests, as they go over the wire."""

from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import record_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.einstein import GAME
from brettwerk_games.rules.interface import AnyGame, Kind


def computer(level: str, depth: int = 0) -> record_pb2.Computer:
    return record_pb2.Computer(level=level, depth=depth)


def start_position() -> Any:
    return first_position(GAME, 2)


def first_position(game: AnyGame, seats: int, seed: int = 0) -> Any:
    return game.new(game.codec.decode(Kind.OPTIONS, b""), seats, None, seed.to_bytes(SEED_BYTES, "big")).position


def view_of(position: Any, seat: int, game: AnyGame = GAME) -> AnyMessage:
    type_url = "type.googleapis.com/" + game.codec.type_name(Kind.VIEW)
    return AnyMessage(type_url=type_url, value=game.codec.encode(Kind.VIEW, game.view(position, seat)))
