"""Who is there: the seats whose persons watch with their seats' tokens. Known by no log and by no version.

All watches of a session are at the process that owns its shard, so they are counted in memory. After a shard has changed hands
they come back within moments; until then nobody is held to be away (`WAIT_MS`).
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from services.session.domain.ids import shard_of

WAIT_MS = 30_000
"""For how long after a shard came here its watches may still be on their way."""
_AT_ONCE = 200
_PAUSE_S = 0.7


class Presence:
    """The seats that are connected."""

    def __init__(
        self,
        now_ms: Callable[[], int],
        start: Callable[[Coroutine[Any, Any, None]], None],
        tell: Callable[[str, int], None],
    ) -> None:
        """Take the clock, what starts a task, and what tells the watches of a session who is there."""
        self._now_ms = now_ms
        self._start = start
        self._tell = tell
        self._here: dict[str, Counter[int]] = {}
        self._changed: set[str] = set()
        self._is_saying = False
        self._since_ms: dict[int, int] = {}

    def begin(self, shard: int) -> None:
        """Take in that a shard has just come here."""
        self._since_ms[shard] = self._now_ms()

    def enter(self, session_id: str, seat: int) -> None:
        """Count a watch of a seat in, and tell the others at once when it is the first one."""
        seats = self._here.setdefault(session_id, Counter())
        seats[seat] += 1
        if seats[seat] == 1:
            self._tell(session_id, self.seats(session_id))

    def leave(self, session_id: str, seat: int) -> None:
        """Count a watch of a seat out, and tell the others soon when it was the last one."""
        seats = self._here[session_id]
        seats[seat] -= 1
        if seats[seat]:
            return
        del seats[seat]
        if not seats:
            del self._here[session_id]
        self._changed.add(session_id)
        if not self._is_saying:
            self._is_saying = True
            self._start(self._say())

    def seats(self, session_id: str) -> int:
        """Return who is connected, as the bits of a number."""
        here = 0
        for seat in self._here.get(session_id, ()):
            here |= 1 << seat
        return here

    def is_attended(self, session_id: str) -> bool:
        """Return whether somebody is connected to a seat of a session, or may be about to."""
        if session_id in self._here:
            return True
        since = self._since_ms.get(shard_of(session_id))
        return since is not None and self._now_ms() - since < WAIT_MS

    async def _say(self) -> None:
        """Tell what has changed, a few sessions at a time; a page that is loaded again is away for less than the pause."""
        try:
            while self._changed:
                await asyncio.sleep(_PAUSE_S)
                for session_id in [self._changed.pop() for _ in range(min(_AT_ONCE, len(self._changed)))]:
                    self._tell(session_id, self.seats(session_id))
        finally:
            self._is_saying = False


def seats_of(bits: int) -> list[int]:
    """Return the seats in a number, in order."""
    return [seat for seat in range(bits.bit_length()) if bits >> seat & 1]
