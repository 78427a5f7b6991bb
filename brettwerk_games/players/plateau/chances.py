"""A worth as a chance to win: fitted to games among equals (docs/plateau-player.md, measure/chances.py)."""

import math

from brettwerk_games.players.plateau.turn_search import WON
from brettwerk_games.rules.plateau.position import Position, living, side

SCALE = 180.0
"""How much more worth makes even chances e to 1, in hundredths of a two."""
LIMIT = 2.2
"""No worth makes chances among two better than e to this power to 1: what looks like a won game is not one yet."""
LOST = 0.02
"""The chance of a seat that finds only turns after which another wins at once."""
_LATER = 500
"""A win that is worth so much less comes in a later turn: answers that were not looked at may prevent it."""


def chance(position: Position, worth: float) -> float:
    """Return the chance to win of the side that a position is worth so much to; a draw counts as half."""
    if worth > WON - _LATER:
        return 1.0
    if worth < -WON / 2:
        return LOST
    others = len({side(position, seat) for seat in living(position)}) - 1
    return 1 / (1 + max(1, others) * math.exp(-LIMIT * math.tanh(worth / (LIMIT * SCALE))))
