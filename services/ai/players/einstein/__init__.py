"""The player of EinStein würfelt nicht: expectimax to a depth, over its own small picture of the position.

    sides.py    a position as two numbers, and how they change
    race.py     the evaluation at the horizon
    search.py   the search

Strength is the depth in plies. Strength 0 plays at random, but takes a win that lies before it.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from services.ai.players.einstein.search import NODE_LIMIT, Search
from services.ai.players.einstein.sides import GOAL, GONE, NOBODY, losses, moves, side_of
from services.ai.players.interface import Advice, NothingToDo, PlayerMaker, Thought
from services.games.einstein.actions import Action, Arrange, Move
from services.games.einstein.board import BLACK
from services.games.einstein.position import GONE as CAPTURED
from services.games.einstein.position import Position, Side, View, arranged
from services.games.interface import AnyGame

_FORCED_DEPTH = 3
"""How deep to look when there is nothing to decide: enough to say how it stands."""
_SAME = 1e-9
"""Chances that differ by less are equal; they differ by the order of additions only."""
_GOOD_SETUPS = (
    (1, 2, 5, 6, 3, 4),
    (1, 6, 4, 2, 3, 5),
    (1, 2, 3, 6, 4, 5),
    (6, 5, 2, 1, 4, 3),
    (6, 1, 3, 5, 4, 2),
    (6, 5, 4, 1, 3, 2),
)
"""The best arrangements of all 720 against a random one, by a depth 3 search: extreme numbers behind, middle ones in front.

The last three are the first three with the numbers turned round, which changes no value.
"""

_Root: TypeAlias = tuple[int, int] | None
"""A position after an action, the enemy to move; None when the action wins at once."""


class EinsteinPlayer:
    """Plays EinStein würfelt nicht, looking `strength` plies ahead."""

    def __init__(self, game: AnyGame, strength: int, node_limit: int = NODE_LIMIT) -> None:
        """Make a player; `node_limit` bounds its search whatever the clock says."""
        self._game = game
        self._depth = strength
        self._node_limit = node_limit

    def think(self, view: View, deadline: float, seed: int) -> Thought:
        """Return the best action; the seed chooses among equal ones."""
        weighed = self._weigh(view, deadline)
        every = range(len(weighed.actions))
        if self._depth == 0:
            choices = weighed.wins or every
        else:
            best = max(weighed.chances) - _SAME
            choices = weighed.wins or [i for i in every if weighed.chances[i] >= best]
        choice = random.Random(seed).choice(choices)
        return Thought(weighed.actions[choice], weighed.chances[choice], weighed.nodes, weighed.depth)

    def review(self, view: View, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return all moves, or the arrangements that are worth it, best first."""
        weighed = self._weigh(view, deadline)
        order = sorted(range(len(weighed.actions)), key=lambda i: (-weighed.chances[i], i not in weighed.wins))
        return tuple(Advice(weighed.actions[i], weighed.chances[i]) for i in order)

    def _weigh(self, view: View, deadline: float) -> "_Weighed":
        actions: Sequence[Action] = self._game.actions(view)
        if not actions or view.seat is None:
            raise NothingToDo
        search = Search(deadline, self._node_limit)
        if view.position.arranging:
            return self._weigh_setups(actions, view.position, view.seat, search)
        mover, other = _own(view.position, view.seat), _own(view.position, 1 - view.seat)
        roots = [_after(mover, other, view.seat, action) for action in actions if isinstance(action, Move)]
        plies = min(self._depth, _FORCED_DEPTH) if len(actions) == 1 else self._depth
        values, depth = search.deepen([root for root in roots if root is not None], max(0, plies - 1))
        of_enemy = iter(values)
        chances = [1.0 if root is None else 1 - next(of_enemy) for root in roots]
        wins = [i for i, root in enumerate(roots) if root is None]
        return _Weighed(actions, chances, wins, search.nodes + len(actions), depth + 1)

    def _weigh_setups(self, actions: Sequence[Action], position: Position, seat: int, search: Search) -> "_Weighed":
        """Weigh the good arrangements against the enemy's stones, or against an enemy who takes the same one."""
        if self._depth == 0:
            return _Weighed(actions, [0.5] * len(actions), [], 0, 0)
        sides = [_side(arranged(BLACK, numbers), BLACK) for numbers in _GOOD_SETUPS]
        enemy = _own(position, 1 - seat)
        pairs = [(side, side if enemy == NOBODY else enemy) for side in sides]
        is_first = position.first == seat
        values, depth = search.deepen([pair if is_first else pair[::-1] for pair in pairs], min(self._depth, _FORCED_DEPTH))
        chances = [value if is_first else 1 - value for value in values]
        return _Weighed([Arrange(numbers) for numbers in _GOOD_SETUPS], chances, [], search.nodes, depth)


@dataclass(frozen=True, slots=True)
class _Weighed:
    """Actions with their chances, which of them win at once, positions looked at, and how many plies deep."""

    actions: Sequence[Action]
    chances: Sequence[float]
    wins: Sequence[int]
    nodes: int
    depth: int


def _own(position: Position, seat: int) -> int:
    return _side(position.stones[seat], seat)


def _side(stones: Side, seat: int) -> int:
    """Return a side as its own player counts the squares."""
    return side_of([GONE if s == CAPTURED else s if seat == BLACK else GOAL - s for s in stones])


def _after(mover: int, other: int, seat: int, move: Move) -> _Root:
    target = move.target if seat == BLACK else GOAL - move.target
    enemy = losses(other).get(target, other)
    if target == GOAL or enemy == NOBODY:
        return None
    options = dict(moves(mover))[move.stone - 1]
    return enemy, next(after for after, square in options if square == target)


PLAYER: PlayerMaker = EinsteinPlayer
