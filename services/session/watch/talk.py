"""Talk at the tables of this process's shards: in memory while somebody needs it, and in the store behind that.

Memory is believed as long as nobody else can have written to it. Those who watch a table are told first all that they hear of it,
then every line when the store has it. A watcher who comes to another seat, or loses it, hears something else, and so does
everybody when a game is over: they are told anew.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from brettwerk.internal.v1.session_state_pb2 import StoredTalkLine
from brettwerk.v1 import errors_pb2, play_pb2, talk_pb2
from services.runtime.bounded_cache import BoundedCache
from services.runtime.refusal import Refused
from services.runtime.seats import complete
from services.runtime.tasks import KeyLocks
from services.session.domain import talk
from services.session.domain.state import State
from services.session.live.rebuilds import Rebuilds
from services.session.store.store import Store
from services.session.watch.followers import Follower, tell
from services.sharding.shards import shard_of

TALKS_BYTES = 16 * 1024 * 1024
"""Bytes of talk that a process remembers."""
_TALK_BYTES = 200
"""Bytes of a session's talk in addition to its lines."""


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
            before = talk.repeated((line for _, line in known), new.request, new.digest)
            if before is not None:
                return before, False
            goes = {id(line) for line in talk.lines_to_drop([line for _, line in known], new)}
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
        listener = talk.Listener(follower.seat, follower.player_id)
        return talk_pb2.Talk(
            whole=True,
            lines=talk.audible_lines(state, lines, listener, hidden=hidden),
            room=talk.room_for(state, listener, hidden=hidden),
        )

    def deliver(self, state: State, stored: StoredTalkLine, followers: Iterable[Follower], *, hidden: bool) -> None:
        """Tell a new line to those who hear it."""
        reached = (
            follower
            for follower in followers
            if follower.with_talk
            and not (follower.lacks_talk or follower.is_gone or follower.is_lagging)
            and talk.hears(state, stored, talk.Listener(follower.seat, follower.player_id), hidden=hidden)
        )
        tell(reached, play_pb2.WatchResponse(talk=talk_pb2.Talk(lines=[stored.line])))


def _line(data: bytes) -> StoredTalkLine:
    line = StoredTalkLine.FromString(data)
    complete(line)
    return line
