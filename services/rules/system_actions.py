"""System actions from messages: what happens outside the seats' turns."""

from typing import Any

from brettwerk.v1 import games_pb2
from brettwerk_games.rules.interface import Draw, Flag, Kind, Reoption, Resign, Step, SystemAction
from services.rules.any_codec import AnyCodec
from services.runtime.refusal import malformed


def system_action(any_codec: AnyCodec, message: games_pb2.SystemAction, seats: int) -> SystemAction[Any]:
    """Return the system action. Raises Refused (MALFORMED) for none, a seat that there is not, and a draw that is none."""
    match message.WhichOneof("kind"):
        case "resign":
            return Resign(_seat(message.resign, seats, "system_action.resign"))
        case "flag":
            return Flag(_seat(message.flag, seats, "system_action.flag"))
        case "draw":
            if not message.draw:
                raise malformed("system_action.draw", "a draw is stated as true")
            return Draw()
        case "options":
            return Reoption(any_codec.unpack(Kind.OPTIONS, message.options, "system_action.options"))
        case _:
            raise malformed("system_action.kind", "the system action does not say what is done")


def carry_out(any_codec: AnyCodec, position: Any, message: games_pb2.SystemAction, seed: bytes) -> Step[Any, Any]:
    """Return the step that a system action makes. Raises Refused (MALFORMED) for what cannot be done here, and GameRefusal."""
    game = any_codec.game
    seats = game.seats(position)
    if message.WhichOneof("kind") != "computers":
        return game.system_action(position, system_action(any_codec, message, seats), seed)
    if not game.facts.tells_seats or message.computers >> seats:
        raise malformed("system_action.computers", "the game does not depend on who plays, or has no such seat")
    return game.seated(position, [bool(message.computers >> seat & 1) for seat in range(seats)], seed)


def _seat(seat: int, seats: int, field: str) -> int:
    if seat >= seats:
        raise malformed(field, f"there is no seat {seat}; there are {seats}, numbered from 0")
    return seat
