"""The effects of an action on the pieces, as far as its seat can foresee them: the effects that are listed with it.

Made of a view and of nothing else. A hidden piece can thwart a Move, and whatever moves meanwhile a transit; otherwise this is
what happens, as tests compare with the steps of the rules.
"""

from typing import NamedTuple

from brettwerk_games.rules.interface import Effect
from brettwerk_games.rules.wec.actions import Action, Doze, Move, Travel
from brettwerk_games.rules.wec.board import AIR, GROUND, SQUARES, SUB
from brettwerk_games.rules.wec.field import Field
from brettwerk_games.rules.wec.kinds import TRAVEL_LEVEL, Article
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.transits import route

_ENDS = {GROUND: Effect.ON_GROUND, AIR: Effect.IN_AIR, SUB: Effect.UNDER_WATER}
_LEAVES = {
    (GROUND, AIR): Effect.TAKES_OFF,
    (AIR, GROUND): Effect.LANDS,
    (GROUND, SUB): Effect.DIVES,
    (SUB, GROUND): Effect.SURFACES,
}


def effects(field: Field, action: Action) -> tuple[Effect, ...]:
    """Return the effects of a legal action on what a view shows, in ascending order."""
    if not isinstance(action, (Move, Doze, Travel)) or action.piece not in field.pieces:
        return ()
    piece = field.pieces[action.piece]
    if isinstance(action, Move):
        return move_effects(field, piece, action.place)
    if isinstance(action, Doze):
        return (Effect.ON_GROUND,)
    return travel_effects(piece, action, obstacles(field, piece, action.transport))


def taken(field: Field, piece: Piece, place: int) -> bool:
    """Tell whether a legal Move of a piece to a place takes what a view shows there."""
    return any(other.seat != piece.seat for other in field.on(place))


def move_effects(field: Field, piece: Piece, place: int) -> tuple[Effect, ...]:
    """Return the effects of a Move to a place."""
    return _MOVED[taken(field, piece, place), piece.level, place // SQUARES]


def _moved(*, takes: bool, source: int, target: int) -> tuple[Effect, ...]:
    found = [Effect.TAKES] if takes else []
    if (source, target) in _LEAVES:
        found.append(_LEAVES[source, target])
    return (*found, _ENDS[target])


_MOVED = {
    (takes, source, target): _moved(takes=takes, source=source, target=target)
    for takes in (False, True)
    for source in _ENDS
    for target in _ENDS
}


class Obstacles(NamedTuple):
    """The squares of the level of a transit where a piece does not find room, and those where it cannot come to the Ground."""

    level: int
    over: frozenset[int]
    down: frozenset[int]


def obstacles(field: Field, piece: Piece, transport: Article) -> Obstacles:
    """Return what is in the way of a piece's transit, as the board is."""
    level = TRAVEL_LEVEL[transport]
    full = [place for place in field.at if not field.room_for(piece, place)]
    over = frozenset([place % SQUARES for place in full if place // SQUARES == level])
    return Obstacles(level, over, frozenset([place for place in full if place < SQUARES]))


def travel_effects(piece: Piece, action: Travel, there: Obstacles) -> tuple[Effect, ...]:
    """Return the effects of a transit if nothing else moves until its end: see transits.advance."""
    squares = route(piece.square, action.square, action.route)
    rises = piece.level != there.level
    if piece.square in there.over if rises else squares[0] in there.over:
        lost = not rises and there.level != GROUND and piece.square in there.down
        return (Effect.CRASHES, Effect.BLOCKED) if lost else (Effect.BLOCKED,)
    rising = (_LEAVES[piece.level, there.level],) if rises else ()
    if there.level == GROUND:
        return (*rising, Effect.ON_GROUND)
    at = piece.square
    for square in squares:
        if square in there.over:
            break
        at = square
    return (Effect.CRASHES, *rising) if at in there.down else (*rising, Effect.ON_GROUND)
