"""Searches the positions after a side's moves, deeper and deeper, until depth, time or the number of positions is used up."""

import time
from collections.abc import Callable, Sequence

from brettwerk_games.players.einstein.engine import PACE, Opened
from brettwerk_games.players.einstein.sides import Pair
from brettwerk_games.players.interface import OutOfTime

DEEPEST = 60
GAIN = 1e-6
"""A move is better only by so much. The value found for a move that is no better is a bound, and equal up to rounding."""


class Search:
    """One turn: the positions after each move (the enemy to move; None after a win) and what is known of the mover's chances."""

    def __init__(
        self,
        opened: Opened,
        roots: Sequence[Pair | None],
        deadline: float,
        node_limit: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin; `deadline` is in seconds of `clock`."""
        self._engine = opened.engine
        self._roots = roots
        self._deadline, self._clock = deadline, clock
        self._engine.forget()
        self._engine.begin(node_limit, PACE, self._late)
        self.depth = 0
        """Plies that are completed, the move itself included."""
        self.chances: list[float] = [1.0] * len(roots)
        """By move, as deep as that; in `choose`, those of moves that are not best are bounds from above."""
        self.is_exact = False
        """Whether every chance comes from the end of the game or a table."""

    @property
    def nodes(self) -> int:
        """Positions looked at."""
        return int(self._engine.looked_at()) + len(self._roots)

    def weigh(self, depth: int) -> None:
        """Find the chances of all moves, looking `depth` plies ahead at most; one ply is always completed."""
        self.chances, self.depth = self._glance(), 1
        while self.depth < min(depth, DEEPEST) and not self.is_exact:
            found = self._weighed(self.depth)
            if found is None:
                return
            self.chances = found
            self.depth += 1

    def choose(self, depth: int, order: Sequence[int]) -> int:
        """Return the best move; of equal ones, that which comes first in `order`."""
        self.chances, self.depth = self._glance(), 1
        best = self._first_best(order)
        while self.depth < min(depth, DEEPEST) and not self.is_exact:
            order = [best, *sorted((i for i in order if i != best), key=lambda i: -self.chances[i])]
            found, complete = self._raised(order, self.depth)
            best = found if found is not None else best
            if not complete:
                break
            self.depth += 1
        return best

    def _glance(self) -> list[float]:
        """Return the chances one ply deep, whatever time it is."""
        horizon = self._engine.met_horizon()
        chances = [1.0 if root is None else 1 - self._engine.chance(*root, 0) for root in self._roots]
        self.is_exact = self._engine.met_horizon() == horizon
        return chances

    def _first_best(self, order: Sequence[int]) -> int:
        best = order[0]
        for i in order[1:]:
            if self.chances[i] > self.chances[best] + GAIN:
                best = i
        return best

    def _weighed(self, depth: int) -> list[float] | None:
        horizon, chances = self._engine.met_horizon(), []
        try:
            for root in self._roots:
                value = 0.0 if root is None else self._engine.chance(*root, depth)
                if value < 0:
                    return None
                chances.append(1 - value)
        except OutOfTime:
            return None
        self.is_exact = self._engine.met_horizon() == horizon
        return chances

    def _raised(self, order: Sequence[int], depth: int) -> tuple[int | None, bool]:
        """Return the best of the moves that could be searched (None: not even the first), and whether that was all of them."""
        horizon, best, chance = self._engine.met_horizon(), None, 0.0
        chances = list(self.chances)
        try:
            for i in order:
                root = self._roots[i]
                most = 1.0 if best is None else 1 - chance - GAIN
                value = 0.0 if root is None else self._engine.search(*root, depth, 0.0, most)
                if value < 0:
                    return best, False
                chances[i] = 1 - value
                if best is None or chances[i] > chance + GAIN:
                    best, chance = i, chances[i]
                    self.chances = [*self.chances[:i], chance, *self.chances[i + 1 :]]
        except OutOfTime:
            return best, False
        self.chances = chances
        self.is_exact = self._engine.met_horizon() == horizon
        return best, True

    def _late(self) -> bool:
        return self._clock() >= self._deadline
