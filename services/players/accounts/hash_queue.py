"""Whose secret is hashed next. A hash takes a tenth of a second of a processor and 64 MiB, so few are computed at a time.

The ranks are served in their order, and within a rank the addresses take turns: many calls from one address delay that address. A
call that its caller has given up, or whose deadline has passed, is not computed; gRPC cancels it in both cases.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from typing import TypeVar

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused

AT_ONCE = 2
"""How many hashes are computed at a time. Guests get one place fewer: the last one is always free for others."""
WAITING = 64
"""How many calls of a rank may wait."""
RETRY_MS = 2_000
"""When to try again after a refusal: by then a dozen hashes have been computed."""
T = TypeVar("T")


class Rank(Enum):
    """What a hash is for, most urgent first, with how many such calls of one address may wait."""

    KNOWN_DEVICE = ("a device on which the player has signed in before", 8)
    SIGN_IN = ("another device that signs in", 16)
    PLAYER = ("a player who has an account", 16)
    GUEST = ("a guest who has none yet", 8)

    def __init__(self, _who: str, waiting_each: int) -> None:
        self.waiting_each = waiting_each


class HashQueue:
    """Computes hashes in threads of its own, so that no other work waits for them."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hash")
        self._running = dict.fromkeys(Rank, 0)
        self._rows: dict[Rank, OrderedDict[str, deque[asyncio.Future[None]]]] = {rank: OrderedDict() for rank in Rank}

    async def run(self, rank: Rank, address: str, work: Callable[[], T]) -> T:
        """Return what `work` returns, called in a thread when it is its turn. Raises Refused (FULL) if too many wait."""
        turn = self._line_up(rank, address)
        self._let_in()
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._leave(rank)  # it was let in at the moment in which its caller went
            raise
        computing = asyncio.get_running_loop().run_in_executor(self._threads, work)
        computing.add_done_callback(lambda done: self._computed(rank, done))
        # A thread cannot be stopped: the place is taken until it is done, whether or not somebody still waits.
        return await asyncio.shield(computing)

    def _line_up(self, rank: Rank, address: str) -> "asyncio.Future[None]":
        rows = self._rows[rank]
        self._drop_abandoned(rank)
        length = len(rows.get(address, ()))
        if length >= rank.waiting_each:
            raise _full()
        if sum(map(len, rows.values())) >= WAITING:
            longest = max(rows.values(), key=len)
            if len(longest) <= length + 1:
                raise _full()
            longest.pop().set_exception(_full())
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        rows.setdefault(address, deque()).append(turn)
        return turn

    def _drop_abandoned(self, rank: Rank) -> None:
        rows = self._rows[rank]
        for address, row in list(rows.items()):
            kept = deque(turn for turn in row if not turn.done())
            if kept:
                rows[address] = kept
            else:
                del rows[address]

    def _let_in(self) -> None:
        """Give the free places to those whose turn it is."""
        for rank in Rank:
            while self._has_place(rank) and (turn := self._next(rank)) is not None:
                self._running[rank] += 1
                turn.set_result(None)

    def _has_place(self, rank: Rank) -> bool:
        is_kept_free = rank is Rank.GUEST and self._running[rank] >= AT_ONCE - 1
        return sum(self._running.values()) < AT_ONCE and not is_kept_free

    def _next(self, rank: Rank) -> "asyncio.Future[None] | None":
        rows = self._rows[rank]
        while rows:
            address, row = rows.popitem(last=False)
            turn = row.popleft()
            if row:
                rows[address] = row  # behind all others
            if not turn.done():
                return turn
        return None

    def _computed(self, rank: Rank, done: "asyncio.Future[T]") -> None:
        if not done.cancelled():
            done.exception()  # nobody may be left who asks for it
        self._leave(rank)

    def _leave(self, rank: Rank) -> None:
        self._running[rank] -= 1
        self._let_in()


def _full() -> Refused:
    message = "too many secrets wait to be checked or set"
    return Refused(errors_pb2.REASON_FULL, message, details={"bound": "hashes"}, retry_after_ms=RETRY_MS)
