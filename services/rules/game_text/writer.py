"""A line of play as a text."""

from collections.abc import Callable
from typing import Any

from brettwerk.v1 import errors_pb2, games_pb2, record_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.optional import WritesText
from services.rules.answers import begin, begun_by
from services.rules.any_codec import AnyCodec
from services.rules.game_text import heading
from services.rules.plies import played
from services.runtime.refusal import Refused, malformed

GOES_ON = " ..."
"""Behind a line that is not at its end."""


def write_text(game: AnyCodec, seats: int, loaded: record_pb2.Loaded, go_on: Callable[[], bool]) -> str:
    """Return the text of a line of play.

    Raises Refused: MALFORMED where the game keeps no texts, DEADLINE when time is over; and GameRefusal.
    """
    notation = notation_of(game)
    if not loaded.variation:
        raise malformed("record", "the game has not begun")
    version = begun_by(game, loaded.variation[0])
    options = loaded.options if loaded.HasField("options") else None
    start = loaded.start_position if loaded.HasField("start_position") else None
    position = begin(game, options, seats, start, loaded.variation[0].seed, version).position
    lines = heading.written(game, seats, loaded, version)
    lines.append("")
    number = 1
    before, actions = position, list[Any]()
    for ply in loaded.variation[1:]:
        if not go_on():
            raise Refused(errors_pb2.REASON_DEADLINE, "writing the text took too long")
        if ply.WhichOneof("kind") == "system_action":
            if actions:
                lines.append(f"{number}. {notation.line(before, actions, position)}{GOES_ON}")
            lines.append(_system_action(game, seats, ply.system_action))
            position = played(game, position, ply).position
            before, actions = position, []
            continue
        action = game.unpack(Kind.ACTION, ply.action, "ply.action")
        actions.append(action)
        position = played(game, position, ply).position
        if notation.ends_line(action):
            lines.append(f"{number}. {notation.line(before, actions, position)}")
            number += 1
            before, actions = position, []
    if actions:
        lines.append(f"{number}. {notation.line(before, actions, position)}{GOES_ON}")
    return "\n".join(lines) + "\n"


def notation_of(game: AnyCodec) -> WritesText:
    """Return the game as one that keeps texts. Raises Refused (MALFORMED) where it does not."""
    known: object = game.game
    if not isinstance(known, WritesText):
        raise malformed("text", f"games of {game.game.facts.id} cannot be written as texts")
    return known


def _system_action(game: AnyCodec, seats: int, system_action: games_pb2.SystemAction) -> str:
    match system_action.WhichOneof("kind"):
        case "resign":
            return f"{{resign {system_action.resign + 1}}}"
        case "flag":
            return f"{{time {system_action.flag + 1}}}"
        case "options":
            return f"{{options {heading.pairs(heading.written_options(game, seats, system_action.options))}}}".replace(" }", "}")
        case "draw":
            return "{draw}"
    raise malformed("record", "something was done that a text cannot express")
