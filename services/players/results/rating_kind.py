"""How long a game must have been to count for ratings: who resigns before it has begun has shown nothing of their strength.

A game's `ratings.json` may say so (`"least_plies": 20`), counted in actions of players. It is less than the rules need to end a
game, so that what ends by the rules always counts.
"""

import json
from functools import cache
from pathlib import Path

from services.players.game_data import every_game, read
from services.players.ratings.anchors import FILE

PLIES_OF_A_SEAT = 2
"""What is asked of games that say nothing, for each seat."""


def least_plies(game: str, seats: int) -> int:
    """Return how many actions players must have made for a game of that many seats to count."""
    own = _read(game) if game in every_game() else None
    return PLIES_OF_A_SEAT * seats if own is None else own


@cache  # of games that there are: whatever else callers name would fill it
def _read(game: str) -> int | None:
    return read(game, FILE, _parse, None)


def _parse(path: Path) -> int | None:
    least = json.loads(path.read_text(encoding="utf-8")).get("least_plies")
    return None if least is None else int(least)
