"""A move's effects: steps, captures, conquests, empires that fall, and the end of the game (EP-CAPTURE, EP-BASE, EP-MULTI)."""

from brettwerk_games.rules.plateau import budget
from brettwerk_games.rules.plateau.actions import Ended, Event, Fell, Moved
from brettwerk_games.rules.plateau.board import Army
from brettwerk_games.rules.plateau.options import Fallen
from brettwerk_games.rules.plateau.position import (
    NO_ARMIES,
    Armies,
    End,
    Position,
    all_of,
    army_at,
    base_of,
    holder,
    living,
    side,
)


def play(position: Position, army: Army, path: tuple[int, ...]) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after a legal move of the seat to move, and what happened. The turn does not end by itself."""
    seat, source, target = position.to_move, path[0], path[-1]
    taken = holder(position, target)
    base = base_of(position, target)
    conquered = base if base != seat else None
    after = _without(position, taken[0], 1 << target) if taken else position
    armies = list(after.armies)
    armies[seat] = _moved(armies[seat], army, source, target)
    turn = budget.after(position.turn, army, len(path) - 1)
    after = after._replace(armies=tuple(armies), turn=turn._replace(moved=turn.moved | 1 << target))
    events: tuple[Event, ...] = (Moved(seat, army, path, taken, conquered),)
    if taken or conquered is not None:
        after = after._replace(history=())
    if conquered is not None:
        after, more = fall(after, conquered, seat, End.CONQUEST)
        return after, events + more
    if taken and not all_of(after.armies[taken[0]]):
        after, more = fall(after, taken[0], None, End.ARMIES)
        return after, events + more
    return after, events


def _moved(armies: Armies, army: Army, source: int, target: int) -> Armies:
    nodes = list(armies)
    nodes[army] ^= 1 << source | 1 << target
    return nodes[0], nodes[1], nodes[2], nodes[3]


def _without(position: Position, seat: int, nodes: int) -> Position:
    twos, fours, sixes, emblem = position.armies[seat]
    armies = list(position.armies)
    armies[seat] = (twos & ~nodes, fours & ~nodes, sixes & ~nodes, emblem & ~nodes)
    return position._replace(armies=tuple(armies))


def fall(position: Position, seat: int, by: int | None, end: End) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after a seat is out, and the game over if that decides it (EP-GOAL-2, EP-MULTI-1).

    `by` is the conqueror; without one, the empire leaves the board (EP-MULTI-7). When the game ends, the board stays as it is.
    """
    after = position._replace(fallen=(*position.fallen, seat), history=())
    left = living(after)
    sides = {side(after, other) for other in left}
    if len(sides) == 1 or (end == End.CONQUEST and position.options.conquest_wins):
        winner = by if by is not None else left[0]
        return after._replace(winner=winner, end=end), (Fell(seat, by, 0), Ended(winner, end))
    armies = list(after.armies)
    twos, fours, sixes, _ = armies[seat]
    armies[seat] = NO_ARMIES
    turn, inherited = after.turn, 0
    if by is not None and position.options.fallen == Fallen.TAKE_OVER:
        mine = armies[by]
        armies[by] = (mine[0] | twos, mine[1] | fours, mine[2] | sixes, mine[3])
        turn = turn._replace(moved=turn.moved | twos | fours | sixes)
        inherited = (twos | fours | sixes).bit_count()
    return after._replace(armies=tuple(armies), turn=turn), (Fell(seat, by, inherited),)


def army_to_move(position: Position, node: int) -> Army | None:
    """Return which army of the seat to move stands on a node."""
    return army_at(position.armies[position.to_move], node)
