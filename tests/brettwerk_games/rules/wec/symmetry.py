"""A position as it is in the mirror, for the other colour, and with the rest of both sides at home behind it."""

from collections.abc import Callable
from dataclasses import dataclass

from brettwerk_games.rules.wec.board import SIZE, SQUARES, distance, place_of
from brettwerk_games.rules.wec.kinds import PRIMARIES, Hand
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried, Piece
from brettwerk_games.rules.wec.position import Position
from brettwerk_games.rules.wec.start import standard_pieces
from brettwerk_games.rules.wec.visibility import first_locks

_CLEAR = 2
"""Squares around a scene on which nobody of the rest stands."""


@dataclass(frozen=True, slots=True)
class Stage:
    """How a position is set up: on the small board or the full one, in the mirror or not, for one colour or the other."""

    full: bool = False
    mirrored: bool = False
    turned: bool = False

    def __str__(self) -> str:
        return "-".join(
            (
                "full" if self.full else "small",
                *(["mirrored"] if self.mirrored else []),
                *(["turned"] if self.turned else []),
            )
        )

    def set_up(self, position: Position) -> Position:
        """Return a position so."""
        position = peopled(position) if self.full else position
        position = mirrored(position) if self.mirrored else position
        return turned(position) if self.turned else position


STAGES = [Stage(full, mirror, turn) for full in (False, True) for mirror in (False, True) for turn in (False, True)]
"""All of them."""


def mirrored(position: Position) -> Position:
    """Return a position with left and right changed; handed pieces change their hand."""
    hands = {Hand.NONE: Hand.NONE, Hand.LEFT: Hand.RIGHT, Hand.RIGHT: Hand.LEFT}
    return _moved(
        position,
        lambda square: square - square % SIZE + SIZE - 1 - square % SIZE,
        lambda piece: piece._replace(hand=hands[piece.hand]),
    )


def turned(position: Position) -> Position:
    """Return a position with the colours changed and the board turned: the other side is to act, a ply later."""

    def later(ply: int) -> int:
        return ply + 1 if ply else 0

    def other(piece: Piece) -> Piece:
        return piece._replace(
            id=_other(piece.id),
            seat=1 - piece.seat,
            articles=tuple(Carried(article.kind, later(article.ready)) for article in piece.articles),
            ready=(later(piece.ready[0]), later(piece.ready[1])),
            stunned=later(piece.stunned),
        )

    found = _moved(position, lambda square: SQUARES - 1 - square, other)
    reserves = sorted(reserve._replace(id=_other(reserve.id), seat=1 - reserve.seat) for reserve in found.reserves)
    return found._replace(ply=position.ply + 1, first_line=position.ply + 1, reserves=tuple(reserves))


def peopled(position: Position) -> Position:
    """Return a position with what else both sides have at the start, where that is at home and out of the way."""
    taken = [piece.square for piece in position.pieces]
    count = {seat: max(piece.id for piece in position.pieces if piece.seat == seat) for seat in (0, 1)}
    found = list(position.pieces)
    for piece in standard_pieces(position.options):
        if piece.kind not in PRIMARIES and all(distance(piece.square, square) >= _CLEAR for square in taken):
            count[piece.seat] += 1
            found.append(piece._replace(id=count[piece.seat]))
    return position._replace(pieces=tuple(first_locks(sorted(found), position.options, position.ply)))


def _other(number: int) -> int:
    return number - WHITE_IDS if number > WHITE_IDS else number + WHITE_IDS


def _moved(position: Position, square: Callable[[int], int], changed: Callable[[Piece], Piece]) -> Position:
    pieces = [changed(p._replace(place=place_of(square(p.square), p.level), lock=0, revealed=0)) for p in position.pieces]
    ground: list[tuple[Carried, ...]] = [()] * SQUARES
    for at, lying in enumerate(position.ground):
        ground[square(at)] = lying
    reserves = tuple(reserve._replace(square=square(reserve.square)) for reserve in position.reserves)
    locked = first_locks(sorted(pieces), position.options, position.ply)
    return position._replace(pieces=tuple(locked), ground=tuple(ground), reserves=reserves)
