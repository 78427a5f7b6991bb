"""Viewings of the sessions of this process's shards: who is in them, and what they are told.

Each is read from the store whenever something is done to it, so that nothing of it is lost with this process. In it are those
watches that name it, which are all here. Those who come are told all of it first, then what changes.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from brettwerk.internal.v1.session_state_pb2 import StoredTalkLine, StoredViewing
from brettwerk.v1 import play_pb2, talk_pb2, viewings_pb2
from services.runtime.refusal import Refused, unknown
from services.runtime.tasks import KeyLocks, repeat
from services.session.domain import viewing as rules
from services.session.domain.bounds import VIEWERS
from services.session.domain.talk import TABLE
from services.session.domain.viewing import Audience
from services.session.store.viewings import StoredViewings
from services.session.watch.followers import Changes, Follower, Followers, tell
from services.session.watch.talk import Talk

PROLONG_S = 60.0
"""How often viewings that are watched are kept for some more minutes."""

_OPEN, _OVER, _FULL = (getattr(viewings_pb2.WatchedViewing, f"STATE_{name}") for name in ("OPEN", "OVER", "FULL"))


@dataclass(eq=False, repr=False)
class Viewings:
    """The viewings. Raises Refused: UNKNOWN if there is no such viewing, UNAVAILABLE."""

    _store: StoredViewings
    _followers: Followers
    _blocked: Callable[[str, Collection[str]], Awaitable[frozenset[str]]]
    """Returns those of some players whom a player has blocked, or who have blocked the player."""
    _has_talk: bool
    """Whether there is talk on this server."""

    def __post_init__(self) -> None:
        self._locks = KeyLocks()
        self._changes: Changes

    def subscribe(self, start: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        """Take what starts a task."""
        self._changes = Changes(start, lambda key: start(self._look(*key.split())))

    async def find(self, session_id: str, viewing_id: str) -> StoredViewing:
        """Return a viewing. Raises Refused (UNKNOWN) if there is none of that id, or it is over."""
        found = await self._store.find(session_id, viewing_id)
        if found is None:
            raise unknown("viewing", "viewing_id", viewing_id)
        return found

    async def begin(self, session_id: str, new: StoredViewing) -> StoredViewing:
        """Keep a new viewing, and return it; the one that was begun before by the same request is returned instead.

        Raises Refused: also FULL.
        """
        async with self._locks.of(new.id):
            before = await self._store.find(session_id, new.id)
            if before is not None:
                return before
            await self._store.admit(new.id, new.starter_id)
            await self._store.keep(session_id, new)
        return new

    @asynccontextmanager
    async def changing(self, session_id: str, viewing_id: str) -> AsyncIterator[StoredViewing]:
        """Return a block in which a viewing is changed, alone; at its end it is kept, unless the block raises something."""
        async with self._locks.of(viewing_id):
            viewing = await self.find(session_id, viewing_id)
            before = viewing.SerializeToString(deterministic=True)
            yield viewing
            if viewing.SerializeToString(deterministic=True) != before:
                await self._store.keep(session_id, viewing)

    async def end(self, session_id: str, viewing: StoredViewing) -> None:
        """Remove a viewing, and tell those in it."""
        await self._store.remove(session_id, viewing)
        self._tell(self._in(session_id, viewing.id), viewings_pb2.WatchedViewing(state=_OVER))

    def audience(self, session_id: str, viewing_id: str) -> Audience:
        """Return who is in a viewing. Somebody with several windows is one of them."""
        players, names, nameless = set[str](), dict[str, str](), 0
        for follower in self._in(session_id, viewing_id):
            if not follower.player_id:
                nameless += 1
                continue
            players.add(follower.player_id)
            if follower.shows_name and follower.name:
                names[follower.player_id] = follower.name
        return Audience(len(players) + nameless, frozenset(players), names)

    def tell(self, session_id: str, viewing: StoredViewing) -> None:
        """Tell those in a viewing how it is now."""
        shown = rules.shown(viewing, self.audience(session_id, viewing.id))
        self._tell(self._in(session_id, viewing.id), viewings_pb2.WatchedViewing(state=_OPEN, viewing=shown))

    def say(self, session_id: str, viewing_id: str, stored: StoredTalkLine) -> None:
        """Tell a new line to those in a viewing who hear it."""
        reached = [one for one in self._in(session_id, viewing_id) if one.player_id not in stored.unheard_by]
        self._tell(reached, viewings_pb2.WatchedViewing(state=_OPEN, talk=talk_pb2.Talk(lines=[stored.line])))

    async def lines(self, viewing: StoredViewing, player_id: str) -> list[StoredTalkLine]:
        """Return what a player hears of what was said."""
        speakers = {one.line.player_id for one in viewing.lines}
        return rules.heard_lines(viewing, player_id, await self._blocked(player_id, speakers) if speakers else ())

    async def catch_up(self, follower: Follower) -> None:
        """Tell a watch all of its viewing, if it lacks that."""
        if not follower.lacks_viewing:
            return
        asked, unheard = set[str](), frozenset[str]()
        while (viewing := await self._store.find(follower.session_id, follower.viewing_id)) is not None:
            if (speakers := {one.line.player_id for one in viewing.lines}) <= asked:
                break
            # Then it is read again: nothing is told between that and what is made of it.
            asked, unheard = speakers, await self._blocked(follower.player_id, speakers)
        if follower.is_gone or follower.is_lagging:
            return
        if viewing is None:
            self._answer(follower, viewings_pb2.WatchedViewing(state=_OVER))
        elif not follower.is_in_viewing and len(self._in(follower.session_id, viewing.id)) >= VIEWERS:
            self._answer(follower, viewings_pb2.WatchedViewing(state=_FULL))
        else:
            heard = (one.line for one in rules.heard_lines(viewing, follower.player_id, unheard))
            talk = talk_pb2.Talk(whole=True, lines=heard if self._has_talk else (), off=not self._has_talk, room=TABLE)
            if not follower.is_in_viewing:
                follower.is_in_viewing = True
                self.changed(follower)
            shown = rules.shown(viewing, self.audience(follower.session_id, viewing.id))
            self._answer(follower, viewings_pb2.WatchedViewing(state=_OPEN, viewing=shown, talk=talk))

    def changed(self, follower: Follower) -> None:
        """Tell those in a watch's viewing soon that it has come, or gone."""
        if follower.viewing_id:
            self._changes.add(f"{follower.session_id} {follower.viewing_id}")

    async def run(self) -> None:
        """Prolong what is watched again and again, until cancelled."""
        await repeat(self.prolong, PROLONG_S, "viewings not prolonged")

    async def prolong(self) -> None:
        """Keep all that are watched here for some more minutes."""
        watched = {(one.session_id, one.viewing_id) for some in self._followers.values() for one in some if one.is_in_viewing}
        for session_id, viewing_id in watched:
            viewing = await self._store.find(session_id, viewing_id)
            if viewing is not None:
                await self._store.prolong(session_id, viewing)

    async def _look(self, session_id: str, viewing_id: str) -> None:
        try:
            viewing = await self._store.find(session_id, viewing_id)
        except Refused:
            return  # the next change tells it
        if viewing is not None:
            self.tell(session_id, viewing)

    def _in(self, session_id: str, viewing_id: str) -> list[Follower]:
        return [
            one
            for one in self._followers.of(session_id)
            if one.is_in_viewing and one.viewing_id == viewing_id and not one.is_gone
        ]

    def _answer(self, follower: Follower, message: viewings_pb2.WatchedViewing) -> None:
        follower.lacks_viewing = False
        self._tell([follower], message)

    def _tell(self, followers: Collection[Follower], message: viewings_pb2.WatchedViewing) -> None:
        reached = (one for one in followers if not (one.lacks_viewing or one.is_gone or one.is_lagging))
        tell(reached, play_pb2.WatchResponse(viewing=message))


class Company(NamedTuple):
    """All that people at a session tell each other: talk at its table, and viewings of a finished game."""

    talk: Talk
    viewings: Viewings

    async def catch_up(self, follower: Follower) -> None:
        """Tell a watch what it lacks of them. Raises Refused (UNAVAILABLE)."""
        await self.talk.begin(follower)
        await self.viewings.catch_up(follower)
