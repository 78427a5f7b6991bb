"""Where an army can go: every target with every number of steps, from the node it stands on (EP-MOVE).

The nodes reached are a set for each number of steps, and no paths are listed: of the emblem there are some 400,000 in the open,
to some 600 targets and steps. far.py has the walks, here are captures and jumps. All is remembered by what matters of the
surroundings.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.plateau import far
from brettwerk_games.rules.plateau.actions import Move
from brettwerk_games.rules.plateau.board import REACH, Army, Board, bits, nodes_of
from brettwerk_games.rules.plateau.terrain import Terrain

REMEMBERED = 4096
"""Surroundings of armies that are remembered with what can be reached in them."""
_STRIDE = 16
"""A target and a number of steps are one key, to be sorted and looked up: target * _STRIDE + steps."""
EVERYWHERE = -1
"""The set of all nodes."""

Sets: TypeAlias = tuple[int, ...]
"""By steps, from 1: a set of targets."""


class Reached(NamedTuple):
    """A target with a number of steps. `quiet` is plain walking: no capture, no conquest, no jump."""

    target: int
    steps: int
    quiet: bool


class _Moves(dict[int, Move]):
    """The moves from a node by key, each made once: the same are listed again and again."""

    def __init__(self, node: int) -> None:
        super().__init__()
        self._node = node

    def __missing__(self, key: int) -> Move:
        move = self[key] = Move(self._node, *divmod(key, _STRIDE))
        return move


def reach(
    board: Board, army: Army, node: int, terrain: Terrain, free: int = REACH[Army.EMBLEM], targets: int = EVERYWHERE
) -> tuple[Reached, ...]:
    """Return all of these targets that an army on a node can reach with so many steps, by target and then by steps."""
    near = _near(board, army, node, terrain)
    walked, jumped = _sets(board, army, node, *near)
    passable = near[0]
    keyed = [(key, bool(passable >> key // _STRIDE & 1)) for key in _keys([nodes & targets for nodes in walked[:free]])]
    keyed += [(key, False) for key in _keys([nodes & targets for nodes in jumped[:free]])]
    return tuple([Reached(*divmod(key, _STRIDE), quiet) for key, quiet in sorted(keyed)])


def listed(board: Board, army: Army, node: int, terrain: Terrain, least: int, free: int) -> tuple[Move, ...]:
    """Return moves to all that an army on a node can reach with `least` to `free` steps, in the same order."""
    return _listed(board, army, node, least, min(free, REACH[army]), *_near(board, army, node, terrain))


def _near(board: Board, army: Army, node: int, terrain: Terrain) -> tuple[int, int, int, bool]:
    """Return of the terrain what matters to an army on a node: as long as it stays the same, so does what is reached.

    It is what is passable, what a move may end on besides, what may be jumped, and whether the jump may end there.
    """
    passable, home, ends, jumpable, jump_may_end = terrain
    near = board.within[army][node] & ~(1 << node)
    if army == Army.EMBLEM:
        return passable & near, ends & near, 0, False
    if army == Army.FOUR:
        return passable & near & ~home, ends & near, jumpable & near, jump_may_end
    return passable & near & ~home, ends & near, 0, False


@lru_cache(maxsize=REMEMBERED)
def _sets(board: Board, army: Army, node: int, passable: int, ends: int, jumpable: int, jump_may_end: bool) -> tuple[Sets, Sets]:
    """Return what is reached on foot, and what else by jumps."""
    if army == Army.TWO:
        return _two(board, node, passable, ends), ()
    if army == Army.FOUR:
        # No path of four steps can meet itself but where it turns on the spot or comes back to its start.
        walked = far.walks(board, node, REACH[army], passable, ends)
        if not jumpable & board.joined[node]:
            return tuple(walked), ()
        return tuple(walked), _jumps(board, node, Terrain(passable, 0, ends, jumpable, jump_may_end), walked)
    return tuple(far.reachable(board, node, REACH[army], passable, ends)), ()


def _two(board: Board, node: int, passable: int, ends: int) -> Sets:
    first = board.joined[node] & passable
    second = board.spread(first) & passable
    if ends:
        for corner, target in board.corners[node]:
            if passable >> corner & 1 and ends >> target & 1:
                second |= 1 << target
    return first, second


def _jumps(board: Board, node: int, near: Terrain, walked: list[int]) -> Sets:
    passable, _, ends, jumpable, jump_may_end = near
    goal = passable | ends
    landings = third = fourth = 0
    for over, landing in board.jumps[node]:
        if not jumpable >> over & 1:
            continue
        there = 1 << landing
        landings |= there
        if passable & there:
            used = there | 1 << over
            beside = board.joined[landing] & goal & ~used
            third |= beside
            for step in bits(beside & passable):
                fourth |= board.joined[step] & goal & ~used
    on_landing = landings & goal if jump_may_end else 0
    return 0, on_landing & ~walked[1], third & ~walked[2], fourth & ~walked[3]


def _keys(sets: Sequence[int], least: int = 1) -> list[int]:
    keys: list[int] = []
    for steps, nodes in enumerate(sets, least):
        keys += [node * _STRIDE + steps for node in nodes_of(nodes)]
    keys.sort()
    return keys


@lru_cache(maxsize=REMEMBERED)
def _listed(
    board: Board, army: Army, node: int, least: int, free: int, passable: int, ends: int, jumpable: int, jump_may_end: bool
) -> tuple[Move, ...]:
    moves = _moves(board, node)
    walked, jumped = _sets(board, army, node, passable, ends, jumpable, jump_may_end)
    sets = tuple(map(int.__or__, walked, jumped)) if jumped else walked
    return tuple([moves[key] for key in _keys(sets[least - 1 : free], least)])


@lru_cache(maxsize=REMEMBERED)
def _moves(board: Board, node: int) -> _Moves:
    return _Moves(node)
