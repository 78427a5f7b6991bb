"""The entries that were used recently, in bounded space.

There are two halves. An entry that is used moves to the newer one, and when that is full, the older one is forgotten and they
swap: finding something costs one dictionary lookup, without a list of what was used when.
"""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class Recent(Generic[V]):
    """Values by their keys."""

    def __init__(self, max_bytes: int, size: Callable[[V], int]) -> None:
        """Start empty, and never remember more than `max_bytes`; `size` returns what a value takes, including its key."""
        self._half_bytes = max_bytes // 2
        self._size = size
        self._bytes = 0
        self._older: dict[Hashable, V] = {}
        self.newer: dict[Hashable, V] = {}
        """The newer half, for looking up many at once. An entry that is not in it may still be found."""

    def find(self, key: Hashable) -> V | None:
        """Return the value of a key, or None if it is not remembered."""
        found = self.newer.get(key)
        if found is None and (found := self._older.get(key)) is not None:
            self.keep(key, found)
        return found

    def keep(self, key: Hashable, value: V) -> None:
        """Remember the value of a key that is not in the newer half."""
        size = self._size(value)
        if size > self._half_bytes:
            return
        self._bytes += size
        if self._bytes > self._half_bytes:
            self._older, self.newer, self._bytes = self.newer, {}, size
        self.newer[key] = value

    def __len__(self) -> int:
        """Return how many values are remembered."""
        return len(self.newer.keys() | self._older.keys())
