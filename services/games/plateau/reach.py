"""Where an army can go: every target with every number of steps, from the node it stands on (EP-MOVE).

Twos and fours are listed path by path. For sixes and the emblem, which has some 400,000 paths in the open to some 600 targets and
steps, far.py has a way that lists no paths.
"""

from functools import lru_cache
from typing import NamedTuple

from services.games.plateau import far
from services.games.plateau.board import REACH, Army, Board
from services.games.plateau.terrain import Terrain


class Reached(NamedTuple):
    """A target with a number of steps.

    `nodes` are those of one path to it, both ends included; of far ways they are the ends only. `quiet` is plain walking: no
    capture, no conquest, no jump.
    """

    target: int
    steps: int
    nodes: int
    quiet: bool


def reach(board: Board, army: Army, node: int, terrain: Terrain) -> tuple[Reached, ...]:
    """Return all that an army on a node can reach within its number, by target and then by steps."""
    near = board.within[army][node]
    passable = terrain.passable & near
    if army == Army.EMBLEM:
        return _emblem(board, node, passable, terrain.ends & near)
    passable &= ~terrain.home
    if army == Army.TWO:
        return _two(board, node, passable, terrain.ends & near)
    if army == Army.FOUR:
        return _four(board, node, passable, terrain.ends & near, terrain.jumpable & near, terrain.jump_may_end)
    return _six(board, node, passable, terrain.ends & near)


@lru_cache(maxsize=16384)
def _two(board: Board, node: int, passable: int, ends: int) -> tuple[Reached, ...]:
    found: dict[tuple[int, int], Reached] = {}
    start = 1 << node
    for first in board.neighbours[node]:
        if passable >> first & 1:
            found[first, 1] = Reached(first, 1, start | 1 << first, quiet=True)
            for second in board.neighbours[first]:
                if passable >> second & 1:
                    found.setdefault((second, 2), Reached(second, 2, start | 1 << first | 1 << second, quiet=True))
    for corner, target in board.corners[node]:
        if passable >> corner & 1 and ends >> target & 1:
            found[target, 2] = Reached(target, 2, start | 1 << corner | 1 << target, quiet=False)
    return tuple(found[key] for key in sorted(found))


@lru_cache(maxsize=16384)
def _four(board: Board, node: int, passable: int, ends: int, jumpable: int, jump_may_end: bool) -> tuple[Reached, ...]:
    found = _walk(board, node, REACH[Army.FOUR], passable, ends)
    for over, landing in board.jumps[node]:
        if not jumpable >> over & 1:
            continue
        flight = 1 << node | 1 << over | 1 << landing
        if jump_may_end and (passable | ends) >> landing & 1:
            found.setdefault((landing, 2), Reached(landing, 2, flight, quiet=False))
        if passable >> landing & 1:
            _land(board, landing, flight, passable, ends, found)
    return tuple(found[key] for key in sorted(found))


def _land(board: Board, landing: int, flight: int, passable: int, ends: int, found: dict[tuple[int, int], Reached]) -> None:
    for third in board.neighbours[landing]:
        if flight >> third & 1 or not (passable | ends) >> third & 1:
            continue
        nodes = flight | 1 << third
        found.setdefault((third, 3), Reached(third, 3, nodes, quiet=False))
        if passable >> third & 1:
            for fourth in board.neighbours[third]:
                if not nodes >> fourth & 1 and (passable | ends) >> fourth & 1:
                    found.setdefault((fourth, 4), Reached(fourth, 4, nodes | 1 << fourth, quiet=False))


@lru_cache(maxsize=4096)
def _six(board: Board, node: int, passable: int, ends: int) -> tuple[Reached, ...]:
    return _far(board, node, REACH[Army.SIX], passable, ends)


@lru_cache(maxsize=256)
def _emblem(board: Board, node: int, passable: int, ends: int) -> tuple[Reached, ...]:
    return _far(board, node, REACH[Army.EMBLEM], passable, ends)


def _far(board: Board, node: int, most: int, passable: int, ends: int) -> tuple[Reached, ...]:
    start = 1 << node
    free = passable & ~start
    return tuple(
        [
            Reached(target, steps, start | 1 << target, bool(free >> target & 1))
            for target, steps in far.reachable(board, node, most, free, ends)
        ]
    )


def _walk(board: Board, node: int, most: int, passable: int, ends: int) -> dict[tuple[int, int], Reached]:
    """Return what can be reached by walking, path by path."""
    found: dict[tuple[int, int], Reached] = {}
    layer = [(node, 1 << node)]
    for steps in range(1, most + 1):
        following: list[tuple[int, int]] = []
        for last, nodes in layer:
            for other in board.neighbours[last]:
                if nodes >> other & 1:
                    continue
                longer = nodes | 1 << other
                if passable >> other & 1:
                    following.append((other, longer))
                    found.setdefault((other, steps), Reached(other, steps, longer, quiet=True))
                elif ends >> other & 1:
                    found.setdefault((other, steps), Reached(other, steps, longer, quiet=False))
        layer = following
    return found
