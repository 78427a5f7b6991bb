"""Plies of a log, as the rules play them: an action of a seat or a system action, with its step seed, which may be held."""

from collections.abc import Iterator
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import games_pb2, record_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import Draw, Flag, Kind, Reoption, Resign, Step, SystemAction
from brettwerk_games.rules.refusals import GameRefusal
from services.rules.any_codec import AnyCodec, any_codec_of_session
from services.rules.steps import UNWRITTEN, Written, fill_step, unaware, written
from services.runtime.refusal import Refused, malformed


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


def played(game: AnyCodec, position: Any, ply: record_pb2.Ply) -> Step[Any, Any]:
    """Return the step that a ply makes. Raises Refused (MALFORMED) if it is not a ply, and GameRefusal."""
    if len(ply.seed) != SEED_BYTES:
        raise malformed("step_seed", f"a step seed has {SEED_BYTES} bytes, not {len(ply.seed)}")
    position = game.counting(position, ply.held)
    match ply.WhichOneof("kind"):
        case "action":
            if not 1 <= ply.actor <= game.game.seats(position):
                raise malformed("ply.actor_seat", "an action names its seat")
            action = game.unpack(Kind.ACTION, ply.action, "ply.action")
            return game.game.apply(position, ply.actor - 1, action, ply.seed)
        case "system_action":
            if ply.actor:
                raise malformed("ply.actor_seat", "a system action names no seat")
            return carry_out(game, position, ply.system_action, ply.seed)
        case _:
            raise malformed("ply.kind", "the ply does not say what was done")


def notation(game: AnyCodec, before: Any, ply: record_pb2.Ply, step: Step[Any, Any], audiences: int = 0) -> Written:
    """Return what is written of a ply that made a step, for these audiences; nothing of a system action."""
    if ply.WhichOneof("kind") != "action":
        return UNWRITTEN
    action = game.unpack(Kind.ACTION, ply.action, "ply.action")
    return written(game, before, ply.actor - 1, action, step, audiences)


def canonical(game: AnyCodec, ply: record_pb2.Ply) -> AnyMessage | None:
    """Return what a ply did as it is written here; None where it was written so."""
    if ply.WhichOneof("kind") == "action":
        return game.canonical(Kind.ACTION, ply.action, game.unpack(Kind.ACTION, ply.action, "ply.action"))
    return canonical_system_action(game, ply.system_action)


def canonical_system_action(game: AnyCodec, message: games_pb2.SystemAction) -> AnyMessage | None:
    """Return the options of a system action as they are written here; None where they were written so, and where it has none."""
    if message.WhichOneof("kind") != "options":
        return None
    return game.canonical(Kind.OPTIONS, message.options, game.unpack(Kind.OPTIONS, message.options, "system_action.options"))


def play_on(request: rules_pb2.PlayOnRequest, response: rules_pb2.PlayOnResponse) -> Iterator[None]:
    """Fill a response step by step, and yield after each; end before a ply that the rules do not follow.

    Raises Refused: what there is against the game, its revision or the position.
    """
    game = any_codec_of_session(request.game, request.rules_version)
    position = game.unpack_stored(request.position, "position")
    first_shown = len(request.plies) - request.shown
    first_kept = len(request.plies) - max(request.shown, request.positions, 1)
    for number, ply in enumerate(request.plies):
        audiences = request.audiences if number >= first_shown else 0
        try:
            game.require_held(request.rules_version, ply.held)
            step = played(game, position, ply)
            notations = notation(game, position, ply, step, audiences)
        except (Refused, GameRefusal):
            if response.steps:
                game.put(Kind.POSITION, position, response.steps[-1].position)
            return
        missed = unaware(game, position, step)
        fill_step(
            game,
            step,
            response.steps.add(),
            notations,
            audiences,
            unlisted=request.unlisted,
            has_position=number >= first_kept,
            unaware=missed,
            canonical=canonical(game, ply),
        )
        position = step.position
        yield
