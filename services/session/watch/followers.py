"""The followers of this process's sessions: each watch, the stream that its messages go over, and who is seen to be there.

A stream is one gateway's. What waits to be sent over it is bounded; what overflows starts again.

Presence is told of the seats whose persons watch with their seats' tokens, and of the people who watch without sitting there. It
is in no log and no version; heartbeats tell it. All watches of a session are at the process that owns its shard, so they are
counted in memory. After a shard has changed hands they come back within moments; until then nobody is held to be away
(`WAIT_MS`).
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2
from brettwerk_games.protobuf_wire.fields import block, number, tag, varint
from services.runtime.refusal import Refused
from services.session.computers.waits import Waits
from services.session.domain.bounds import STREAM_BYTES, STREAM_MESSAGES
from services.session.domain.perception import audience, with_lists
from services.session.domain.state import State
from services.sharding.shards import shard_of

_TAILS = 1024
_RESPONSE_BYTES = 1024 * 1024
_TAIL = tag(session_pb2.TailSessionsResponse, "tails")
_IDS, _MESSAGE, _VERSION, _AT_MS = (tag(session_pb2.Tail, name) for name in ("ids", "message", "version", "at_ms"))


_Key = TypeVar("_Key")
NOT_SENT = -1


@dataclass(slots=True, eq=False)
class Follower:
    """One watch: what it was given so far, and for whom it looks."""

    number: int
    stream: "Stream"
    session_id: str
    seat: int | None
    valid_from: int
    """The version at which its token was found good: later changes of the seat void it."""
    token_hash: bytes
    sent: int
    """The last version of the log that it was given, or that has no number for its audience and was passed over."""
    sent_at_ms: int = 0
    """When that version was made, by which it is told from another of its number; 0 when that is not known."""
    last_number: int = 0
    """The number that the last version that it was given has for its audience (perception.py)."""
    last_at_ms: int = 0
    """When that one was made."""
    heard: int = 0
    """The newest version that went by while it was catching up."""
    present: int = NOT_SENT
    """The seats that are attended, as far as it was told: bit n for seat n; NOT_SENT before its first heartbeat."""
    is_catching_up: bool = False
    is_doubted: bool = False
    """Whether the store may have been set back since: it must be asked whether it still has what the watch was given."""
    is_lagging: bool = False
    """Whether something for it was thrown away, so that it must start again."""
    is_gone: bool = False
    has_delay: bool = False
    """Whether spectators of its table are told later."""
    player_id: str = ""
    """The player who watches; empty where nobody knows."""
    name: str = ""
    shows_name: bool = False
    """Whether the others may see it."""
    is_passing: bool = False
    """Whether it merely looks in at a public table, and is not counted."""
    with_lists: bool = True
    """Whether it is told what its seat may do."""
    with_talk: bool = False
    """Whether it is told what is said."""
    lacks_talk: int = 0
    """How often it was found, since it was told all that it hears, that it must be told that anew; 0 for not at all."""
    viewing_id: str = ""
    """The viewing that it takes part in; empty for none."""
    is_in_viewing: bool = False
    """Whether it was let in there."""
    lacks_viewing: bool = False
    """Whether it must be told that viewing anew."""

    @property
    def is_delayed(self) -> bool:
        """Whether it is told later than the seats."""
        return self.has_delay and self.seat is None

    def bits(self, seat: int | None) -> int:
        """Return the audience of a seat that it may have, or of spectators, as bits, with the list that it is told."""
        return with_lists(1 << audience(seat)) if self.with_lists else 1 << audience(seat)

    def resend_talk(self) -> None:
        """Let it be told anew what it hears, and the viewing that it takes part in, if it is told that at all."""
        self.lacks_talk += self.with_talk
        self.lacks_viewing = bool(self.viewing_id)


class Stream:
    """The messages that wait to be sent over one stream."""

    def __init__(self) -> None:
        self.followers: dict[int, Follower] = {}
        self.has_lagging = False
        self._ending: Refused | None = None
        self._send_queue: deque[bytes] = deque()
        """Tails, each encoded as it stands in a TailSessionsResponse."""
        self._bytes = 0
        self._has_mail = asyncio.Event()

    def send(self, followers: Sequence[Follower], message: bytes) -> None:
        """Send an encoded WatchResponse, which brings what was sent to them last, to some watches; without room, they lag now."""
        size = len(message)
        if len(self._send_queue) >= STREAM_MESSAGES or self._bytes + size > STREAM_BYTES:
            self.has_lagging = True
            for follower in followers:
                follower.is_lagging = True
                follower.resend_talk()
            return
        first = followers[0]
        ids = b"".join([varint(follower.number) for follower in followers])
        begin = b"".join((_IDS, varint(len(ids)), ids, _MESSAGE, varint(size)))
        end = number(_VERSION, first.last_number) + number(_AT_MS, first.last_at_ms)
        self._put(b"".join((_TAIL, varint(size + len(begin) + len(end)), begin, message, end)))

    def refuse(self, watch: int, refused: Refused) -> None:
        """End a watch. Refusals are small and as many as watches, which are bounded."""
        self._put(block(_TAIL, session_pb2.Tail(ids=[watch], refusal=refused.refusal).SerializeToString()))

    @property
    def has_room(self) -> bool:
        """Whether watches that lag can start again."""
        return len(self._send_queue) < STREAM_MESSAGES // 2 and self._bytes < STREAM_BYTES // 2

    def end(self, refused: Refused) -> None:
        """End the stream after what waits now."""
        self._ending = self._ending or refused
        self._has_mail.set()

    async def responses(self) -> AsyncIterator[bytes]:
        """Yield what waits, as much at a time as there is, as encoded responses. Raises what the stream was ended with."""
        while True:
            await self._has_mail.wait()
            tails: list[bytes] = []
            size = 0
            while self._send_queue and len(tails) < _TAILS and size < _RESPONSE_BYTES:
                tail = self._send_queue.popleft()
                tails.append(tail)
                size += len(tail)
            self._bytes -= size
            if tails:
                yield b"".join(tails)
            if not self._send_queue:
                if self._ending is not None:
                    raise self._ending
                self._has_mail.clear()

    def _put(self, tail: bytes) -> None:
        self._send_queue.append(tail)
        self._bytes += len(tail)
        self._has_mail.set()


def grouped(followers: Iterable[Follower], key: Callable[[Follower], _Key]) -> dict[_Key, list[Follower]]:
    """Return followers grouped by what they have in common."""
    found: dict[_Key, list[Follower]] = {}
    for follower in followers:
        found.setdefault(key(follower), []).append(follower)
    return found


def tell(followers: Iterable[Follower], message: play_pb2.WatchResponse) -> None:
    """Send a message that is no version: the last number that watches were given goes along with it."""
    data = message.SerializeToString()
    for alike in grouped(followers, lambda one: (one.stream, one.last_number, one.last_at_ms)).values():
        alike[0].stream.send(alike, data)


class Followers(dict[str, set[Follower]]):
    """The followers of each session here."""

    def of(self, session_id: str) -> Collection[Follower]:
        """Return who follows a session."""
        return self.get(session_id, ())

    def audiences(self, state: State) -> int:
        """Return the audiences for which a session is followed, as bits, with the lists of those whose watches need them.

        A watch that is still being looked up is of the seat that its token opens; one that has seen something may lack nothing.
        """
        bits = 0
        for follower in self.of(state.id):
            if follower.present != NOT_SENT:
                bits |= follower.bits(follower.seat)
            elif not follower.sent:
                bits |= follower.bits(state.seat_of_hash(follower.token_hash))
        return bits


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
