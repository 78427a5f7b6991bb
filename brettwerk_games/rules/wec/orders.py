"""The orders of a seat: fire at what comes into view, take back on a place, end the Turn (brettwerk_games/rules/orders.py).

They know what the seat's view shows and nothing else. A shot that would hit a piece of the own side on its way is not fired.
"""

from collections.abc import Iterator

from brettwerk_games.rules.orders import IMPOSSIBLE, Doing, Order, wait
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.wec.actions import Action, EndTurn, Fire, Home, Move
from brettwerk_games.rules.wec.board import LEVELS, SQUARES
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.position import View
from brettwerk_games.rules.wec.reach_map import line
from brettwerk_games.rules.wec.rules import actions


def require_order(order: Order, view: View) -> None:
    """Raise Malformed for a place that the board does not have."""
    for key in ("source", "places", "place"):
        if any(number >= len(LEVELS) * SQUARES for number in order.values.get(key, ())):
            raise Malformed("there is no such place", field=key)


def next_action(order: Order, view: View) -> Doing:
    """Return what comes of an order in the view of the seat to act.

    >>> next_action(Order("end_turn"), view).left
    Order(kind='end_turn', values={})
    """
    match order.kind:
        case "fire":
            return _fire(order, view)
        case "recapture":
            return _recapture(order, view)
        case "end_turn":
            return Doing(EndTurn(), order) if EndTurn() in actions(view) else wait(order)
        case _:
            return IMPOSSIBLE


def _from_source(order: Order, view: View, piece: int) -> bool:
    """Tell whether a piece stands where the order's piece does; any does where it names none."""
    source = order.values.get("source", ())
    return not source or view.field.pieces[piece].place == source[0]


def _fire(order: Order, view: View) -> Doing:
    """Return the first shot that hits an enemy piece of the wanted kind on one of the wanted places."""
    source = order.values.get("source", ())
    if source and not any(piece.seat == view.eye for piece in view.field.on(source[0])):
        return IMPOSSIBLE
    wanted = {
        piece.place
        for piece in view.pieces
        if piece.seat != view.eye
        and order.number("kind", 1) in (1, piece.kind + 1)
        and (not order.values.get("places") or piece.place in order.values["places"])
    }
    if not wanted:
        return wait(order)
    own = {piece.place for piece in view.pieces if piece.seat == view.eye}
    perspective = Perspective(view)
    for action in actions(view):
        if not isinstance(action, Fire | Home) or not _from_source(order, view, action.piece):
            continue
        hit = set(_hit(perspective, view, action))
        if hit & wanted and not hit & own:
            again = bool(order.number("again"))
            return Doing(action, order if again else None, done=not again)
    return wait(order)


def _hit(perspective: Perspective, view: View, action: Fire | Home) -> Iterator[int]:
    """Yield the places that a shot hits, as far as the view shows."""
    if isinstance(action, Home):
        yield view.field.pieces[action.target].place
        return
    yield from line(perspective, view.field.pieces[action.piece], action.weapon, action.direction)


def _recapture(order: Order, view: View) -> Doing:
    """Return the Move that takes the enemy piece on a place, once one is seen there."""
    place = order.number("place")
    if not any(piece.seat != view.eye for piece in view.field.on(place)):
        return wait(order)
    taking: list[Action] = [
        action
        for action in actions(view)
        if isinstance(action, Move) and action.place == place and not action.carry and _from_source(order, view, action.piece)
    ]
    return Doing(taking[0], done=True) if taking else wait(order)
