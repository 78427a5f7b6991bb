"""The talk at the tables of this process's shards: who hears it, who may speak to whom, how much of it is kept, and who is told.

Talk is separate from the log: no version, record, export, history or view contains it. Watchers are kept apart from players
during a game that is competitive or hides anything: they see what a player overlooks, and must not tell. Private talk is between
two people, wherever they sit; nothing that others receive shows that it happened, and it uses up no bound that others share.

It is in memory while somebody needs it, and in the store behind that; memory is believed as long as nobody else can have written
to it. Those who watch a table are told first all that they hear of it, then every line when the store has it. A watcher who comes
to another seat, or loses it, hears something else, and so does everybody when a game is over: they are told anew.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from brettwerk.internal.v1 import session_pb2
from brettwerk.internal.v1.session_state_pb2 import StoredTalkLine
from brettwerk.v1 import errors_pb2, play_pb2, talk_pb2
from services.runtime.bounded_cache import BoundedCache
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.seats import complete, seat_in
from services.runtime.tasks import KeyLocks
from services.session.domain.commands import access
from services.session.domain.state import State
from services.session.live.rebuilds import Rebuilds
from services.session.store.store import Store
from services.session.watch.followers import Follower, Followers, tell
from services.sharding.shards import shard_of

TALKS_BYTES = 16 * 1024 * 1024
"""Bytes of talk that a process remembers."""
_TALK_BYTES = 200
"""Bytes of a session's talk in addition to its lines."""

UNSPECIFIED = talk_pb2.TalkLine.ROOM_UNSPECIFIED
TABLE = talk_pb2.TalkLine.ROOM_TABLE
WATCHERS = talk_pb2.TalkLine.ROOM_WATCHERS
PRIVATE = talk_pb2.TalkLine.ROOM_PRIVATE

LINES = {TABLE: 100, WATCHERS: 100, PRIVATE: 30}
"""How many lines are kept: of the table, of the watchers, and of each pair of seats. Older ones make room."""


class Listener(NamedTuple):
    """A listener: the seat whose token they have shown, and the player they are; None and empty if there is none."""

    seat: int | None
    player_id: str


def is_apart(state: State, *, hidden: bool) -> bool:
    """Return whether the players cannot hear the watchers, given whether the game hides anything."""
    return not state.is_over and (hidden or state.created.competitive)


def room_for(state: State, listener: Listener, *, hidden: bool) -> talk_pb2.TalkLine.Room.ValueType:
    """Return the room that somebody speaks to by default; UNSPECIFIED for those who cannot speak.

    Players here speak only from their seat, and watchers need to have an identity.
    """
    if listener.seat is not None:
        return TABLE
    if not listener.player_id or listener.player_id in state.players:
        return UNSPECIFIED
    return WATCHERS if is_apart(state, hidden=hidden) else TABLE


def hears(state: State, stored: StoredTalkLine, listener: Listener, *, hidden: bool) -> bool:
    """Return whether somebody hears a line."""
    person = listener.player_id if listener.seat is None else state.seats[listener.seat].player_id
    if person in stored.unheard_by:
        return False
    match stored.line.room:
        case talk_pb2.TalkLine.ROOM_TABLE:
            return True
        case talk_pb2.TalkLine.ROOM_WATCHERS:
            plays = listener.seat is not None or listener.player_id in state.players
            return not plays or not is_apart(state, hidden=hidden)
    if listener.seat is None:
        return False
    return bool(person) and person in (stored.line.player_id, stored.to_player_id)


def audible_lines(state: State, lines: Iterable[StoredTalkLine], listener: Listener, *, hidden: bool) -> list[talk_pb2.TalkLine]:
    """Return what somebody can hear of everything that is kept."""
    return [stored.line for stored in lines if hears(state, stored, listener, hidden=hidden)]


def addressee(state: State, seat: int, listener_seat: int) -> str:
    """Return the player in another seat, to whom somebody in a seat wants to speak alone.

    Raises Refused: UNKNOWN if there is no such seat, MALFORMED if no other person sits there.
    """
    if listener_seat >= len(state.seats):
        raise unknown("seat", "listener_seat", listener_seat, range(len(state.seats)))
    person = state.seats[listener_seat].player_id
    if not person or person == state.seats[seat].player_id:
        raise malformed("listener_seat", "no other person sits there")
    return person


def speaker(state: State, seat_token: str, caller: session_pb2.Caller) -> Listener:
    """Return who is speaking. Raises Refused: NO_TOKEN for nobody, NOT_YOUR_SEAT for a player here who shows no seat's token."""
    if seat_token:
        seat = access.holder(state, seat_token)
        return Listener(seat, state.seats[seat].player_id)
    if access.player(caller) in state.players:
        raise Refused(errors_pb2.REASON_NOT_YOUR_SEAT, "a player speaks from their seat: its token is needed")
    return Listener(None, caller.player_id)


def lines_to_drop(lines: Sequence[StoredTalkLine], new: StoredTalkLine) -> list[StoredTalkLine]:
    """Return the lines that are dropped when a new one comes: the oldest of those that share its bound."""
    alike = [stored for stored in lines if share_bound(stored.line, new.line)]
    return alike[: max(0, len(alike) + 1 - LINES[new.line.room])]


def repeated(lines: Iterable[StoredTalkLine], request: bytes, digest: bytes) -> StoredTalkLine | None:
    """Return what a request has said before, or None. Raises Refused (REQUEST_ID_REUSED) if that was a different request."""
    found = next((stored for stored in lines if stored.request == request), None)
    if found is not None and found.digest != digest:
        raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for another request")
    return found


