"""The players that there are: every module of this folder that has a `PLAYER`. A new one is found by itself.

A module may have `provide`, `warm_up`, `cheapest`, `play_game`, `STEADY` and `TABLES`, too: what they are for is said at the
functions here that use them.
"""

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import brettwerk_games.players
from brettwerk_games.players import generic
from brettwerk_games.players.endgame_tables import EndgameTables
from brettwerk_games.players.interface import Cheapest, Player, PlayerMaker, Players, Simulator
from brettwerk_games.rules.facts import LevelFacts
from brettwerk_games.rules.interface import AnyGame


@cache
def players() -> Players:
    """Return all player makers by name."""
    found: dict[str, PlayerMaker] = {}
    for module in pkgutil.iter_modules(brettwerk_games.players.__path__):
        maker = getattr(importlib.import_module(f"{brettwerk_games.players.__name__}.{module.name}"), "PLAYER", None)
        if maker is not None:
            found[module.name] = maker
    return MappingProxyType(found)


def provide() -> None:
    """Let the players get what makes them stronger; called once in a worker. It starts what takes long and returns at once."""
    _call("provide")


def warm_up() -> None:
    """Let the players open what they need; called in each process of a worker before its first request."""
    _call("warm_up")


def endgame_tables() -> EndgameTables:
    """Return the endgame tables that operators may change: those of the one player that has any."""
    modules = (importlib.import_module(f"{brettwerk_games.players.__name__}.{player}") for player in players())
    found: EndgameTables = next(module.TABLES for module in modules if hasattr(module, "TABLES"))
    return found


def _call(name: str) -> None:
    for player in players():
        hook = getattr(importlib.import_module(f"{brettwerk_games.players.__name__}.{player}"), name, None)
        if hook is not None:
            hook()


def level_of(game: AnyGame, level: str) -> LevelFacts | None:
    """Return a level by its id, the strongest one of fixed depth for an empty id, or None when there is no such level."""
    if level:
        return next((facts for facts in game.facts.levels if facts.id == level), None)
    return next((facts for facts in reversed(game.facts.levels) if not facts.max_depth), game.facts.levels[-1])


def make_player(game: AnyGame, level: LevelFacts, depth: int) -> Player:
    """Return the player of a level; `depth` is what the seat asked for, 0 for the level's own.

    Raises ValueError for a depth that the level does not allow.
    """
    return players()[level.player](game, strength_of(level, depth))


def cheapest(game: AnyGame, level: LevelFacts, depth: int, view: Any, seed: int) -> Any:
    """Return what a level does when it has next to no time: some milliseconds of CPU, also in a process that is no worker.

    Where the level's player offers no such thing, the generic player does it. Not to be called by two threads at once.
    Raises ValueError for a depth that the level does not allow, NothingToDo when the view's seat is not to act.
    """
    strength = strength_of(level, depth)
    module = importlib.import_module(f"{brettwerk_games.players.__name__}.{level.player}")
    find: Cheapest = getattr(module, "cheapest", generic.cheapest)
    return find(game, strength, view, seed)


def make_steady_player(game: AnyGame, level: LevelFacts) -> Player:
    """Return the player of a level as it plays wherever all machines must find the same: with only the means that all have.

    That is the level's `STEADY` where its module has one, else its `PLAYER`.
    """
    module = importlib.import_module(f"{brettwerk_games.players.__name__}.{level.player}")
    maker: PlayerMaker = getattr(module, "STEADY", None) or players()[level.player]
    return maker(game, strength_of(level, 0))


def simulator(levels: Sequence[LevelFacts]) -> Simulator | None:
    """Return what plays whole games among these levels at full speed; None where there is no such thing for all of them."""
    if len({level.player for level in levels}) != 1:
        return None
    module = importlib.import_module(f"{brettwerk_games.players.__name__}.{levels[0].player}")
    found: Simulator | None = getattr(module, "play_game", None)
    return found


def strength_of(level: LevelFacts, depth: int) -> int:
    """Return how strong a level's player is to be. Raises ValueError for a depth that the level does not allow."""
    if not 0 <= depth <= level.max_depth:
        raise ValueError(f"level {level.id} allows depths up to {level.max_depth}, not {depth}")
    return depth or level.strength
