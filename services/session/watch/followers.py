"""One gateway's stream of watches: who follows what in it, and what waits to be sent. Bounded; what overflows starts again."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from brettwerk.internal.v1 import session_pb2
from brettwerk_games.protobuf_wire.fields import block, number, tag, varint
from services.runtime.refusal import Refused
from services.session.domain.bounds import STREAM_BYTES, STREAM_MESSAGES
from services.session.domain.perception import audience

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
        if len(self._send_queue) >= STREAM_MESSAGES or self._bytes + len(message) > STREAM_BYTES:
            self.has_lagging = True
            for follower in followers:
                follower.is_lagging = True
                follower.resend_talk()
            return
        ids = b"".join([varint(follower.number) for follower in followers])
        first = b"".join((_IDS, varint(len(ids)), ids, _MESSAGE, varint(len(message))))
        last = number(_VERSION, followers[0].last_number) + number(_AT_MS, followers[0].last_at_ms)
        self._put(b"".join((_TAIL, varint(len(first) + len(message) + len(last)), first, message, last)))

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


class Followers(dict[str, set[Follower]]):
    """The followers of each session here."""

    def of(self, session_id: str) -> Collection[Follower]:
        """Return who follows a session."""
        return self.get(session_id, ())

    def audiences(self, session_id: str) -> int:
        """Return the audiences for which a session is followed, as bits."""
        bits = 0
        for follower in self.of(session_id):
            bits |= 1 << audience(follower.seat)
        return bits
