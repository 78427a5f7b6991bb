"""Expectimax over stones: the value of a roll is the better of at most two stone values, so a node has 18 children and not 36.

Values are the chance to win of the side to move, before its roll. Deepening one ply at a time makes the search anytime, and
fills the table that the next depth begins with. A value that never met the horizon is exact and is never searched again.
"""

import time
from collections import defaultdict

from services.ai.players.einstein.race import distances, race
from services.ai.players.einstein.sides import GOAL, NOBODY, losses, moves, rolls
from services.ai.players.interface import OutOfTime

NODE_LIMIT = 1_000_000
"""Most nodes of one search: it bounds the tables' memory (about 100 bytes a node) and does not depend on the clock."""
_CLOCK_EVERY = 1024
"""Nodes between two looks at the clock."""


class Stopped(Exception):
    """The deadline or the node limit has come."""


class Search:
    """One search; its tables serve all positions that are looked at with it."""

    def __init__(self, deadline: float, node_limit: int = NODE_LIMIT) -> None:
        self._deadline = deadline
        self._node_limit = node_limit
        self._exact: dict[int, float] = {}
        self._seen: defaultdict[int, dict[int, float]] = defaultdict(dict)
        self._met_horizon = 0
        self.nodes = 0

    def deepen(self, roots: list[tuple[int, int]], depth: int) -> tuple[list[float], int]:
        """Return the values of positions (mover, other) searched ever deeper up to `depth`, and the depth that was completed.

        Depth 0 is always completed. It ends early when every value is exact, time is over, or the node limit is reached.
        """
        values, done = [race(distances(mover), distances(other)) for mover, other in roots], 0
        try:
            while done < depth:
                self._met_horizon = 0
                values = [self.value(mover, other, done + 1) for mover, other in roots]
                done += 1
                if not self._met_horizon:
                    break
        except (OutOfTime, Stopped):
            pass
        return values, done

    def value(self, mover: int, other: int, depth: int) -> float:
        """Return the mover's chance to win before its roll, looking `depth` plies ahead; both sides have stones.

        Raises Stopped at the deadline or the node limit.
        """
        key = mover << 30 | other
        if (known := self._exact.get(key)) is not None:
            return known
        seen = self._seen[depth]
        if (known := seen.get(key)) is not None:
            self._met_horizon += 1
            return known
        self.nodes += 1
        if (self.nodes % _CLOCK_EVERY == 0 and time.monotonic() >= self._deadline) or self.nodes > self._node_limit:
            raise Stopped
        horizon = self._met_horizon
        captured = losses(other)
        values = []
        for _, options in moves(mover):
            least = 1.0
            for after, target in options:
                if target == GOAL or (enemy := captured.get(target, other)) == NOBODY:
                    least = 0.0
                    break
                if depth == 1:
                    self._met_horizon += 1
                    chance = race(distances(enemy), distances(after))
                else:
                    chance = self.value(enemy, after, depth - 1)
                if chance < least:
                    least = chance
            values.append(1.0 - least)
        total = 0.0
        for a, b in rolls(mover):
            total += values[a] if values[a] >= values[b] else values[b]
        value = total / 6
        (self._exact if self._met_horizon == horizon else seen)[key] = value
        return value
