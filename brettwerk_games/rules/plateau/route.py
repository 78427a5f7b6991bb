"""One path of an army to a target in that many steps, found by search (EP-MOVE).

A quick search finds nearly all; what it does not settle is left to a thorough one that looks ahead at every node.
"""

from brettwerk_games.rules.plateau.board import Army, Board
from brettwerk_games.rules.plateau.terrain import Terrain

MAX_NODES = 60
"""Nodes that the quick search looks at before the thorough one takes over."""


def route(board: Board, army: Army, source: int, target: int, steps: int, terrain: Terrain) -> tuple[int, ...] | None:
    """Return the nodes of a path from source to target in exactly `steps` steps, or None when there is none.

    Budgets are not asked; the army's own number is for the caller to keep.
    """
    passable = terrain.passable & ~(terrain.home if army != Army.EMBLEM else 0)
    to_end = terrain.ends >> target & 1
    if army == Army.TWO and to_end:
        return _two_takes(board, source, target, steps, passable)
    if not (passable | terrain.ends) >> target & 1:
        return None
    path = find(board, source, target, steps, passable)
    if path is None and army == Army.FOUR:
        return _jump(board, source, target, steps, passable, terrain)
    return path


def _two_takes(board: Board, source: int, target: int, steps: int, passable: int) -> tuple[int, ...] | None:
    if steps == 2:
        for corner, end in board.corners[source]:
            if end == target and passable >> corner & 1:
                return source, corner, target
    return None


def _jump(board: Board, source: int, target: int, steps: int, passable: int, terrain: Terrain) -> tuple[int, ...] | None:
    for over, landing in board.jumps[source]:
        if not terrain.jumpable >> over & 1 or over == target:
            continue
        if landing == target:
            if steps == 2 and terrain.jump_may_end:
                return source, over, landing
        elif passable >> landing & 1:
            rest = find(board, landing, target, steps - 2, passable & ~(1 << source))
            if rest is not None:
                return source, over, *rest
    return None


def find(board: Board, source: int, target: int, steps: int, passable: int) -> tuple[int, ...] | None:
    """Return a path of exactly `steps` steps over passable nodes, none twice, or None. The target may be any other node."""
    if source == target or steps < 1:
        return None
    free = passable & ~(1 << source | 1 << target)
    layers = [1 << target]
    for _ in range(steps - 1):
        layers.append(board.spread(layers[-1]) & free)
    path = [source]
    found = _Dive(board.neighbours, layers).dive(path, 1 << source)
    if found is None:
        del path[1:]
        found = _extend(board, path, target, steps, free)
    return tuple(path) if found else None


class _Dive:
    """A quick search that knows from where walks of that many steps lead to the target, and gives up after a while."""

    __slots__ = ("_layers", "_left", "_neighbours")

    def __init__(self, neighbours: tuple[tuple[int, ...], ...], layers: list[int]) -> None:
        self._neighbours = neighbours
        self._layers = layers
        self._left = MAX_NODES

    def dive(self, path: list[int], used: int) -> bool | None:
        """Make the path longer until it reaches the target; None when that takes too long."""
        open_nodes = self._layers[-len(path)] & ~used
        for other in self._neighbours[path[-1]]:
            if open_nodes >> other & 1:
                path.append(other)
                if len(path) > len(self._layers):
                    return True
                self._left -= 1
                found = None if self._left < 0 else self.dive(path, used | 1 << other)
                if found is not False:
                    return found
                path.pop()
        return False


def _extend(board: Board, path: list[int], target: int, steps: int, free: int) -> bool:
    """Make the path longer until it reaches the target. `free` are the nodes that it may still use before the target.

    It looks ahead at every node: where a walk of the steps left does not arrive over free nodes, no path does either.
    """
    last = path[-1]
    if steps == 1:
        if target in board.neighbours[last]:
            path.append(target)
            return True
        return False
    walk = 1 << target
    for _ in range(steps - 1):
        walk = board.spread(walk) & free
        if not walk:
            return False
    for other in board.neighbours[last]:
        if walk >> other & 1:
            path.append(other)
            if _extend(board, path, target, steps - 1, free & ~(1 << other)):
                return True
            path.pop()
    return False