def share_bound(line: talk_pb2.TalkLine, other: talk_pb2.TalkLine) -> bool:
    """Return whether two lines belong together: in the same room or, in private talk, between the same two seats."""
    return line.room == other.room and (line.room != PRIVATE or _both(line) == _both(other))


def _both(line: talk_pb2.TalkLine) -> set[int | None]:
    return {seat_in(line, "speaker_seat"), seat_in(line, "listener_seat")}


@dataclass(eq=False, repr=False)
class Talk:
    """The lines, and who is told them. Raises Refused: UNKNOWN if there is no such session, UNAVAILABLE."""

    _store: Store
    _owns: Callable[[int], bool]
    """Says whether nobody else can have written to a shard."""
    _rebuilds: Rebuilds
    _hides: Callable[[str], Awaitable[bool]]
    """Returns whether anything is hidden in a game."""
    _is_on: bool
    """Whether there is talk on this server."""
    _followers: Followers

    def __post_init__(self) -> None:
        self._known = BoundedCache[str, list[tuple[bytes, StoredTalkLine]]](TALKS_BYTES)
        self._era = 0
        self._locks = KeyLocks()

    async def lines(self, session_id: str) -> Sequence[StoredTalkLine]:
        """Return what is kept of a session's talk, oldest first."""
        async with self._locks.of(session_id):
            return [line for _, line in await self._read(session_id)]

    async def add(self, session_id: str, new: StoredTalkLine) -> tuple[StoredTalkLine, bool]:
        """Keep a line, and return it and whether it is new; what the same request has said before is returned instead.

        Raises Refused: also FULL while the store has no memory for it, moved when another process owns the session.
        """
        async with self._locks.of(session_id):
            known = await self._read(session_id)
            before = repeated((line for _, line in known), new.request, new.digest)
            if before is not None:
                return before, False
            goes = {id(line) for line in lines_to_drop([line for _, line in known], new)}
            data = new.SerializeToString(deterministic=True)
            era = self._era
            self.forget(session_id)  # until its outcome is known
            try:
                await self._store.add_talk(session_id, data, [old for old, line in known if id(line) in goes])
            except Refused as refused:
                if refused.reason == errors_pb2.REASON_FULL:
                    sentence = "there is no memory for what is said now"
                    raise Refused(refused.reason, sentence, retry_after_ms=refused.refusal.retry_after_ms) from None
                raise
            if era == self._era:
                self._keep(session_id, [*(pair for pair in known if id(pair[1]) not in goes), (data, new)])
            return new, True

    def forget(self, session_id: str) -> None:
        """Drop a session's talk from memory."""
        self._known.forget(session_id)

    def doubt(self, shards: Collection[int]) -> None:
        """Believe nothing of some shards that is in memory, or is being read."""
        self._era += 1
        for session_id in [one for one in self._known if shard_of(one) in shards]:
            self.forget(session_id)

    async def _read(self, session_id: str) -> list[tuple[bytes, StoredTalkLine]]:
        known = self._known.get(session_id)
        if known is not None and self._owns(shard_of(session_id)):
            self._known.touch(session_id)
            return known
        era = self._era
        found = [(data, _line(data)) for data in await self._store.talk(session_id)]
        if era == self._era:
            self._keep(session_id, found)
        return found

    def _keep(self, session_id: str, lines: list[tuple[bytes, StoredTalkLine]]) -> None:
        self._known.put(session_id, lines, _TALK_BYTES + 2 * sum(len(data) for data, _ in lines))

    async def begin(self, follower: Follower) -> None:
        """Tell a watch all that it hears, if it lacks that. Raises Refused (UNAVAILABLE)."""
        while follower.lacks_talk and not (follower.is_gone or follower.is_lagging):
            lacks = follower.lacks_talk
            whole = await self._whole(follower) if self._is_on else talk_pb2.Talk(whole=True, off=True)
            # Lines that came meanwhile are in it, unless that changed what the watch hears.
            if lacks == follower.lacks_talk and not (follower.is_gone or follower.is_lagging):
                follower.lacks_talk = 0
                tell([follower], play_pb2.WatchResponse(talk=whole))

    async def _whole(self, follower: Follower) -> talk_pb2.Talk:
        state, is_archived = await self._rebuilds.state(follower.session_id)
        if is_archived:
            return talk_pb2.Talk(whole=True)
        hidden = await self._hides(state.game)
        lines = await self.lines(follower.session_id)  # at last: nothing is told between this and what is made of it
        listener = Listener(follower.seat, follower.player_id)
        return talk_pb2.Talk(
            whole=True,
            lines=audible_lines(state, lines, listener, hidden=hidden),
            room=room_for(state, listener, hidden=hidden),
        )

    def say(self, state: State, stored: StoredTalkLine, *, hidden: bool) -> None:
        """Tell a new line to those who follow the session here and hear it."""
        reached = (
            follower
            for follower in self._followers.of(state.id)
            if follower.with_talk
            and not (follower.lacks_talk or follower.is_gone or follower.is_lagging)
            and hears(state, stored, Listener(follower.seat, follower.player_id), hidden=hidden)
        )
        tell(reached, play_pb2.WatchResponse(talk=talk_pb2.Talk(lines=[stored.line])))


def _line(data: bytes) -> StoredTalkLine:
    line = StoredTalkLine.FromString(data)
    complete(line)
    return line
