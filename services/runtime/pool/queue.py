"""A bounded queue that serves callers in turn, so that one who asks for much keeps nobody else waiting for all of it."""

from collections import OrderedDict, deque
from typing import Generic, TypeVar

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused

RETRY_AFTER_MS = 2000

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Items of several callers: each caller's in order, the callers in turn."""

    def __init__(self, max_length: int, max_each: int) -> None:
        """Take how many items may wait in all, and how many of one caller."""
        self._max_length = max_length
        self._max_each = max_each
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def push(self, caller: str, item: T) -> None:
        """Add an item. Raises Refused (FULL) when too many wait, of this caller or in all."""
        own = self._waiting.get(caller)
        if self._length >= self._max_length or (own is not None and len(own) >= self._max_each):
            raise Refused(errors_pb2.REASON_FULL, "too many requests of this kind are waiting", retry_after_ms=RETRY_AFTER_MS)
        if own is None:
            own = self._waiting[caller] = deque()
        own.append(item)
        self._length += 1

    def pop(self) -> T:
        """Return the next item, which is taken out. Raises LookupError when there is none."""
        caller, own = next(iter(self._waiting.items()), ("", None))
        if own is None:
            raise LookupError
        item = own.popleft()
        self._length -= 1
        del self._waiting[caller]
        if own:
            self._waiting[caller] = own
        return item
