"""For which ratings a game counts: its kind of play, and how long it must have been.

A player who resigns before the game has begun has shown nothing of their strength. A game's `ratings.json` may say how long it is
to be (`"least_plies": 20`): of two seats together, counted in actions of players, and as much for each further seat.
docs/ratings.md has the reason of each game's. It may also name options (`"apart": ["map"]`) with which
games are rated apart where they say anything: on another board other strengths count.
"""

import json
import math
from functools import cache
from pathlib import Path
from typing import NamedTuple

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage

from services.players.game_data import every_game, read

TWO, MANY = "two", "many"
"""Kinds of play: with two seats, and with more."""
ARENA_TWO, ARENA_MANY = "arena2", "arenan"
"""The same for games of the arena, which bots and computers play among themselves."""
APART_TWO, APART_MANY = "apart2", "apartn"
"""The same for games on another board than the usual one."""
KINDS = frozenset({TWO, MANY, ARENA_TWO, ARENA_MANY, APART_TWO, APART_MANY})
"""All kinds that this release knows. Others in the tables are a newer one's, which runs beside it during an upgrade."""
FILE = "ratings.json"
USUAL = 4
"""The least plies of games that say nothing: two actions of each of two seats."""


def kind_of(seats: int, *, apart: bool = False) -> str:
    """Return the kind of play of a game of that many seats; `apart` is what `is_apart` says of it."""
    if apart:
        return APART_TWO if seats == 2 else APART_MANY
    return TWO if seats == 2 else MANY


def is_apart(game: str, options: AnyMessage) -> bool:
    """Tell whether a game with such options is rated apart; not where nobody here knows them."""
    named = _read(game).apart if game in every_game() else ()
    if not named:
        return False
    try:
        descriptor = descriptor_pool.Default().FindMessageTypeByName(options.TypeName())
    except KeyError:
        return False
    message = message_factory.GetMessageClass(descriptor).FromString(options.value)
    return any(getattr(message, option) != descriptor.fields_by_name[option].default_value for option in named)


def arena_kind_of(seats: int) -> str:
    """Return the kind of play of a game of the arena of that many seats."""
    return ARENA_TWO if seats == 2 else ARENA_MANY


def least_plies(game: str, seats: int) -> int:
    """Return how many actions players must have made for a game of that many seats to count."""
    own = _read(game).least_plies if game in every_game() else USUAL
    return math.ceil(own * seats / 2)


class _Stated(NamedTuple):
    """The statements of a game's file."""

    least_plies: int = USUAL
    apart: tuple[str, ...] = ()


@cache  # of games that there are: whatever else callers name would fill it
def _read(game: str) -> _Stated:
    return read(game, FILE, _parse, _Stated())


def _parse(path: Path) -> _Stated:
    stated = json.loads(path.read_text(encoding="utf-8"))
    return _Stated(int(stated.get("least_plies", USUAL)), tuple(map(str, stated.get("apart", ()))))
