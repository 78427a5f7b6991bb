"""Whether there is room for one more session: for its creator's address, in total, in the store's memory, and for its computers.

New sessions are refused, moves never are. Counts are looked up rather than kept, so nothing drifts when a process dies: the total
is what the store has; an address has a set of the sessions created from it, and when that is full, finished ones are taken out.
What was looked up of the total and the memory serves all sessions of the next second, and nothing is refused without a new look.
So what other processes create meanwhile, or at the same moment, can exceed these two bounds. The store contains no addresses,
only a keyed hash of each, which is removed a while after the last session from there.
"""

import asyncio
import math
from collections.abc import Callable
from functools import partial

from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from services.session.computers.ai_client import Workforce
from services.session.domain.bounds import SESSIONS_PER_PLAYER
from services.session.domain.ids import mark
from services.session.store.commits import no_memory, no_room
from services.session.store.store import Admission, Store

LOOK_MS = 1_000
"""For how long a look at the total and the memory is good for further sessions."""
_TAG_BYTES = 10


class Capacity:
    """Checks whether there is room."""

    def __init__(self, store: Store, workforce: Workforce, config: Settings, now_ms: Callable[[], int]) -> None:
        """Take the bounds from the settings, and the key that makes the hashes of addresses."""
        self._now_ms = now_ms
        self._looking = asyncio.Lock()
        self._looked_ms = 0
        self._sessions = 0
        """As counted then, with those admitted since."""
        self._workforce = workforce
        self._store = store
        self._config = config
        self._key = config.key("address")

    async def admit(self, session_id: str, player_id: str, address: str, *, has_computers: bool) -> bytes | None:
        """Return the mark of the creator's address if there is room for a new session of a player; None if it is there already.

        The mark is empty if the address is unknown. Raises Refused: FULL, with the bound that was reached; UNAVAILABLE.
        """
        if has_computers:
            self._workforce.check_room()
        if not self._is_roomy():
            async with self._looking:
                if not self._is_roomy():  # else somebody else has looked in the meantime
                    await self._look()
        tag = mark(self._key, address)[:_TAG_BYTES] if address else b""
        most = self._config.sessions_per_address
        # An address is remembered for as long as an idle session is.
        kept_s = math.ceil(self._config.abandon_s)
        admit = partial(self._store.admit, session_id, player_id, SESSIONS_PER_PLAYER, tag.hex(), most, kept_s)
        found = await admit()
        # If the address is full, sessions that are over are taken out first.
        if found is Admission.ADDRESS and await self._store.forget_over(tag.hex()):
            found = await admit()
        match found:
            case Admission.THERE:
                return None
            case Admission.PLAYER:
                raise _too_many_of_player()
            case Admission.ADDRESS:
                raise no_room("address", f"from one network address there are at most {most} unfinished sessions")
        self._sessions += 1
        return tag

    def _is_roomy(self) -> bool:
        """Return whether there is room by what was looked up a moment ago."""
        return 0 <= self._now_ms() - self._looked_ms < LOOK_MS and self._sessions < self._config.sessions_total

    async def _look(self) -> None:
        """Find out how much room there is. Raises Refused (FULL) if there is none."""
        looked_ms = self._now_ms()
        count, (used, limit) = await asyncio.gather(self._store.count_sessions(), self._store.memory())
        if count >= self._config.sessions_total:
            raise no_room("total", f"there are at most {self._config.sessions_total} sessions at a time")
        if limit and used >= limit * self._config.memory_share:
            raise no_memory()
        self._sessions, self._looked_ms = count, looked_ms

    async def check_player(self, player_id: str) -> None:
        """Check that a player may have one more unfinished session. Raises Refused (FULL), UNAVAILABLE."""
        if await self._store.unfinished(player_id) >= SESSIONS_PER_PLAYER:
            raise _too_many_of_player()


def _too_many_of_player() -> Refused:
    return no_room("player", f"a player has at most {SESSIONS_PER_PLAYER} unfinished sessions")
