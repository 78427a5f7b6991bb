"""Where an army can go that has many paths: sets of targets for each number of steps, without listing the paths (EP-MOVE).

Two sets close in on the answer. A walk that never goes back along one kind of line, and turns about on the other kind only after
a step along the first, uses no node twice: what such walks reach, paths reach. And what walks cannot reach that merely never turn
on the spot, no path reaches. What lies between the two is little, and route.py decides it.
"""

from services.games.plateau.board import Board, bits
from services.games.plateau.route import find

_SIDEWAYS = ((2, 3), (2, 3), (0, 1), (0, 1))
"""By direction of STEPS: the two directions across it."""


def reachable(board: Board, node: int, most: int, free: int, ends: int) -> list[tuple[int, int]]:
    """Return all (target, steps) that a path from the node has, in order. `free` are passable nodes without this one.

    A path may end on `ends` too. On a round board `most` is less than its longitudes.
    """
    sure = forward(board, node, most, free, ends)
    found = []
    for steps, walked in enumerate(walks(board, node, most, free, ends), 1):
        found += [(target, steps) for target in bits(sure[steps - 1])]
        for target in bits(walked & ~sure[steps - 1]):
            if find(board, node, target, steps, free) is not None:
                found.append((target, steps))
    return sorted(found)


def forward(board: Board, node: int, most: int, free: int, ends: int) -> list[int]:
    """Return by steps, from 1, what paths reach that go in one direction and to both sides of it, but never back."""
    goal = free | ends
    reached = [0] * most
    for ahead, (left, right) in enumerate(_SIDEWAYS):
        came_ahead, came_left, came_right = 1 << node, 0, 0
        for steps in range(most):
            on = board.shifted(came_ahead | came_left | came_right)[ahead]
            to_left = board.shifted(came_ahead | came_left)[left]
            to_right = board.shifted(came_ahead | came_right)[right]
            reached[steps] |= (on | to_left | to_right) & goal
            came_ahead, came_left, came_right = on & free, to_left & free, to_right & free
            if not came_ahead | came_left | came_right:
                break
    return reached


def walks(board: Board, node: int, most: int, free: int, ends: int) -> list[int]:
    """Return by steps, from 1, what walks reach that do not come back to the node and never turn on the spot."""
    goal = free | ends
    reached = []
    clockwise, back, inward, outward = board.shifted(1 << node)
    for _ in range(most):
        reached.append((clockwise | back | inward | outward) & goal)
        clockwise, back, inward, outward = clockwise & free, back & free, inward & free, outward & free
        along, across = clockwise | back, inward | outward
        clockwise, back, inward, outward = (
            board.shifted(clockwise | across)[0],
            board.shifted(back | across)[1],
            board.shifted(inward | along)[2],
            board.shifted(outward | along)[3],
        )
    return reached
