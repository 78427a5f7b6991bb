"""Presence: the seats whose persons watch with their seats' tokens, and the people who watch without sitting there.

It is in no log and no version; heartbeats tell it. All watches of a session are at the process that owns its shard, so they are
counted in memory. After a shard has changed hands they come back within moments; until then nobody is held to be away
(`WAIT_MS`).
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from brettwerk.v1 import play_pb2
from services.session.computers.waits import Waits
from services.session.watch.followers import NOT_SENT, Follower, Followers, grouped
from services.sharding.shards import shard_of

WAIT_MS = 30_000
"""For how long after a shard came here its watches may still be on their way."""
PAUSE_S = 0.7
"""How long a change waits for others that are told with it; a page that is loaded again is away for less than that."""
_AT_ONCE = 200
NAMES = 20
"""Names that are told."""

_Start: TypeAlias = Callable[[Coroutine[Any, Any, None]], None]


class Changes:
    """Sessions in which something has changed, which are told after a pause, a few at a time."""

    def __init__(self, start: _Start, tell: Callable[[str], None]) -> None:
        """Take what starts a task, and what tells a session."""
        self._start = start
        self._tell = tell
        self._sessions: set[str] = set()
        self._is_telling = False

    def add(self, session_id: str) -> None:
        """Tell a session soon."""
        self._sessions.add(session_id)
        if not self._is_telling:
            self._is_telling = True
            self._start(self._run())

    async def _run(self) -> None:
        try:
            while self._sessions:
                await asyncio.sleep(PAUSE_S)
                for session_id in [self._sessions.pop() for _ in range(min(_AT_ONCE, len(self._sessions)))]:
                    self._tell(session_id)
        finally:
            self._is_telling = False


class Presence:
    """The seats that are connected."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.now_ms = now_ms
        self._tell: Callable[[str, int], None]
        self._changes: Changes
        self._here: dict[str, Counter[int]] = {}
        self._since_ms: dict[int, int] = {}

    def subscribe(self, start: _Start, tell: Callable[[str, int], None]) -> None:
        """Take what starts a task, and what tells the watches of a session who is there."""
        self._tell = tell
        self._changes = Changes(start, lambda session_id: tell(session_id, self.seats(session_id)))

    def begin(self, shards: Iterable[int]) -> None:
        """Take in that shards have just come here."""
        self._since_ms.update(dict.fromkeys(shards, self.now_ms()))

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
        self._changes.add(session_id)

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
        return since is not None and self.now_ms() - since < WAIT_MS


class ShownWatchers(NamedTuple):
    """The figures of those who watch, as they are told."""

    people: int = 0
    names: tuple[str, ...] = ()


NOBODY = ShownWatchers()


@dataclass(eq=False, repr=False)
class Watchers:
    """The people who watch a table without sitting at it: how many, and the names of those who show theirs.

    Somebody with several windows is one of them. Players of the table do not count, nor do visitors who merely look in.
    """

    _start: _Start
    _followers: Followers
    _seated: Callable[[str], Collection[str]]
    _tell: Callable[[str], None]

    def __post_init__(self) -> None:
        self._shown: dict[str, ShownWatchers] = {}
        self._changes = Changes(self._start, self._look)

    def shown(self, session_id: str) -> ShownWatchers:
        """Return what is told of those who watch a session."""
        return self._shown.get(session_id, NOBODY)

    def changed(self, session_id: str) -> None:
        """Look soon who watches a session, and tell when that is another picture."""
        self._changes.add(session_id)

    def _look(self, session_id: str) -> None:
        before, now = self.shown(session_id), watching(self._followers.of(session_id), self._seated(session_id))
        if now.people:
            self._shown[session_id] = now
        else:
            self._shown.pop(session_id, None)
        if now != before:
            self._tell(session_id)


def watching(followers: Iterable[Follower], seated: Collection[str]) -> ShownWatchers:
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
    return ShownWatchers(count, tuple(sorted(names, key=str.casefold)[:NAMES]))


@dataclass(eq=False, repr=False)
class Heartbeats:
    """Signs of life: the head version, who is there, how the computers' moves stand, and who watches."""

    _waits: Waits
    _watchers: Watchers
    _followers: Followers
    _now_ms: Callable[[], int]

    def send(self, followers: list[Follower], head: int, present: int, session_id: str) -> None:
        """Send watches of one stream a heartbeat, with what is shown of a session; without an id, of one that shows nothing."""
        for follower in followers:
            follower.present = present
        watchers = self._watchers.shown(session_id)
        beat = play_pb2.Heartbeat(
            head_version=head,
            at_ms=self._now_ms(),
            present_seats=[seat for seat in range(present.bit_length()) if present >> seat & 1],
            # That a computer is to move now would tell who has moved.
            computer_waits=() if followers[0].is_delayed else self._waits.shown(session_id),
            watchers=watchers.people,
            watcher_names=watchers.names,
        )
        followers[0].stream.send(followers, play_pb2.WatchResponse(heartbeat=beat).SerializeToString())

    def send_all(self, followers: Iterable[tuple[Follower, int]]) -> None:
        """Send watches of any sessions a heartbeat; with each stands who is there."""
        alike: dict[tuple[int, int, str, bool], list[Follower]] = {}
        for follower, present in followers:
            session_id = follower.session_id
            shows = self._waits.shown(session_id) or self._watchers.shown(session_id).people
            key = follower.last_number, present, session_id if shows else "", follower.is_delayed
            alike.setdefault(key, []).append(follower)
        for (version, present, session_id, _), group in alike.items():
            for of_stream in grouped(group, lambda one: one.stream).values():
                self.send(of_stream, version, present, session_id)

    def tell(self, session_id: str, *, tells_delayed: bool = True) -> None:
        """Send all who follow a session and do not catch up a heartbeat, perhaps without those who are told later."""
        reached = (
            follower
            for follower in self._followers.of(session_id)
            if follower.present != NOT_SENT and not follower.is_lagging and not follower.is_catching_up
            if tells_delayed or not follower.is_delayed
        )
        groups = grouped(reached, lambda one: (one.stream, one.last_number, one.present, one.is_delayed))
        for (_, version, present, _), alike in groups.items():
            self.send(alike, version, present, session_id)

    def tell_presence(self, session_id: str, present: int) -> None:
        """Tell all who follow a session who is there, if they have had another picture of that."""
        for follower in self._followers.of(session_id):
            if follower.present not in (NOT_SENT, present) and not follower.is_lagging:
                self.send([follower], follower.last_number, present, session_id)
