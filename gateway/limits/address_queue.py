"""How many calls of one address are carried out at the same time, if each is milliseconds of work for a service's event loop.

The others wait here rather than there, where everybody's calls would wait behind them.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused

AT_ONCE = 3
"""How many such calls of an address are carried out at the same time."""
WAITING = 32
"""How many such calls of an address may wait; more are refused."""


class AddressQueue:
    """Lets calls in, few at a time."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        """Take the bounds."""
        self._at_once = at_once
        self._waiting = waiting
        self._running: dict[str, int] = {}
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def one(self, key: str) -> AsyncIterator[None]:
        """Return a block that runs when it is its turn. Raises Refused (FULL) if too many are waiting."""
        if self._running.get(key, 0) < self._at_once:
            self._running[key] = self._running.get(key, 0) + 1
        else:
            await self._wait(key)
        try:
            yield
        finally:
            self._pass_on(key)

    async def _wait(self, key: str) -> None:
        queue = self._queues.setdefault(key, deque())
        if len(queue) >= self._waiting:
            message = f"{self._waiting} costly calls of this address are waiting, which is the maximum"
            raise Refused(errors_pb2.REASON_FULL, message, details={"limit": "address"}, retry_after_ms=1000)
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_on(key)
            raise

    def _pass_on(self, key: str) -> None:
        """Give the turn to the next caller who is still waiting."""
        queue = self._queues.get(key, deque())
        while queue:
            turn = queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._queues.pop(key, None)
        self._running[key] -= 1
        if not self._running[key]:
            del self._running[key]
