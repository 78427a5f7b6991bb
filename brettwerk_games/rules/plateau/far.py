"""Where an army can go that has many paths: sets of targets for each number of steps, without listing the paths (EP-MOVE).

Two sets close in on the answer. A walk that never goes back along one kind of line, and turns about on the other kind only after
a step along the first, uses no node twice: what such walks reach, paths reach. And what walks cannot reach that merely never turn
on the spot, no path reaches. The gap between the two is small: a path that was found is made two steps longer where it can be,
and route.py decides the rest.
"""

from itertools import pairwise

from brettwerk_games.rules.plateau.board import Board, bits
from brettwerk_games.rules.plateau.route import find


def reachable(board: Board, node: int, most: int, free: int, ends: int) -> list[int]:
    """Return by steps, from 1, all targets that a path of so many steps from the node has. `free` are passable nodes without it.

    A path may end on `ends` too. On a round board `most` is less than its longitudes.
    """
    found = forward(board, node, most, free, ends)
    known: dict[tuple[int, int], tuple[int, ...]] = {}
    for steps, walked in enumerate(walks(board, node, most, free, ends), 1):
        for target in bits(walked & ~found[steps - 1]):
            path = _from_known(board, known, target, steps, free) or find(board, node, target, steps, free)
            if path is not None:
                known[target, steps] = path
                found[steps - 1] |= 1 << target
    return found


def _from_known(
    board: Board, known: dict[tuple[int, int], tuple[int, ...]], target: int, steps: int, free: int
) -> tuple[int, ...] | None:
    shorter = known.get((target, steps - 2))
    if shorter is not None:
        path = longer(board, shorter, free)
        if path is not None:
            return path
    for other in board.neighbours[target]:
        path = known.get((other, steps - 1))
        if path is not None and free >> other & 1 and target not in path:
            return (*path, target)
    return None


def longer(board: Board, path: tuple[int, ...], free: int) -> tuple[int, ...] | None:
    """Return the path with one of its steps made in three, over two free nodes beside it; None where there are none."""
    joined = board.joined
    for node in path:
        free &= ~(1 << node)
    for index, (last, node) in enumerate(pairwise(path), 1):
        for aside in bits(joined[last] & free):
            back = joined[aside] & joined[node] & free
            if back:
                return (*path[:index], aside, (back & -back).bit_length() - 1, *path[index:])
    return None


def forward(board: Board, node: int, most: int, free: int, ends: int) -> list[int]:
    """Return by steps, from 1, what paths reach that go in one direction and to both sides of it, but never back."""
    goal = free | ends
    reached = [0] * most
    # Nothing below leaves the board: what a step reaches is cut to free nodes and ends before it counts.
    width, wrap = board.longitudes, board.wrap
    inner, outer, around = board.inner, board.outer, board.longitudes - 1
    for is_clockwise in (True, False):
        on_ahead, on_left, on_right = 1 << node, 0, 0
        for steps in range(most):
            every = on_ahead | on_left | on_right
            if is_clockwise:
                on = (every & inner) << 1
                if wrap:
                    on |= (every & ~inner) >> around
            else:
                on = (every & outer) >> 1
                if wrap:
                    on |= (every & ~outer) << around
            to_left, to_right = (on_ahead | on_left) << width, (on_ahead | on_right) >> width
            reached[steps] |= (on | to_left | to_right) & goal
            on_ahead, on_left, on_right = on & free, to_left & free, to_right & free
            if not on_ahead | on_left | on_right:
                break
    for is_inward in (True, False):
        on_ahead, on_left, on_right = 1 << node, 0, 0
        for steps in range(most):
            every = on_ahead | on_left | on_right
            on = every << width if is_inward else every >> width
            left, right = on_ahead | on_left, on_ahead | on_right
            to_left, to_right = (left & inner) << 1, (right & outer) >> 1
            if wrap:
                to_left |= (left & ~inner) >> around
                to_right |= (right & ~outer) << around
            reached[steps] |= (on | to_left | to_right) & goal
            on_ahead, on_left, on_right = on & free, to_left & free, to_right & free
            if not on_ahead | on_left | on_right:
                break
    return reached


def walks(board: Board, node: int, most: int, free: int, ends: int) -> list[int]:
    """Return by steps, from 1, what walks reach that do not come back to the node and never turn on the spot."""
    goal = free | ends
    reached = []
    width, wrap = board.longitudes, board.wrap
    inner, outer, around = board.inner, board.outer, board.longitudes - 1
    clockwise, back, inward, outward = (board.shift(1 << node, direction) for direction in range(4))
    for _ in range(most):
        reached.append((clockwise | back | inward | outward) & goal)
        along, across = (clockwise | back) & free, (inward | outward) & free
        ahead, behind = clockwise & free | across, back & free | across
        inward, outward = (inward & free | along) << width, (outward & free | along) >> width
        clockwise, back = (ahead & inner) << 1, (behind & outer) >> 1
        if wrap:
            clockwise |= (ahead & ~inner) >> around
            back |= (behind & ~outer) << around
    return reached
