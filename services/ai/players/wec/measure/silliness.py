"""What a player of Weaponized Chess should not do: fire where it sees nobody, and go round in circles."""

from collections import Counter
from collections.abc import Hashable

from services.games.wec.actions import Action, Fire, Home, Strike
from services.games.wec.board import NEXT, OFF, SQUARES
from services.games.wec.kinds import FLIGHT_LEVEL, Article
from services.games.wec.position import Position, View

FLIGHT = 6
"""Squares that a projectile may have before it until its target."""


def has_reason(view: View, action: Action) -> bool:
    """Tell whether a Fire can reach an enemy that its seat sees; anything else that is done has a reason."""
    at = view.field
    if isinstance(action, Home):
        return action.target in at.pieces
    if isinstance(action, Strike):
        return any(piece.seat != view.eye for piece in at.on(action.square))
    if not isinstance(action, Fire):
        return True
    piece = at.pieces[action.piece]
    level = FLIGHT_LEVEL.get(action.weapon, piece.level)
    reach = {Article.FLAME: view.options.flame_range, Article.STUN: view.options.stun_range, Article.CONVERSION: 1}
    square = piece.square
    for _ in range(reach.get(action.weapon, FLIGHT)):
        square = NEXT[square][action.direction]
        if square == OFF:
            return False
        there = at.on(level * SQUARES + square)
        if any(other.seat != view.eye for other in there):
            return True
        if there and action.weapon != Article.FLAME:
            return False
    return False


class Rounds:
    """Counts how often each position of a game has come up at the beginning of a Turn."""

    def __init__(self) -> None:
        self._times: Counter[Hashable] = Counter()

    def note(self, position: Position) -> int:
        """Count a position, and return how often it has come up by now."""
        pieces = tuple(
            (piece.id, piece.seat, piece.place, tuple(one.kind for one in piece.articles)) for piece in position.pieces
        )
        key = position.active, pieces, tuple(tuple(one.kind for one in lying) for lying in position.ground)
        self._times[key] += 1
        return self._times[key]

    @property
    def most(self) -> int:
        """How often the position has come up that came up most."""
        return max(self._times.values(), default=0)
