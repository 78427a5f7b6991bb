"""The positions of a finished game as those saw them who acted, from its record.

Games that began with a variation, an edited position or other rules are left: their positions need not be what players meet. The
record says what its last position is, so one that is replayed wrongly here is noticed, and left too.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, record_pb2
from brettwerk_games.rules.interface import AnyGame, Draw, Flag, Kind, Reoption, Resign, SystemAction
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.refusals import GameRefusal, Malformed
from services.ai.puzzles.search import Moment


def moments_of(game: AnyGame, record: record_pb2.Record) -> Sequence[Moment]:
    """Return the positions of the variation that was played in the end; none where the game cannot be told from its record."""
    try:
        moments, last = _played(game, record)
    except (GameRefusal, Malformed, LookupError, ValueError):
        return ()
    if hashlib.sha256(game.codec.encode(Kind.POSITION, last)).digest() != record.position_hash:
        return ()
    return moments


def _played(game: AnyGame, record: record_pb2.Record) -> tuple[Sequence[Moment], Any]:
    """Return the same, and the last position. Raises ValueError for a game that is left."""
    options, seats = AnyMessage(), 0
    positions: list[Any] = []
    moments: list[Moment | None] = []
    for entry in record.entries:
        match entry.WhichOneof("change"):
            case "created":
                created = entry.created
                _require_own(created)
                if created.rules_version != game.facts.rules_version:
                    raise ValueError(created.rules_version)
                options, seats = created.options, created.seats
            case "settled":
                _require_own(entry.settled)
                options = entry.settled.options
            case "dealt" if entry.dealt.HasField("options"):
                options = entry.dealt.options
            case "loaded" | "chance_renewed":
                raise ValueError("it goes on with another game")
            case "started":
                data = options.value if options.type_url else preset_options(game, seats)
                chosen = game.codec.decode(Kind.OPTIONS, data)
                positions = [game.new(chosen, seats, None, entry.started.seed).position]
            case "acted":
                before, ply = positions[-1], entry.acted.ply
                moments.append(_moment(game, before, ply, entry.version - 1))
                positions.append(_after(game, before, ply))
            case "undone":
                del positions[entry.undone.plies + 1 :], moments[entry.undone.plies :]
    return [moment for moment in moments if moment is not None], positions[-1]


def _require_own(beginning: record_pb2.Created | record_pb2.Settled) -> None:
    if beginning.variation or beginning.HasField("start_position"):
        raise ValueError("it has a beginning of its own")


def _moment(game: AnyGame, before: Any, ply: record_pb2.Ply, version: int) -> Moment | None:
    """Return what a seat saw when it acted; None of a system action."""
    if ply.WhichOneof("kind") != "action":
        return None
    return Moment(game.view(before, ply.actor - 1), game.codec.decode(Kind.ACTION, ply.action.value), version)


def _after(game: AnyGame, before: Any, ply: record_pb2.Ply) -> Any:
    if ply.held:
        before = game.hold(before)
    if ply.WhichOneof("kind") == "action":
        return game.apply(before, ply.actor - 1, game.codec.decode(Kind.ACTION, ply.action.value), ply.seed).position
    if ply.system_action.WhichOneof("kind") == "computers":
        computers = [bool(ply.system_action.computers >> seat & 1) for seat in range(game.seats(before))]
        return game.seated(before, computers, ply.seed).position
    return game.system_action(before, _system_action(game, ply.system_action), ply.seed).position


def _system_action(game: AnyGame, message: games_pb2.SystemAction) -> SystemAction[Any]:
    match message.WhichOneof("kind"):
        case "resign":
            return Resign(message.resign)
        case "flag":
            return Flag(message.flag)
        case "draw":
            return Draw()
        case "options":
            return Reoption(game.codec.decode(Kind.OPTIONS, message.options.value))
        case _:
            raise ValueError("a system action that says nothing")
