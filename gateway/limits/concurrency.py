"""How much may be open at the same time: watches, streams and JSON calls, requests that arrive, and costly calls.

What is open counts for its player, and for the address of all who share that. Each request that is not complete is bounded by
itself, but there may be thousands at a time: what was received of them is bounded for all clients of the process, so that none
fills its memory. A costly call is milliseconds of work for a service's event loop: an address has few of them carried out at
once, and the others wait here rather than there, where everybody's calls would wait behind them.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from brettwerk.v1 import errors_pb2
from gateway.identity.caller import Caller
from services.runtime.refusal import Refused


class OpenStreams:
    """Counts what is open."""

    def __init__(self, per_player: int, per_address: int) -> None:
        """Take the bounds."""
        self._per_player = per_player
        self._per_address = per_address
        self._players: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def enter(self, caller: Caller) -> None:
        """Count one more. Raises Refused (FULL) if there are too many."""
        player = caller.player.id if caller.player else None
        if player is not None and self._players[player] >= self._per_player:
            raise _full("player", self._per_player)
        if self._addresses[caller.address] >= self._per_address:
            raise _full("address", self._per_address)
        if player is not None:
            self._players[player] += 1
        self._addresses[caller.address] += 1

    def leave(self, caller: Caller) -> None:
        """Count one less."""
        if caller.player:
            _drop(self._players, caller.player.id)
        _drop(self._addresses, caller.address)

    @contextmanager
    def one(self, caller: Caller) -> Iterator[None]:
        """Return a block within which one more is counted. Raises Refused (FULL)."""
        self.enter(caller)
        try:
            yield
        finally:
            self.leave(caller)


def _drop(counter: Counter[str], key: str) -> None:
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


def _full(whose: str, limit: int) -> Refused:
    message = f"this {whose} has {limit} watches, streams and calls open, which is the maximum"
    return Refused(errors_pb2.REASON_FULL, message, details={"limit": whose}, retry_after_ms=1000)


MAX_BYTES_IN_ALL = 160 * 1024 * 1024
"""How many bytes of unfinished requests there may be in this process; beyond that, those above SMALL_BYTES are refused."""
SMALL_BYTES = 64 * 1024


class Arrival:
    """A request, or the requests of one connection, as far as they have arrived."""

    in_all = 0
    """How many bytes of unfinished requests there are in this process."""

    def __init__(self) -> None:
        self.size = 0
        """How many bytes are kept."""

    def keep(self, size: int) -> None:
        """Count that `size` bytes are kept now. Raises Refused (FULL) if that is too much."""
        Arrival.in_all += size - self.size
        self.size = size
        if size > SMALL_BYTES and Arrival.in_all > MAX_BYTES_IN_ALL:
            raise Refused(errors_pb2.REASON_FULL, "too many large requests are arriving at once", retry_after_ms=1000)

    def end(self) -> None:
        """Count nothing any more."""
        Arrival.in_all -= self.size
        self.size = 0


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
