"""Pieces that look alike: two on one place, of a side that is not the eye's own, that differ in nothing it sees (WEC-RUL-54).

Their numbers follow the order of their ids, so they must tell nothing: what is done with one of the two could have been done
with the other, and is written so. When they part, numbers are given by what is seen of that (sightings.py).
"""

from typing import Any

from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import SPECTATOR, Position
from brettwerk_games.rules.wec.visibility import sees, targets


def look(piece: Piece) -> tuple[Any, ...]:
    """Return all that the other side sees of a piece but its number (WEC-OBS-2); looks can be sorted."""
    travels_by = 0 if piece.transit is None else int(piece.transit.transport)
    articles = tuple((article.kind, article.ready) for article in piece.articles)
    return (piece.place, piece.kind, piece.hand, piece.seat, piece.stunned, piece.ready, articles, travels_by)


def twin(position: Position, eye: int, piece: Piece) -> Piece | None:
    """Return the piece that an eye cannot tell from one that it sees, if there is one; None up to the second revision.

    A lock tells two pieces apart for the side of the Counter-Stealth.
    """
    if position.revision <= 2 or piece.seat == eye:
        return None
    for number in position.field.at[piece.place]:
        other = position.field.pieces[number]
        if number == piece.id or look(other) != look(piece) or not sees(eye, other, position.unseen, position.options):
            continue
        locked = () if eye == SPECTATOR else targets(one for one in position.pieces if one.seat == eye)
        return None if number in locked or piece.id in locked else other
    return None
