"""The order of a seat: which of its moves it prefers, whatever is rolled (brettwerk_games/rules/orders.py)."""

from brettwerk_games.rules.einstein.actions import Move
from brettwerk_games.rules.einstein.board import GOAL, SIZE
from brettwerk_games.rules.einstein.position import ARRANGED, GONE, Position, View
from brettwerk_games.rules.einstein.rules import moves
from brettwerk_games.rules.orders import DONE, IMPOSSIBLE, Doing, Order, wait

_ENEMIES, _ANY, _NONE = 1, 2, 3
"""The choices of `captures`."""


def require_order(order: Order, view: View) -> None:
    """Return: every order that has its fields can be carried out."""


def next_action(order: Order, view: View) -> Doing:
    """Return the move that an order prefers, whatever was rolled; one that wins comes before all others.

    >>> next_action(Order("pick", {"stone": (3,)}), view).action
    Move(stone=3, target=12)
    """
    position = view.position
    if order.kind != "pick":
        return IMPOSSIBLE
    if position.arranging != ARRANGED:
        return wait(order)
    if _nearest(position) <= order.number("near"):
        return DONE
    best = max(moves(position), key=lambda move: _worth(order, position, move))
    return Doing(best, order)


def _nearest(position: Position) -> int:
    """Return how many steps the other side's nearest stone is from the corner that it runs for."""
    other = 1 - position.to_move
    row, column = divmod(GOAL[other], SIZE)
    found = (divmod(square, SIZE) for square in position.stones[other] if square != GONE)
    return min((max(abs(row - r), abs(column - c)) for r, c in found), default=SIZE)


def _worth(order: Order, position: Position, move: Move) -> tuple[int, int, int, int]:
    seat, target = position.to_move, move.target
    own, enemy = target in position.stones[seat], target in position.stones[1 - seat]
    captures = {_ENEMIES: 2 * enemy - own, _ANY: 0, _NONE: -(own or enemy)}[order.number("captures", _ENEMIES)]
    step = abs(target - position.stones[seat][move.stone - 1])
    direction = {1: SIZE + 1, 2: 1, 3: SIZE}[order.number("direction", 1)]
    return int(target == GOAL[seat]), captures, int(move.stone == order.number("stone")), int(step == direction)
