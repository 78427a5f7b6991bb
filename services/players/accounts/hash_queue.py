"""The order of hashing. A hash takes a tenth of a second of a processor and 64 MiB, so few are computed at a time.

Addresses take turns: next is the call whose address was given the least lately, with a handicap for what is less urgent. So a
sign-in comes before the passwords of any number of guests, and soon before those of an address that signs in again and again. A
call that its caller has given up, or whose deadline has passed, is not computed; gRPC cancels it in both cases.
"""

import asyncio
import math
import time
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
HALVED_S = 5.0
"""After this time, half as much counts of what an address was given."""
ADDRESSES = 4096
"""Of how many addresses that is remembered; the one that was given something longest ago is forgotten first."""
T = TypeVar("T")


class Rank(Enum):
    """The purpose of a hash: its handicap, in hashes, and how many such calls of one address may wait."""

    KNOWN_DEVICE = (0, 8)
    """A device signs in on which the player has signed in before."""
    SIGN_IN = (1, 16)
    """Another device signs in."""
    PLAYER = (2, 16)
    """Somebody who has an account proves who they are, or sets a secret."""
    GUEST = (4, 8)
    """A guest sets the first secret."""

    def __init__(self, handicap: int, waiting_each: int) -> None:
        self.handicap = handicap
        self.waiting_each = waiting_each


Row = deque["asyncio.Future[None]"]


class HashQueue:
    """Computes hashes in threads of its own, so that no other work waits for them."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="hash")
        self._running = dict.fromkeys(Rank, 0)
        self._rows: dict[tuple[Rank, str], Row] = {}
        self._given: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """How much each address was given, as it counted at a time."""

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
        self._drop_abandoned()
        length = len(self._rows.get((rank, address), ()))
        if length >= rank.waiting_each:
            raise _full()
        alike = [row for (other, _), row in self._rows.items() if other is rank]
        if sum(map(len, alike)) >= WAITING:
            longest = max(alike, key=len)
            if len(longest) <= length + 1:
                raise _full()
            longest.pop().set_exception(_full())
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rows.setdefault((rank, address), deque()).append(turn)
        return turn

    def _drop_abandoned(self) -> None:
        waiting = ((key, deque(turn for turn in row if not turn.done())) for key, row in self._rows.items())
        self._rows = {key: row for key, row in waiting if row}

    def _let_in(self) -> None:
        """Give the free places to those whose turn it is."""
        self._drop_abandoned()
        while (free := [key for key in self._rows if self._has_place(key[0])]) and sum(self._running.values()) < AT_ONCE:
            rank, address = key = min(free, key=lambda key: key[0].handicap + self._counted(key[1]))
            row = self._rows.pop(key)
            row.popleft().set_result(None)
            if row:
                self._rows[key] = row  # behind those with as much
            self._running[rank] += 1
            self._given[address] = (self._counted(address) + 1, self._now())
            self._given.move_to_end(address)
            if len(self._given) > ADDRESSES:
                self._given.popitem(last=False)

    def _has_place(self, rank: Rank) -> bool:
        return rank is not Rank.GUEST or self._running[rank] < AT_ONCE - 1

    def _counted(self, address: str) -> float:
        """Return how much an address was given lately."""
        given, at = self._given.get(address, (0.0, 0.0))
        return given * math.exp2((at - self._now()) / HALVED_S)

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
