"""Whether an enemy could conquer a base in its next turn: what a player should see before they end their own.

Every threat found is true: each way can be gone, after armies that stand in it have stepped aside. It is not all that there is:
turns in which armies make room by a capture, or the emblem does, are left out.
"""

from brettwerk_games.rules.plateau.board import REACH, Army, Board, bits
from brettwerk_games.rules.plateau.budget import MAX_SMALL, MAX_STEPS
from brettwerk_games.rules.plateau.position import Armies, Position, all_of, army_at, living, side
from brettwerk_games.rules.plateau.route import route
from brettwerk_games.rules.plateau.terrain import Terrain, terrain

MAX_SHOWN = 8
"""Most ways that are told."""
_WALKERS = (Army.EMBLEM, Army.SIX, Army.FOUR)


def threats(position: Position, seat: int) -> tuple[tuple[int, ...], ...]:
    """Return for enemy armies that can conquer the base of a seat in their next turn a way to it, from where they stand.

    The position is taken as it stands, so it is the end of the running turn that is looked at. At most MAX_SHOWN ways.
    """
    if seat in position.fallen or position.end is not None:
        return ()
    base, board = position.setup.bases[seat], position.board
    beside = board.spread(1 << base)
    found: list[tuple[int, ...]] = []
    for enemy in living(position):
        if side(position, enemy) == side(position, seat):
            continue
        ground = terrain(position, enemy)
        # An attacker comes through a node beside the base; enemies stand there or may pass there, or nobody comes.
        if beside & (ground.passable | all_of(position.armies[enemy])):
            found += _ways(position, enemy, base, ground)
    return tuple(found[:MAX_SHOWN])


def _ways(position: Position, enemy: int, base: int, ground: Terrain) -> list[tuple[int, ...]]:
    armies, board = position.armies[enemy], position.board
    small = armies[Army.TWO] | armies[Army.FOUR] | armies[Army.SIX]
    room = ground.passable & ~ground.home
    found = []
    for army in _WALKERS:
        within = armies[army] & board.within[army][base]
        if not within:
            continue
        free = ground.passable if army == Army.EMBLEM else room
        most = MAX_STEPS if army == Army.EMBLEM else MAX_SMALL
        near = _near(board, base, most, free, small)
        for node in bits(within):
            way = _walk(board, near, node, free, small)
            if way is not None and len(way) - 1 <= REACH[army] and _fits(board, armies, way, room, most):
                found.append(way)
            elif army == Army.FOUR:
                jumped = (route(board, army, node, base, steps, ground) for steps in (3, 4))
                found += [path for path in jumped if path is not None][:1]
    for node in bits(armies[Army.TWO] & board.within[Army.TWO][base]):
        bent = ((node, corner, base) for corner, end in board.corners[node] if end == base and (room | small) >> corner & 1)
        found += [way for way in bent if _fits(board, armies, way, room, MAX_SMALL)][:1]
    return found


def _near(board: Board, base: int, most: int, free: int, small: int) -> list[int]:
    """Return by steps the nodes from where so many lead to the base; a small army that makes room takes one of them."""
    near = [1 << base]
    for steps in range(1, most + 1):
        beyond = board.spread(near[-1] & free if steps > 1 else near[0])
        aside = near[-2] & small if steps > 2 else 0
        near.append(beyond | board.spread(aside) if aside else beyond)
        if not near[-1] | near[-2]:
            break
    return near


def _walk(board: Board, near: list[int], node: int, free: int, small: int) -> tuple[int, ...] | None:
    """Return the nodes of a shortest way, or None where there is none."""
    left = next((steps for steps, nodes in enumerate(near) if nodes >> node & 1), 0)
    way = [node]
    while left > 1:
        for other in board.neighbours[way[-1]]:
            here = 1 << other
            if near[left - 1] & free & here:
                left -= 1
                break
            if left > 2 and near[left - 2] & small & here:
                left -= 2
                break
        else:
            return None
        way.append(other)
    return (*way, near[0].bit_length() - 1) if left else None


def _fits(board: Board, armies: Armies, way: tuple[int, ...], room: int, most: int) -> bool:
    """Tell whether small armies in the way can step aside, each to a node of its own, with the steps that the way leaves."""
    left = room & ~sum(1 << node for node in way)
    steps, free = len(way) - 1, room
    for node in way[1:-1]:
        army = army_at(armies, node)
        if army is not None:
            aside = _nearest(board, node, free, left, REACH[army])
            if aside is None:
                return False
            steps += aside[0]
            left &= ~aside[1]
            free &= ~aside[1]
    small = steps if most == MAX_SMALL else steps - (len(way) - 1)
    return steps <= most and small <= MAX_SMALL


def _nearest(board: Board, node: int, free: int, goals: int, most: int) -> tuple[int, int] | None:
    """Return in how many steps an army reaches one of the goals, and which, or None."""
    reached = 1 << node
    for steps in range(1, most + 1):
        reached = board.spread(reached) & free
        if reached & goals:
            return steps, reached & goals & -(reached & goals)
    return None
