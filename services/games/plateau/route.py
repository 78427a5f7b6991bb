"""One path of an army to a target in so many steps: found by search, with a look ahead that never misses one (EP-MOVE)."""

from services.games.plateau.board import Army, Board
from services.games.plateau.terrain import Terrain


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
    path = [source]
    return tuple(path) if _extend(board, path, target, steps, (passable | 1 << target) & ~(1 << source)) else None


def _extend(board: Board, path: list[int], target: int, steps: int, free: int) -> bool:
    """Make the path longer until it reaches the target. `free` are the nodes that it may still use."""
    last = path[-1]
    if steps == 1:
        if target in board.neighbours[last]:
            path.append(target)
            return True
        return False
    # Where a walk of steps - 1 from the target over free nodes does not arrive, no path does either.
    walk, between = 1 << target, free & ~(1 << target)
    for _ in range(steps - 1):
        walk = board.spread(walk) & between
        if not walk:
            return False
    for other in board.neighbours[last]:
        if walk >> other & 1:
            path.append(other)
            if _extend(board, path, target, steps - 1, free & ~(1 << other)):
                return True
            path.pop()
    return False
