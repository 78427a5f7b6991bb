"""Who is there: the seats whose persons watch with their seats' tokens. Known by no log and by no version.

Every process says for itself which seats its watches are for, in a hash of the store that ends by itself (scripts/attend.lua).
Changes are told to all processes; what gets lost on the way, or with a process that died, the next
heartbeat finds.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from services.runtime.refusal import Refused
from services.session.store.store import Store

BEATS = 3
"""For how many heartbeats a process is believed that says nothing any more."""
_AT_ONCE = 200
_PAUSE_S = 0.7


class Presence:
    """The seats that are connected here, and by way of the store those that are connected anywhere."""

    def __init__(
        self,
        store: Store,
        now_ms: Callable[[], int],
        heartbeat_s: float,
        start: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """Take the clock, the time between two heartbeats, and what starts a task."""
        self._store = store
        self._now_ms = now_ms
        self._life_ms = round(heartbeat_s * 1000 * BEATS)
        self._start = start
        self._process = secrets.token_hex(6)
        self._here: dict[str, Counter[int]] = {}
        self._changed: set[str] = set()
        self._is_saying = False
        self.is_leaving = False
        """Set when this process ends: its watches go on elsewhere, so that nobody leaves by that."""

    def enter(self, session_id: str, seat: int) -> None:
        """Count a watch of a seat in. Whoever does so asks `attend` next."""
        self._here.setdefault(session_id, Counter())[seat] += 1

    def leave(self, session_id: str, seat: int) -> None:
        """Count a watch of a seat out, and say so soon when it was the last one here."""
        seats = self._here[session_id]
        seats[seat] -= 1
        if seats[seat]:
            return
        del seats[seat]
        if not seats:
            del self._here[session_id]
        if self.is_leaving:
            return
        self._changed.add(session_id)
        if not self._is_saying:
            self._is_saying = True
            self._start(self._say())

    async def attend(self, session_id: str) -> tuple[int | None, int]:
        """Say who is here. Returns the session's version, None when it is not in the store, and who is connected anywhere.

        Seats are the bits of a number. Raises Refused (UNAVAILABLE).
        """
        seats = sum(1 << seat for seat in self._here.get(session_id, ()))
        version, before, after = await self._store.attend(session_id, self._process, seats, self._now_ms(), self._life_ms)
        if before != after:
            await self._store.tell(self._store.notices.present(session_id, after))
        return version, after

    async def _say(self) -> None:
        """Say what has changed, a few sessions at a time; a page that is loaded again is away for less than the pause."""
        try:
            while self._changed:
                await asyncio.sleep(_PAUSE_S)
                some = [self._changed.pop() for _ in range(min(_AT_ONCE, len(self._changed)))]
                await asyncio.gather(*map(self.attend, some))
        except Refused:
            self._changed.clear()  # the next heartbeat says it
        finally:
            self._is_saying = False


def seats_of(bits: int) -> list[int]:
    """Return the seats in a number, in order."""
    return [seat for seat in range(bits.bit_length()) if bits >> seat & 1]
