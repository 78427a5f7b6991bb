"""Positions by their bytes, so that one that comes in as it went out need not be decoded again.

A process answers for thousands of sessions, each of which comes back with the position of its latest answer. All games share one
memory, and the least recently used is forgotten first.
"""

import asyncio
from collections import OrderedDict
from typing import Any

from services.runtime.cache_use import CacheUse
from services.runtime.container import bounded
from services.runtime.heap import give_back

WEIGHT = 12
"""How many bytes a position takes as Python objects for each byte of its encoding (measured: 10 to 15 in larger games)."""
ENTRY_BYTES = 2048
"""The cost of an entry besides: its bytes, its place in the memory, and objects that encode as nothing."""
MAX_BYTES = 64 * 1024 * 1024
"""The memory of a process, counted in this way: 16,000 positions of EMPERADO or 1,100 of Weaponized Chess."""
CONTAINER_SHARE = 8
"""In a container it remembers no more than this part of its memory."""
IDLE_S = 120.0
"""A position is forgotten when nobody has asked for it for so long, or at most twice as long."""
_MARK: tuple[object, bytes] = (None, b"")
"""Stands among the positions: those before it were not used since it was put at the end."""


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
        if position is None:  # a mark is none either
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
            self._forget_first()
        use.entries = len(self)

    def forget_idle(self) -> None:
        """Forget the positions that nobody has asked for since the last time."""
        while _MARK in self._known:
            self._forget_first()
        self._known[_MARK] = None
        self.use.entries = len(self)

    def _forget_first(self) -> None:
        key, _ = self._known.popitem(last=False)
        if key != _MARK:
            self.use.bytes -= counted_bytes(key[1])

    def forget(self) -> None:
        """Forget everything, as after a restart."""
        self._known.clear()
        self.use.bytes = self.use.entries = 0

    def __len__(self) -> int:
        """Return how many positions are remembered."""
        return len(self._known) - (_MARK in self._known)


async def forget_idle(positions: Remembered) -> None:
    """Forget idle positions again and again, and give their memory back to the system, until cancelled."""
    while True:
        await asyncio.sleep(IDLE_S)
        positions.forget_idle()
        give_back()


def counted_bytes(data: bytes) -> int:
    """Return the memory that the position of these bytes is taken to need."""
    return ENTRY_BYTES + WEIGHT * len(data)


POSITIONS = Remembered(bounded(MAX_BYTES, CONTAINER_SHARE))
"""The memory of this process, for all games."""
