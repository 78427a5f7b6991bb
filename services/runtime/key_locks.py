"""Locks by key: there is one as long as somebody holds it or waits for it."""

import asyncio
import weakref


class KeyLocks:
    """The locks."""

    def __init__(self) -> None:
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    def of(self, key: str) -> asyncio.Lock:
        """Return the lock of a key."""
        return self._locks.setdefault(key, asyncio.Lock())
