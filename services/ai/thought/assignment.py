"""The parts of a request: game, level, player and view, checked. The service refuses by it, the worker thinks by it."""

from dataclasses import dataclass, replace
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, record_pb2
from brettwerk_games.packages.trial import trial
from brettwerk_games.players.interface import Player
from brettwerk_games.players.registry import level_of, make_player, players, strength_of
from brettwerk_games.rules.facts import LevelFacts
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.registry import games
from services.ai.celery_worker.app import THINK_MAX_S
from services.runtime.refusal import left_out, malformed, unknown


@dataclass(frozen=True, slots=True)
class Assignment:
    """A player and what it is to look at."""

    game: AnyGame
    level: LevelFacts
    player: Player
    view: Any

    @property
    def think_s(self) -> float:
        """How long the player may think, in seconds."""
        return think_s(self.level)

    def with_view(self, view: AnyMessage) -> "Assignment":
        """Return the same player before another view. Raises Refused: MALFORMED for one that is not of the game."""
        return replace(self, view=_decoded(self.game, view))


def think_s(level: LevelFacts) -> float:
    """Return how long a level's player may think, in seconds."""
    return min(level.think_ms / 1000, THINK_MAX_S)


def named(
    game_id: str, computer: record_pb2.Computer, game_field: str = "game", computer_field: str = "computer"
) -> tuple[AnyGame, LevelFacts]:
    """Return the game and the level that a computer player is of; `game_field` and `computer_field` are where they were named.

    Raises Refused: UNKNOWN for a game, level or player of a level that there is not, UNAVAILABLE for a game that is left out,
    MALFORMED for a depth that the level does not allow.
    """
    game = games().get(game_id)
    if game is None:
        raise left_out(game_id) if game_id in trial().left_out else unknown("game", game_field, game_id, games())
    level = level_of(game, computer.level)
    if level is None or level.player not in players():
        raise unknown("level", f"{computer_field}.level", computer.level, (each.id for each in game.facts.levels))
    try:
        strength_of(level, computer.depth)
    except ValueError as error:
        raise malformed(f"{computer_field}.depth", str(error)) from None
    return game, level


def assign(game_id: str, computer: record_pb2.Computer, view: AnyMessage) -> Assignment:
    """Return the assignment of a request.

    Raises Refused: UNKNOWN for a game or level that there is not, MALFORMED for a depth that the level does not allow or a
    view that is not one of the game.
    """
    game, level = named(game_id, computer)
    return Assignment(game, level, make_player(game, level, computer.depth), _decoded(game, view))


def _decoded(game: AnyGame, view: AnyMessage) -> Any:
    wanted = game.codec.type_name(Kind.VIEW)
    if view.type_url.rpartition("/")[2] != wanted:
        raise malformed("view", f"the view must be a {wanted}")
    try:
        return game.codec.decode(Kind.VIEW, view.value)
    except Malformed as error:
        raise malformed(f"view.{error.field}" if error.field else "view", error.message) from None


def packed_action(game: AnyGame, action: Any) -> AnyMessage:
    """Return an action as it goes over the wire."""
    type_name = game.codec.type_name(Kind.ACTION)
    return AnyMessage(type_url=f"type.googleapis.com/{type_name}", value=game.codec.encode(Kind.ACTION, action))


def described(game: AnyGame, view: Any, action: Any) -> games_pb2.ActionChoice:
    """Return an action of a view with all that clients are told of it."""
    choice = game.choice(view, action)
    return games_pb2.ActionChoice(
        action=packed_action(game, action),
        notation=game.write(view, action),
        places=choice.places,
        label=games_pb2.Text(key=choice.label.key, args=choice.label.args),
        effects=map(games_pb2.Effect.ValueType, choice.effects),
    )
