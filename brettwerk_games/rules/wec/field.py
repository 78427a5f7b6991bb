"""The pieces by id and by place: what the rules ask all the time. Made of all pieces, or of those that a seat sees."""

from collections.abc import Iterable, Iterator

from brettwerk_games.rules.wec.kinds import CARRIES_IN
from brettwerk_games.rules.wec.pieces import Piece, may_share, self_supporting


class Field:
    """Pieces on places. It can be changed, but for a view's own (`View.field`); the pieces themselves cannot.

    `at` has the ids of those on a place that is not empty, in order.
    """

    __slots__ = ("at", "pieces")

    def __init__(self, pieces: Iterable[Piece]) -> None:
        """Put pieces on their places; those that share one come in order of id."""
        self.pieces: dict[int, Piece] = {}
        self.at: dict[int, tuple[int, ...]] = {}
        at = self.at
        for piece in pieces:
            number, place = piece.id, piece.place
            self.pieces[number] = piece
            at[place] = (*at[place], number) if place in at else (number,)

    def copy(self) -> "Field":
        """Return another field with the same pieces, which can be changed."""
        field = Field(())
        field.pieces, field.at = self.pieces.copy(), self.at.copy()
        return field

    def seen(self, pieces: "tuple[Piece, ...]") -> "Field":
        """Return what of this field a view of it shows: these pieces, some of them perhaps not all that they are."""
        field = self.copy()
        known = field.pieces
        if len(pieces) < len(known):
            shown = {piece.id for piece in pieces}
            for number in self.pieces:
                if number not in shown:
                    field.remove(number)
        for piece in pieces:
            if known[piece.id] is not piece:
                known[piece.id] = piece
        return field

    def on(self, place: int) -> list[Piece]:
        """Return the pieces on a place, in order of id."""
        ids = self.at.get(place)
        return [self.pieces[number] for number in ids] if ids else []

    def put(self, piece: Piece) -> None:
        """Add a piece, or let it take the place of its former self."""
        before = self.pieces.get(piece.id)
        self.pieces[piece.id] = piece
        if before is not None:
            if before.place == piece.place:
                return
            self._leave(before)
        self.at[piece.place] = tuple(sorted((*self.at.get(piece.place, ()), piece.id)))

    def remove(self, number: int) -> None:
        """Take a piece off."""
        self._leave(self.pieces.pop(number))

    def _leave(self, piece: Piece) -> None:
        ids = tuple(number for number in self.at[piece.place] if number != piece.id)
        if ids:
            self.at[piece.place] = ids
        else:
            del self.at[piece.place]

    def in_order(self) -> Iterator[Piece]:
        """Yield all pieces in order of id (WEC-RUL-54)."""
        return (self.pieces[number] for number in sorted(self.pieces))

    def room_for(self, piece: Piece, place: int) -> bool:
        """Tell whether a piece may come to a place without taking (WEC-COEX-3): no enemy, and sharing where a friend is."""
        there = [other for other in self.on(place) if other.id != piece.id]
        return not there or (len(there) == 1 and there[0].seat == piece.seat and may_share(there[0], piece))

    def companion(self, piece: Piece) -> Piece | None:
        """Return the other friendly piece on the same place, if there is one."""
        for other in self.at[piece.place]:
            if other != piece.id and self.pieces[other].seat == piece.seat:
                return self.pieces[other]
        return None

    def supported(self, piece: Piece) -> bool:
        """Tell whether a piece can stay on its level (WEC-RUL-30)."""
        if self_supporting(piece):
            return True
        other = self.companion(piece)
        return other is not None and CARRIES_IN.get(other.kind) == other.level
