"""A cache with bounds for its bytes and its age: what was used least recently goes first, and what nobody has used for a while.

It counts what it holds and what it is worth; a lookup costs one addition.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_MARK: Any = object()
"""Stands among the keys: those before it were not used since it was put at the end."""


@dataclass(slots=True)
class CacheUse:
    """The figures of a cache. It is written in one thread, and may be read in another."""

    limit_bytes: int
    entries: int = 0
    bytes: int = 0
    """As the cache counts them, against its limit."""
    hits: int = 0
    misses: int = 0


class BoundedCache(Generic[_Key, _Value]):
    """Values by their keys."""

    def __init__(self, limit_bytes: int, forgotten: Callable[[_Key], None] | None = None) -> None:
        """Start empty. `forgotten` is told of each key whose value goes."""
        self.use = CacheUse(limit_bytes)
        self._forgotten = forgotten
        self._values: OrderedDict[_Key, tuple[_Value, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values) - (_MARK in self._values)

    def __iter__(self) -> Iterator[_Key]:
        return (key for key in self._values if key is not _MARK)

    def __contains__(self, key: _Key) -> bool:
        return key in self._values

    def get(self, key: _Key) -> _Value | None:
        """Return a value, or None if it is not here. That is no use of it."""
        found = self._values.get(key)
        return None if found is None else found[0]

    def find(self, key: _Key) -> _Value | None:
        """Return a value that is used by that, or None if it is not here; count which of the two."""
        found = self._values.get(key)
        if found is None:
            self.use.misses += 1
            return None
        self.use.hits += 1
        self._values.move_to_end(key)
        return found[0]

    def touch(self, key: _Key) -> _Value:
        """Use a value that is here, and return it."""
        self._values.move_to_end(key)
        return self._values[key][0]

    def put(self, key: _Key, value: _Value, size: int) -> None:
        """Keep a value of `size` bytes, and forget others for it; one that is larger than the whole cache stays alone."""
        before = self._values.pop(key, None)
        self._values[key] = value, size
        use = self.use
        use.bytes += size if before is None else size - before[1]
        while use.bytes > use.limit_bytes and len(self) > 1:
            first = next(iter(self._values))
            if first is _MARK:
                del self._values[first]
            else:
                self.forget(first)
        use.entries = len(self)

    def exchange(self, key: _Key, value: _Value) -> None:
        """Put a value of the same size in the place of one that is here. That is no use of it."""
        self._values[key] = value, self._values[key][1]

    def forget(self, key: _Key) -> None:
        """Drop a value, if it is here."""
        found = self._values.pop(key, None)
        if found is not None:
            self.use.bytes -= found[1]
            self.use.entries = len(self)
            if self._forgotten is not None:
                self._forgotten(key)

    def forget_idle(self, stays: Callable[[_Key, _Value], bool] = lambda _key, _value: False) -> None:
        """Drop what was not used since the last time. What `stays` is used by that."""
        if _MARK in self._values:
            while (key := next(iter(self._values))) is not _MARK:
                if stays(key, self._values[key][0]):
                    self._values.move_to_end(key)
                else:
                    self.forget(key)
        self._values[_MARK] = _MARK, 0
        self._values.move_to_end(_MARK)

    def clear(self) -> None:
        """Drop everything, as after a restart; nobody is told."""
        self._values.clear()
        self.use.bytes = self.use.entries = 0
