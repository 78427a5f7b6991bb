"""For which ratings a game counts: its kind of play, and how long it must have been.

A player who resigns before the game has begun has shown nothing of their strength. A game's `ratings.json` may say how long it is
to be (`"least_plies": 20`): of two seats together, counted in actions of players, and as much for each further seat.
docs/ratings.md has the reason of each game's.
"""

import json
import math
from functools import cache
from pathlib import Path

from services.players.game_data import every_game, read

TWO, MANY = "two", "many"
"""Kinds of play: with two seats, and with more."""
ARENA_TWO, ARENA_MANY = "arena2", "arenan"
"""The same for games of the arena, which bots and computers play among themselves."""
FILE = "ratings.json"
USUAL = 4
"""The least plies of games that say nothing: two actions of each of two seats."""


def kind_of(seats: int) -> str:
    """Return the kind of play of a game of that many seats."""
    return TWO if seats == 2 else MANY


def arena_kind_of(seats: int) -> str:
    """Return the kind of play of a game of the arena of that many seats."""
    return ARENA_TWO if seats == 2 else ARENA_MANY


def least_plies(game: str, seats: int) -> int:
    """Return how many actions players must have made for a game of that many seats to count."""
    own = _read(game) if game in every_game() else None
    return math.ceil((USUAL if own is None else own) * seats / 2)


@cache  # of games that there are: whatever else callers name would fill it
def _read(game: str) -> int | None:
    return read(game, FILE, _parse, None)


def _parse(path: Path) -> int | None:
    least = json.loads(path.read_text(encoding="utf-8")).get("least_plies")
    return None if least is None else int(least)
