"""A puzzle as a message: what the players service keeps of it."""

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import puzzles_made_pb2
from brettwerk.v1 import puzzles_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame, Kind
from services.ai.puzzles.criteria import Found, Weighed
from services.ai.puzzles.judgement import view_seat
from services.ai.thought.assignment import described

_URL = "type.googleapis.com/"


def written(game: AnyGame, found: Found, session_id: str = "", version: int = 0, played: str = "") -> puzzles_made_pb2.MadePuzzle:
    """Return a puzzle with where it comes from: the session, the version of its position, and what was played there."""
    listed = {action: number for number, action in enumerate(game.actions(found.view))}
    return puzzles_made_pb2.MadePuzzle(
        game=game.facts.id,
        rules_version=game.facts.rules_version,
        view=AnyMessage(type_url=_URL + game.codec.type_name(Kind.VIEW), value=game.codec.encode(Kind.VIEW, found.view)),
        seat=view_seat(game, found.view),
        seats=game.seats(game.sample(found.view, bytes(SEED_BYTES))),
        actions=[_kept(game, found, one) for one in found.actions],
        order=[listed[one.action] for one in found.actions],
        win_chance=found.chance,
        source=puzzles_pb2.PuzzleSource(session_id=session_id, version=version, played=played),
    )


def _kept(game: AnyGame, found: Found, one: Weighed) -> puzzles_pb2.KeptChance:
    return puzzles_pb2.KeptChance(action=described(game, found.view, one.action), kept=round(one.kept, 3))
