"""Computer levels as fixed points of the scale: each game's `ratings.json` says how strong its levels are.

    {"source": where that was measured, "two": {level: {"rating": 1500, "deviation": 30}}, "many": {...}}

The worth of a level is not changed by games: so it holds the scale where it is, and two servers can be compared. A level that is
not named there is no opponent for ratings. In the arena, and on other boards than the usual one, the levels stand where they
stand elsewhere.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from services.players.game_data import every_game, read
from services.players.ratings.glicko2 import Rating
from services.players.results.rating_kind import APART_MANY, APART_TWO, ARENA_MANY, ARENA_TWO, FILE, MANY, TWO


def anchors(game: str) -> Mapping[tuple[str, str], Rating]:
    """Return the ratings of a game's levels by kind of play and level; none for a game that names none, or is none."""
    return _read(game) if game in every_game() else {}


@cache  # of games that there are: whatever else callers name would fill it
def _read(game: str) -> Mapping[tuple[str, str], Rating]:
    return read(game, FILE, _parse, {})


def _parse(path: Path) -> Mapping[tuple[str, str], Rating]:
    data = json.loads(path.read_text(encoding="utf-8"))
    return {
        (kind, level): Rating(float(one["rating"]), float(one["deviation"]))
        for stated, *kinds in ((TWO, TWO, ARENA_TWO, APART_TWO), (MANY, MANY, ARENA_MANY, APART_MANY))
        for kind in kinds
        for level, one in data.get(stated, {}).items()
    }
