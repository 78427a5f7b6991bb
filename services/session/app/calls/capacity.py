"""Whether there is room for one more session: for its creator's address, in total, in the store's memory, and for its computers.

New sessions are refused, moves never are. Counts are looked up rather than kept, so nothing drifts when a process dies: the total
is what the store has; an address has a set of the sessions created from it, and when that is full, finished ones are taken out.
Sessions created at the same moment can exceed the other two bounds by that many. The store contains no addresses, only a keyed
hash of each, which is removed a while after the last session from there.
"""

import asyncio
import hashlib
import hmac
from dataclasses import dataclass
from functools import partial

from services.session.computers.ai_client import Workforce
from services.session.domain.bounds import SESSIONS_PER_PLAYER
from services.session.store.commits import no_memory, no_room
from services.session.store.store import Store

_TAG_BYTES = 10


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many sessions there may be, unfinished ones from an address and all in the store, and how full its memory may be."""

    per_address: int
    total: int
    memory_share: float
    kept_s: int
    """How long an address is remembered after the last session from there."""


class Capacity:
    """Checks whether there is room."""

    def __init__(self, store: Store, workforce: Workforce, key: bytes, bounds: Bounds) -> None:
        """`key` makes the hashes of addresses."""
        self._workforce = workforce
        self._store = store
        self._key = key
        self._bounds = bounds

    async def admit(self, session_id: str, address: str, *, has_computers: bool) -> bytes:
        """Return the mark of the creator's address if there is room for a new session; it is empty if the address is unknown.

        Raises Refused: FULL, with the bound that was reached; UNAVAILABLE.
        """
        if has_computers:
            self._workforce.check_room()
        count, (used, limit) = await asyncio.gather(self._store.count_sessions(), self._store.memory())
        if count >= self._bounds.total:
            raise no_room("total", f"there are at most {self._bounds.total} sessions at a time")
        if limit and used >= limit * self._bounds.memory_share:
            raise no_memory()
        if not address:
            return b""
        tag = hmac.new(self._key, address.encode(), hashlib.sha256).digest()[:_TAG_BYTES]
        most = self._bounds.per_address
        reserve = partial(self._store.reserve, tag.hex(), session_id, most, self._bounds.kept_s)
        # If the address is full, sessions that are over are taken out first.
        if not await reserve() and not (await self._store.forget_over(tag.hex()) and await reserve()):
            raise no_room("address", f"from one network address there are at most {most} unfinished sessions")
        return tag

    async def check_player(self, player_id: str) -> None:
        """Check that a player may have one more unfinished session. Raises Refused (FULL), UNAVAILABLE."""
        if await self._store.unfinished(player_id) >= SESSIONS_PER_PLAYER:
            raise no_room("player", f"a player has at most {SESSIONS_PER_PLAYER} unfinished sessions")
