"""A view made ready for the rules: legality is judged on what a seat sees and on nothing else (WEC-OBS-9, WEC-RUL-66)."""

from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec.board import SQUARES
from brettwerk_games.rules.wec.options import Actions, StunEffect
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import View


class Perspective:
    """A view with its pieces by place."""

    __slots__ = ("_enemies_on", "_own", "field", "options", "ply", "seat", "turn", "view")

    def __init__(self, view: View) -> None:
        """Read a view."""
        self.view = view
        self.field = view.field
        self.options = view.options
        self.ply = view.ply
        self.seat = view.eye
        self.turn = view.turn
        self._enemies_on: dict[int, list[Piece]] = {}
        self._own: list[Piece] | None = None

    def own(self) -> list[Piece]:
        """Return the seat's own pieces."""
        if self._own is None:
            seat = self.seat
            self._own = [piece for piece in self.view.pieces if piece.seat == seat]
        return self._own

    def enemies_on(self, level: int) -> list[Piece]:
        """Return the other side's pieces on a level, in order."""
        if level not in self._enemies_on:
            self._enemies_on[level] = [
                piece for piece in self.view.pieces if piece.place // SQUARES == level and piece.seat != self.seat
            ]
        return self._enemies_on[level]

    def stunned(self, piece: Piece) -> bool:
        """Tell whether a piece is stunned now (WEC-RUL-1)."""
        return piece.stunned >= self.ply

    def require_own(self, number: int) -> Piece:
        """Return the seat's own piece of this id. Raises Illegal, in the same words whether there is another one or none."""
        piece = self.field.pieces.get(number)
        if piece is None or piece.seat != self.seat:
            raise Illegal("you have no such piece", rule="WEC-GAME-2")
        return piece

    def idle_reason(self, piece: Piece) -> str:
        """Return the rule by which a piece can do nothing in this Turn, or an empty string; for Moves see move_execution.py."""
        if piece.stunned >= self.ply and self.options.stun_effect == StunEffect.HELPLESS:
            return "WEC-RUL-11"
        if piece.id in self.turn.arrived:
            return "WEC-RUL-19"
        if piece.id in self.turn.acted and self.options.actions == Actions.ONE_PER_PIECE:
            return "WEC-RUL-49"
        return ""

    def require_able(self, piece: Piece) -> None:
        """Raise Illegal when a piece can do nothing in this Turn."""
        rule = self.idle_reason(piece)
        if rule:
            raise Illegal("this piece cannot act now", rule=rule)

    def require_all_actions(self) -> None:
        """Raise Illegal where Moves are all there is (WEC-RUL-50)."""
        if self.options.actions == Actions.MOVES_ONLY:
            raise Illegal("only Moves are allowed", rule="WEC-RUL-50")
