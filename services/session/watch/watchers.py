"""Who watches a table without sitting at it: how many people, and the names of those who show theirs.

Known by no log and by no version. Somebody with several windows is one of them; who plays at the table is none, and neither is
who merely looks in at a public one.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable
from typing import Any, NamedTuple

from services.session.watch.followers import NOT_SENT, Follower

PAUSE_S = 0.7
"""How long a change waits for others that are told with it; a page that is loaded again is away for less than that."""
_AT_ONCE = 200
NAMES = 20
"""Names that are told."""


class Shown(NamedTuple):
    """What is told of those who watch."""

    people: int = 0
    names: tuple[str, ...] = ()


NOBODY = Shown()


class Watchers:
    """Those who watch."""

    def __init__(
        self,
        start: Callable[[Coroutine[Any, Any, None]], None],
        followers: Callable[[str], Iterable[Follower]],
        seated: Callable[[str], Collection[str]],
        tell: Callable[[str], None],
    ) -> None:
        """Take what starts a task, who follows a session here, which players sit there, and what tells of a change."""
        self._start = start
        self._followers = followers
        self._seated = seated
        self._tell = tell
        self._shown: dict[str, Shown] = {}
        self._changed: set[str] = set()
        self._is_saying = False

    def shown(self, session_id: str) -> Shown:
        """Return what is told of those who watch a session."""
        return self._shown.get(session_id, NOBODY)

    def changed(self, session_id: str) -> None:
        """Look soon who watches a session, and tell when that is another picture."""
        self._changed.add(session_id)
        if not self._is_saying:
            self._is_saying = True
            self._start(self._say())

    async def _say(self) -> None:
        try:
            while self._changed:
                await asyncio.sleep(PAUSE_S)
                for session_id in [self._changed.pop() for _ in range(min(_AT_ONCE, len(self._changed)))]:
                    self._look(session_id)
        finally:
            self._is_saying = False

    def _look(self, session_id: str) -> None:
        before, now = self.shown(session_id), watching(self._followers(session_id), self._seated(session_id))
        if now.people:
            self._shown[session_id] = now
        else:
            self._shown.pop(session_id, None)
        if now != before:
            self._tell(session_id)


def watching(followers: Iterable[Follower], seated: Collection[str]) -> Shown:
    """Return who watches, of all who follow a session at which some players sit."""
    count, known, names = 0, set(seated), set[str]()
    for follower in followers:
        if follower.present == NOT_SENT:
            continue  # whose watch it is, maybe a seat's, is still being looked up
        if follower.is_gone or follower.is_passing or follower.seat is not None:
            continue
        if follower.player_id and follower.player_id in seated:
            continue
        if follower.shows_name and follower.name:
            names.add(follower.name)
        if follower.player_id not in known or not follower.player_id:
            count += 1
            known.add(follower.player_id)
    return Shown(count, tuple(sorted(names, key=str.casefold)[:NAMES]))
