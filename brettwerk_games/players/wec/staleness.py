"""Moves that lead back to where the game has been: they cost something, and more the longer nothing has happened."""

from brettwerk_games.rules.wec.actions import Move
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.repetition import bumps, trail

_ONCE = 25
"""The cost of bringing about a position that was there before, in hundredths of a Pawn."""
_QUIET = 2
"""And more for each Turn in which nothing has happened."""
_BUMP = 4
"""A Move that was bumped counts as so many: who was in its way may well be there still."""
_MAX = 600


class Staleness:
    """Judges Moves by the history that the view of a seat carries."""

    def __init__(self, perspective: Perspective) -> None:
        """Look back as far as nothing but Moves was made."""
        self._perspective = perspective
        self._trail = None if perspective.turn.mover else trail(perspective.view)
        self._before = self._trail.after_moves() if self._trail is not None else {}
        self._bumps = bumps(perspective.view, len(self._trail.before)) if self._trail is not None else {}

    def of(self, move: Move) -> float:
        """Return what it costs that a Move leads to a position that was there before, or is stopped as it was; 0 when neither."""
        if self._trail is None or not self._before:
            return 0.0
        piece = self._perspective.field.pieces[move.piece]
        passenger = self._perspective.field.companion(piece) if move.carry else None
        times = self._before.get(self._trail.moved(piece, move.place, passenger), 0)
        times += _BUMP * self._bumps.get(((piece.kind, piece.hand, piece.place), move.place), 0)
        return float(min(_MAX, times * (_ONCE + _QUIET * len(self._trail.before))))
