"""What is going to happen, in order of time: the clock of a simulation."""

import heapq
from collections.abc import Callable


class Agenda:
    """Carries out what is due, one after the other. What is due at the same time happens in the order in which it was added."""

    def __init__(self) -> None:
        self.now = 0.0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._added = 0

    def at(self, time: float, action: Callable[[], None]) -> None:
        """Add what is to happen at a time, which is not before now."""
        self._added += 1
        heapq.heappush(self._due, (max(time, self.now), self._added, action))

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Add what is to happen so many seconds from now."""
        self.at(self.now + seconds, action)

    def run(self, until: float) -> None:
        """Carry out everything that is due before a time, with what it adds."""
        while self._due and self._due[0][0] < until:
            self.now, _, action = heapq.heappop(self._due)
            action()
        self.now = until
