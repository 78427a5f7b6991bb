"""Where an army can go: every target with every number of steps, from the node it stands on (EP-MOVE).

Twos and fours are listed path by path. For sixes a few paths to each node are carried on from layer to layer, and where that did
not find a number of steps that a walk could have, route.py decides. The emblem, which has some 400,000 paths in the open to some
600 targets and steps, has a module of its own, far.py.
"""

from functools import lru_cache
from typing import NamedTuple

from services.games.plateau import far
from services.games.plateau.board import REACH, Army, Board, bits
from services.games.plateau.route import find
from services.games.plateau.terrain import Terrain

KEPT = 4
"""How many paths to a node are carried on to the next layer."""


class Reached(NamedTuple):
    """A target with a number of steps, and the nodes of one path to it, ends included; of the emblem's path only the ends."""

    target: int
    steps: int
    nodes: int
    quiet: bool
    """Whether it is plain walking: no capture, no conquest, no jump."""


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
    found = _walk(board, node, REACH[Army.SIX], passable, ends)
    return tuple(found[key] for key in sorted(found))


@lru_cache(maxsize=256)
def _emblem(board: Board, node: int, passable: int, ends: int) -> tuple[Reached, ...]:
    free = passable & ~(1 << node)
    start = 1 << node
    return tuple(
        Reached(target, steps, start | 1 << target, quiet=bool(free >> target & 1))
        for target, steps in far.reachable(board, node, REACH[Army.EMBLEM], free, ends)
    )


def _walk(board: Board, node: int, most: int, passable: int, ends: int) -> dict[tuple[int, int], Reached]:
    """Return what can be reached by walking: by layers of steps, and by search where the layers had to drop paths."""
    found: dict[tuple[int, int], Reached] = {}
    neighbours = board.neighbours
    layer = {node: [1 << node]}
    dropped = False
    for steps in range(1, most + 1):
        following: dict[int, list[int]] = {}
        for last, paths in layer.items():
            for other in neighbours[last]:
                bit = 1 << other
                if passable & bit:
                    kept = following.setdefault(other, [])
                    for nodes in paths:
                        if not nodes & bit:
                            if len(kept) < KEPT or most <= REACH[Army.FOUR]:
                                kept.append(nodes | bit)
                            else:
                                dropped = True
                elif ends & bit:
                    found.setdefault((other, steps), Reached(other, steps, paths[0] | bit, quiet=False))
        layer = {last: paths for last, paths in following.items() if paths}
        for last, paths in layer.items():
            found[last, steps] = Reached(last, steps, paths[0], quiet=True)
    if dropped:
        _search(board, node, most, passable, ends, found)
    return found


def _search(board: Board, node: int, most: int, passable: int, ends: int, found: dict[tuple[int, int], Reached]) -> None:
    """Add what the layers missed: of all that a walk without turning back can reach, what a path can reach too."""
    free = passable & ~(1 << node)
    for steps, walked in enumerate(far.walks(board, node, most, free, ends), 1):
        for target in bits(walked):
            if (target, steps) not in found:
                path = find(board, node, target, steps, free)
                if path is not None:
                    nodes = sum(1 << passed for passed in path)
                    found[target, steps] = Reached(target, steps, nodes, quiet=bool(free >> target & 1))
