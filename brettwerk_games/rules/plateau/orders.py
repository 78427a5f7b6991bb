"""The orders of a seat: an army marches to a node, turn after turn, and turns end (brettwerk_games/rules/orders.py)."""

from brettwerk_games.rules.orders import DONE, IMPOSSIBLE, Doing, Order, wait
from brettwerk_games.rules.plateau import budget
from brettwerk_games.rules.plateau.actions import Move
from brettwerk_games.rules.plateau.position import Position, View, all_of, army_at
from brettwerk_games.rules.plateau.rules import END_TURN, moves
from brettwerk_games.rules.refusals import Malformed


def require_order(order: Order, view: View) -> None:
    """Raise Malformed for a node that the board does not have."""
    board = view.position.board
    for key in ("source", "target"):
        if any(number >= len(board.neighbours) or not board.neighbours[number] for number in order.values.get(key, ())):
            raise Malformed("there is no such node", field=key)


def next_action(order: Order, view: View) -> Doing:
    """Return what comes of an order in the view of the seat to move.

    >>> next_action(Order("end_turn"), view).left
    Order(kind='end_turn', values={})
    """
    position = view.position
    if order.kind == "end_turn":
        return Doing(END_TURN, order) if budget.may_end(position.turn) else wait(order)
    return _march(order, position) if order.kind == "march" else IMPOSSIBLE


def _march(order: Order, position: Position) -> Doing:
    """Return the move that brings the army nearest to its target, by as few steps as that takes; it takes nothing before."""
    source, target = order.number("source"), order.number("target")
    army = army_at(position.armies[position.to_move], source)
    if army is None or order.number("army", army) != army:
        return IMPOSSIBLE
    if source == target:
        return DONE
    far, enemies = _distances(position, target), _enemies(position)
    most = order.number("steps", 12)
    ways = [
        move
        for move in moves(position)
        if move.source == source
        and move.steps <= most
        and far[move.target] < far[source]
        and (move.target == target or not enemies >> move.target & 1)
    ]
    if not ways:
        return wait(order)
    best = min(ways, key=lambda move: (far[move.target], move.steps, move.target))
    left = order.replaced(source=best.target, army=army)
    return Doing(Move(source, best.target, best.steps), None if best.target == target else left, done=best.target == target)


def _enemies(position: Position) -> int:
    own = position.to_move
    return sum(all_of(armies) for seat, armies in enumerate(position.armies) if seat != own)


def _distances(position: Position, target: int) -> list[int]:
    """Return how many steps each node is from the target, over whatever stands there."""
    neighbours = position.board.neighbours
    far = [len(neighbours)] * len(neighbours)
    far[target], queue = 0, [target]
    for node in queue:
        for near in neighbours[node]:
            if far[near] > far[node] + 1:
                far[near] = far[node] + 1
                queue.append(near)
    return far
