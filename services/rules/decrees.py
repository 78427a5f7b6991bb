"""Decrees from messages: what comes from outside of the seats' turns."""

from typing import Any, cast

from brettwerk.v1 import games_pb2
from services.games.interface import Decree, Draw, Flag, Kind, Reoption, Resign, Step
from services.games.optional import SeatTeller
from services.rules.anys import Carrier
from services.runtime.refusal import malformed


def decree(carrier: Carrier, message: games_pb2.Decree, seats: int) -> Decree[Any]:
    """Return the decree. Raises Refused (MALFORMED) for none, for a seat that there is not, and for a draw that is none."""
    match message.WhichOneof("kind"):
        case "resign":
            return Resign(_seat(message.resign, seats, "decree.resign"))
        case "flag":
            return Flag(_seat(message.flag, seats, "decree.flag"))
        case "draw":
            if not message.draw:
                raise malformed("decree.draw", "a draw is decreed by true")
            return Draw()
        case "options":
            return Reoption(carrier.unpack(Kind.OPTIONS, message.options, "decree.options"))
        case _:
            raise malformed("decree.kind", "the decree does not say what is decreed")


def carry_out(carrier: Carrier, position: Any, message: games_pb2.Decree, seed: bytes) -> Step[Any, Any]:
    """Return the step that a decree makes. Raises Refused (MALFORMED) for what cannot be decreed here, and GameRefusal."""
    game = carrier.game
    seats = game.seats(position)
    if message.WhichOneof("kind") != "computers":
        return game.decree(position, decree(carrier, message, seats), seed)
    if not game.facts.tells_seats or message.computers >> seats:
        raise malformed("decree.computers", "the game does not ask who plays, or has no such seat")
    teller = cast("SeatTeller[Any, Any]", game)
    return teller.seated(position, [bool(message.computers >> seat & 1) for seat in range(seats)], seed)


def _seat(seat: int, seats: int, field: str) -> int:
    if seat >= seats:
        raise malformed(field, f"there is no seat {seat}; there are {seats}, counted from 0")
    return seat
