"""Notes again at once what computers are to do wherever it may have been forgotten.

That is so in a shard that this process begins to serve, whose last owner may have died before it told the AI service; in a shard
whose store was away, and may have been set back; and in a session whose last write may be stored, though nobody knows. A want
that is noted already stays as it is on the board.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from brettwerk.v1 import errors_pb2
from services.runtime import trace
from services.runtime.logs import logger
from services.runtime.refusal import UNREACHED, Refused, is_newer, moved_shard
from services.runtime.task_cancel import TaskSet
from services.session.computers.overdue_moves import LONGEST_PAUSE_MS
from services.session.computers.wants import Wants
from services.session.live.session_cache import SessionCache
from services.session.store.store import Store
from services.sharding.shards import shard_of

log = logger(__name__)

PAUSE_S = 0.5
"""When something is tried again that cannot be done now."""
_NOT_NOW = (*UNREACHED, errors_pb2.REASON_FULL)
"""Refusals after which that is so."""
AT_ONCE = 64
"""How many sessions are read at once."""
_SPARE_MS = 30_000
"""How much later something may be due than is said here: for thinking, and for clocks of machines that differ."""


@dataclass(eq=False, repr=False)
class Recovery:
    """The sessions to be noted again."""

    _store: Store
    _session_cache: SessionCache
    _wants: Wants
    _now_ms: Callable[[], int]
    _serves: Callable[[int], bool]
    """Tells whether a shard is this process's."""
    _grace_ms: int
    """How far a computer's move may exceed its time."""

    def __post_init__(self) -> None:
        self._todo: dict[int | str, None] = {}
        """Shards and sessions, in order."""
        self._later: dict[int | str, asyncio.TimerHandle] = {}
        self._open = TaskSet()
        self._is_closed = False

    def shards(self, shards: Iterable[int]) -> None:
        """Note again whatever is wanted in some shards."""
        for shard in shards:
            self.note(shard)

    async def settled(self) -> None:
        """Return when all is noted that can be noted now."""
        await self._open.idle()

    async def close(self) -> None:
        """Abandon what is left; whoever serves its shards next begins anew."""
        self._is_closed = True
        for timer in self._later.values():
            timer.cancel()
        await self._open.end()

    def note(self, one: int | str) -> None:
        """Note again whatever is wanted in a session, or in a shard."""
        if self._is_closed:
            return
        if (timer := self._later.pop(one, None)) is not None:
            timer.cancel()
        self._todo[one] = None
        if len(self._open) < AT_ONCE:
            self._open.start(self._work())

    async def _work(self) -> None:
        trace.begin()
        while self._todo:
            one = next(iter(self._todo))
            del self._todo[one]
            try:
                await (self._list(one) if isinstance(one, int) else self._note(one))
            except Refused as refused:
                # The process that owns the shard by now, or can read the session, does the same; one that is gone wants nothing.
                if refused.reason in _NOT_NOW and moved_shard(refused.refusal) is None and not is_newer(refused.refusal):
                    self._later[one] = asyncio.get_running_loop().call_later(PAUSE_S, self.note, one)
            except Exception as error:
                log.error("wants could not be noted again", subject=one, exc_info=error)

    async def _list(self, shard: int) -> None:
        """Go on with all sessions of a shard in which a computer may be to move."""
        if self._serves(shard):
            # No session in which a computer is to move is due later than that.
            until_ms = self._now_ms() + LONGEST_PAUSE_MS + self._grace_ms + _SPARE_MS
            for session_id in await self._store.due_until(shard, until_ms):
                self.note(session_id)

    async def _note(self, session_id: str) -> None:
        if self._serves(shard_of(session_id)):
            state = (await self._session_cache.newest(session_id)).state
            self._wants.again(state, self._wants.waiting(state))
