"""Positions by their bytes, so that one that comes in as it went out need not be decoded again.

A process answers for thousands of sessions, each of which comes back with the position of its latest answer. All games share one
memory, and the least recently used is forgotten first.
"""

from collections import OrderedDict
from typing import Any

from services.runtime.cache_use import CacheUse

WEIGHT = 12
"""How many bytes a position takes as Python objects for each byte of its encoding (measured: 10 to 15 in larger games)."""
ENTRY_BYTES = 2048
"""What it takes besides: its bytes, its place in the memory, and objects that encode as nothing."""
MAX_BYTES = 64 * 1024 * 1024
"""What a process remembers, counted in this way: 16,000 positions of EMPERADO or 1,100 of Weaponized Chess."""


class Remembered:
    """Positions by the codec that made them and their bytes."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        """Start empty, and never remember more than `max_bytes`, as counted here."""
        self.use = CacheUse(max_bytes)
        self._known: OrderedDict[tuple[object, bytes], Any] = OrderedDict()

    def find(self, whose: object, data: bytes) -> Any:
        """Return the position of these bytes, or None if it is not remembered."""
        key = (whose, data)
        position = self._known.get(key)
        if position is None:
            self.use.misses += 1
        else:
            self.use.hits += 1
            self._known.move_to_end(key)
        return position

    def keep(self, whose: object, data: bytes, position: Any) -> None:
        """Remember a position that was checked, or made by the rules; others are forgotten for it."""
        key = (whose, data)
        if key in self._known:
            self._known.move_to_end(key)
            return
        self._known[key] = position
        use = self.use
        use.bytes += counted_bytes(data)
        while use.bytes > use.limit_bytes:
            (_, oldest), _ = self._known.popitem(last=False)
            use.bytes -= counted_bytes(oldest)
        use.entries = len(self._known)

    def forget(self) -> None:
        """Forget everything, as after a restart."""
        self._known.clear()
        self.use.bytes = self.use.entries = 0

    def __len__(self) -> int:
        """Return how many positions are remembered."""
        return len(self._known)


def counted_bytes(data: bytes) -> int:
    """Return the memory that the position of these bytes is taken to need."""
    return ENTRY_BYTES + WEIGHT * len(data)


POSITIONS = Remembered()
"""What this process remembers, for all games."""
