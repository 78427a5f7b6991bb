"""How much a result tells, by who met whom: accounts cost nothing, so wins against new ones count for less. Pure.

Two newcomers tell all of each other, and so do two who are both known; a player who has played more than the opponent learns less
from the meeting. The points that new accounts hand over thus shrink with every such win, while they are rated in full. Computers
are known from the beginning. The same two tell less with every game of a day.
"""

from collections import defaultdict, deque
from collections.abc import Iterable
from itertools import combinations

from services.players.ratings.pools import DAY_MS

KNOWN = 10
"""After so many games of a pool a player is known in it."""
FREE = 3
"""So many games of the same two within MEMORY_MS count in full; all further ones together count for less than these."""
MEMORY_MS = DAY_MS


def of_newness(own_games: int, others_games: int) -> float:
    """Return the weight, 0 to 1, that a result has for a player, by how many games they and the opponent have played before."""
    return min(1.0, ((1 + min(others_games, KNOWN)) / (1 + min(own_games, KNOWN))) ** 2)


def of_repetition(met: int) -> float:
    """Return the weight, 0 to 1, of a game of two who have met so often within MEMORY_MS before it."""
    return min(1.0, (FREE / (met + 1)) ** 2)


class Meetings:
    """The recent meetings of players, in games that were counted; they are to be noted in the order in which games ended."""

    def __init__(self) -> None:
        self._at_ms: dict[tuple[str, str], deque[int]] = defaultdict(deque)

    def note(self, players: Iterable[str], at_ms: int) -> None:
        """Note that these players have met."""
        for one, other in combinations(sorted(set(players)), 2):
            self._at_ms[one, other].append(at_ms)

    def count(self, one: str, other: str, at_ms: int) -> int:
        """Return how often two players have met within MEMORY_MS before a moment."""
        met = self._at_ms.get((min(one, other), max(one, other)))
        if met is None:
            return 0
        while met and met[0] <= at_ms - MEMORY_MS:
            met.popleft()
        return len(met)
