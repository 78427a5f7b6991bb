"""Tells the watchers: every version once and in order, from the one after their last, or an explicit new beginning.

Watches of a session are at the process that owns its shard, and end with that (moved). Live updates come from its own commits,
right after them; a watch that finds a gap (it has just begun, its stream was full, the store was set back) catches up
(`catch_up.py`). Heartbeats tell the head version, so that a reader that fell asleep is found out.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from services.runtime import limits, metrics, trace
from services.runtime.logs import logger
from services.runtime.refusal import Refused, internal, moved, unavailable
from services.runtime.tasks import TaskSet, repeat
from services.session.computers.waits import Waits
from services.session.domain import perception
from services.session.domain.bounds import WATCHES
from services.session.domain.ids import checked
from services.session.domain.state import State, hash_token
from services.session.domain.updates import PackedUpdate, is_unaware, number_for
from services.session.live.rebuilds import Rebuilds
from services.session.live.session_cache import SessionCache
from services.session.watch.catch_up import Gaps, is_shown
from services.session.watch.followers import Follower, Followers, Heartbeats, Presence, Stream, Watchers
from services.session.watch.viewings import Company
from services.sharding.shards import shard_if_any, shard_of

log = logger(__name__)

_HEADS_AT_ONCE = 1000
_WATCHES_HERE = metrics.WATCHES.labels("tail")


@dataclass(eq=False, repr=False)
class Tails:
    """Feeds all tail streams of this process."""

    _session_cache: SessionCache
    _rebuilds: Rebuilds
    _waits: Waits
    _followers: Followers
    """They are kept up to date here."""
    presence: Presence
    _company: Company
    _check_owner: Callable[[str], None]
    """Raises Refused (moved) for a session of another process's shard."""

    def __post_init__(self) -> None:
        self._streams: set[Stream] = set()
        self._tasks = TaskSet()
        self._is_closing = False
        self._watchers = Watchers(self._tasks.start, self._followers, self._seated, lambda one: self._heartbeats.tell(one))
        self._heartbeats = Heartbeats(self._waits, self._watchers, self._followers, self.presence.now_ms)
        self.presence.subscribe(self._tasks.start, self._heartbeats.tell_presence)
        self._company.viewings.subscribe(self._tasks.start)
        self._gaps = Gaps(self._rebuilds, self.presence, self._watchers, self._company)

    async def run(self, every_s: float) -> None:
        """Send heartbeats, with a pause of some seconds in between, until cancelled."""
        await repeat(self.beat, every_s, "heartbeat failed")

    def drain(self) -> None:
        """End all streams, and take no more."""
        self._is_closing = True
        for stream in self._streams:
            stream.end(unavailable("session service"))

    def end(self, shards: Collection[int]) -> None:
        """End the watches of shards that are other processes' now."""
        for session_id in [one for one in self._followers if shard_if_any(one) in shards]:
            for follower in list(self._followers[session_id]):
                self._refuse(follower, moved(shard_of(session_id)))

    async def close(self) -> None:
        """Abandon what is under way."""
        await self._tasks.end()

    async def serve(self, requests: AsyncIterator[session_pb2.TailSessionsRequest]) -> AsyncGenerator[bytes, None]:
        """Serve one stream of watches until its caller or this process ends. Yields encoded TailSessionsResponses.

        Raises Refused (UNAVAILABLE) in a process that is about to end.
        """
        if self._is_closing:
            raise unavailable("session service")
        stream = Stream()
        self._streams.add(stream)
        reader = asyncio.create_task(self._read(stream, requests))
        try:
            async for response in stream.responses():
                yield response
                if stream.has_lagging and stream.has_room:
                    self._revive(stream)
        finally:
            reader.cancel()  # requests may never end by themselves: their caller is gone without a word
            await asyncio.gather(reader, return_exceptions=True)
            self._streams.discard(stream)
            for follower in list(stream.followers.values()):
                self._forget(follower)

    async def _read(self, stream: Stream, requests: AsyncIterator[session_pb2.TailSessionsRequest]) -> None:
        try:
            async for request in requests:
                limits.check(request)
                for number in request.unfollow:
                    follower = stream.followers.get(number)
                    if follower is not None:
                        self._forget(follower)
                for follow in request.follow:
                    self._enter(stream, follow)
        except Refused as refused:
            stream.end(refused)
        else:
            stream.end(unavailable("session service"))  # nobody listens any more, so nobody hears it

    def _enter(self, stream: Stream, follow: session_pb2.Follow) -> None:
        """Take a watch in; what it is told comes later, but from here on it can be ended."""
        watch = follow.watch
        old = stream.followers.get(follow.id)
        if old is not None:  # the gateway has come back to an id before it had ended the watch of it
            self._forget(old)
        if len(stream.followers) >= WATCHES:
            refused = Refused(errors_pb2.REASON_FULL, "too many watches in one stream", retry_after_ms=1000)
            stream.refuse(follow.id, refused)
            return
        try:
            checked(watch.session_id)
        except Refused as refused:
            stream.refuse(follow.id, refused)
            return
        token_hash = hash_token(watch.seat_token) if watch.seat_token else b""
        follower = Follower(follow.id, stream, watch.session_id, None, 0, token_hash, watch.after_version, watch.after_at_ms)
        # Doubted: the caller's last version may be of a store that was set back since, which its time shows.
        follower.last_number, follower.last_at_ms = watch.after_version, watch.after_at_ms
        follower.player_id, follower.name, follower.shows_name = follow.caller.player_id, follow.caller.name, watch.show_name
        follower.with_lists = sessions_pb2.Update.FIELD_ACTIONS not in watch.leave_out
        follower.with_talk, follower.viewing_id = watch.with_talk, watch.viewing_id
        follower.is_catching_up, follower.is_doubted = True, watch.after_version > 0 and watch.after_at_ms > 0
        stream.followers[follow.id] = follower
        self._followers.setdefault(watch.session_id, set()).add(follower)
        _WATCHES_HERE.inc()
        self._tasks.start(self._feed(follower, watch))

    async def _feed(self, follower: Follower, begins: play_pb2.WatchRequest | None = None) -> None:
        """Tell a watch that begins the head version, and any what it lacks; one that cannot go on ends."""
        try:
            if begins is not None:
                trace.begin()
                await self._admit(follower, begins)
            await self._gaps.catch_up(follower)
        except Refused as refused:
            self._refuse(follower, refused)
        except Exception as error:
            log.error("watch failed", exc_info=error)
            self._refuse(follower, internal())

    async def _admit(self, follower: Follower, watch: play_pb2.WatchRequest) -> None:
        """Find out for whom a watch looks, and where it begins."""
        self._check_owner(watch.session_id)
        state, archived = await self._rebuilds.state(watch.session_id)
        head = state.version
        if follower.is_gone:
            return
        if not archived:
            follower.seat, follower.valid_from = state.seat_of_token(watch.seat_token), head
            if follower.seat is not None:
                self.presence.enter(follower.session_id, follower.seat)
            self._watchers.changed(follower.session_id)
        # A player invited to a table that is not public is there on purpose.
        follower.is_passing = watch.in_passing and state.created.public
        follower.has_delay = state.created.spectator_delay > 0
        follower.resend_talk()
        number = perception.audience(follower.seat)
        follower.sent = perception.in_log(state, number, watch.after_version)
        present = self.presence.seats(follower.session_id)
        self._waits.enter(state)
        known = perception.number_of(state, number, perception.last_shown(state, number))
        self._heartbeats.send([follower], known, present, follower.session_id)
        await self._gaps.begin(follower, watch, state, is_archived=archived)

    def _refuse(self, follower: Follower, refused: Refused) -> None:
        """End a watch, unless its caller has ended it already."""
        if not follower.is_gone:
            self._forget(follower)
            follower.stream.refuse(follower.number, refused)

    def _forget(self, follower: Follower) -> None:
        if follower.is_gone:
            return
        follower.is_gone = True
        self._gaps.leave_seat(follower)
        self._watchers.changed(follower.session_id)
        self._company.viewings.changed(follower)
        _WATCHES_HERE.dec()
        if follower.stream.followers.get(follower.number) is follower:
            del follower.stream.followers[follower.number]
        others = self._followers.get(follower.session_id)
        if others is not None:
            others.discard(follower)
            if not others:
                del self._followers[follower.session_id]
                self._waits.leave(follower.session_id)

    def _seated(self, session_id: str) -> Collection[str]:
        known = self._session_cache.known(session_id)
        return () if known is None else known.state.players

    def tell_waits(self, session_id: str) -> None:
        """Tell those who follow a session here how the computers' moves stand.

        Not those who are told later: even a heartbeat without it would tell them that something has happened just now.
        """
        self._heartbeats.tell(session_id, tells_delayed=False)

    def committed(self, state: State, before: State | None, updates: Sequence[PackedUpdate]) -> None:
        """Give what a commit has made to those who follow the session here."""
        for packed in updates:
            self.deliver(state.id, packed)
        if state.created.spectator_delay:
            self._release(state)
        if before is not None and before.is_over != state.is_over:
            self._resend_talk(self._followers.of(state.id))  # they hear another selection now

    def _release(self, state: State) -> None:
        """Give spectators who are told later what they may be told now."""
        last = perception.last_shown(state, perception.SPECTATOR)
        for follower in self._followers.of(state.id):
            if follower.is_delayed and last > follower.sent:
                follower.heard = max(follower.heard, last)
                self._catch_up(follower)

    def deliver(self, session_id: str, packed: PackedUpdate) -> None:
        """Give an update to all who follow the session here and wait for just this version."""
        if session_id not in self._followers:
            return
        has_changed_seats = bool(packed.seat_changed or packed.dealt)
        is_numbered = bool(packed.numbers)
        ready: dict[tuple[Stream, int, bool], list[Follower]] = {}
        for follower in self._followers.of(session_id):
            if follower.is_delayed:
                continue
            # Catching up ends with what is in the log by then; what is given now would be given twice.
            if follower.is_catching_up or follower.is_lagging:
                follower.heard = max(follower.heard, packed.version)
            elif follower.is_doubted or packed.version > follower.sent + 1 or _is_another(packed, follower):
                follower.heard = max(follower.heard, packed.version)
                self._doubt(follower)
            elif packed.version == follower.sent + 1 and not is_shown(follower, packed):
                follower.heard = packed.version
                self._catch_up(follower)  # it came, or changed its seat, while the update was made
            elif packed.version == follower.sent + 1:
                self._gaps.move(follower, packed)
                if packed.unaware and is_unaware(packed, follower.seat):
                    self._gaps.skip_version(follower, packed)
                elif self._gaps.has_lost_seat(follower, packed):
                    if follower.has_delay:
                        self._doubt(follower)
                else:
                    follows = not is_numbered or number_for(packed, follower.seat) == follower.last_number + 1
                    ready.setdefault((follower.stream, perception.audience(follower.seat), follows), []).append(follower)
        for followers in ready.values():
            self._gaps.give(followers, packed)
        if has_changed_seats:
            self._watchers.changed(session_id)
            # Those who are told later hear the same as before, and would learn from it that a seat has changed hands.
            self._resend_talk(follower for follower in self._followers.of(session_id) if not follower.is_delayed)

    def _resend_talk(self, followers: Iterable[Follower]) -> None:
        for follower in followers:
            follower.resend_talk()
            if follower.lacks_talk or follower.lacks_viewing:
                self._catch_up(follower)

    def moved(self, session_id: str, version: int) -> None:
        """Let all who follow a session here look at it: the store has another version than the one that they were told."""
        if session_id not in self._followers:
            return
        for follower in self._followers[session_id]:
            follower.heard = version
            self._doubt(follower)

    def signed_out(self, voided: Collection[str]) -> None:
        """Let watches look whether their seat tokens are still good: in sessions with void ones, and in those not in memory."""
        for session_id, followers in self._followers.items():
            if session_id in voided or not self._session_cache.has(session_id):
                for follower in followers:
                    follower.resend_talk()
                    self._doubt(follower)

    def doubt(self, shards: Collection[int]) -> None:
        """Let watches in some shards look what they lack, and whether the store still has what they were given: it may not."""
        for session_id, followers in self._followers.items():
            for follower in followers if shard_of(session_id) in shards else ():
                follower.heard = 0
                follower.resend_talk()
                self._doubt(follower)

    def _doubt(self, follower: Follower) -> None:
        """Let a watch check whether the store still has what it was given; one that catches up does so before it is done."""
        follower.is_doubted = True
        self._waits.doubt(follower.session_id)
        self._catch_up(follower)

    def _catch_up(self, follower: Follower) -> None:
        if not follower.is_catching_up and not follower.is_lagging:
            follower.is_catching_up = True
            self._tasks.start(self._feed(follower))

    def _revive(self, stream: Stream) -> None:
        """Let watches start again for which there was no room."""
        # Unset before they begin: one that finds no room again sets it, and the stream comes back here.
        stream.has_lagging = False
        for follower in stream.followers.values():
            if follower.is_lagging and not follower.is_catching_up:
                follower.is_catching_up = True
                self._tasks.start(self._feed(follower))

    async def beat(self) -> None:
        """Show every watch that it lives, and find those that fell behind the store, or are ahead of it.

        Raises Refused (UNAVAILABLE) in the end while the store of some is away: then these get no sign of life either.
        """
        sessions = list(self._followers)
        failed: list[BaseException] = []
        # In chunks, so that calls come in between.
        for begin in range(0, len(sessions), _HEADS_AT_ONCE):
            chunk = sessions[begin : begin + _HEADS_AT_ONCE]
            # Taken before the store is asked: a commit in between makes a head look as if it had gone back.
            before = {f: f.sent for session_id in chunk for f in self._followers.of(session_id)}
            found = await asyncio.gather(*map(self._session_cache.version, chunk), return_exceptions=True)
            failed += [one for one in found if isinstance(one, BaseException)]  # others may be at another server
            heads = dict(zip(chunk, found, strict=True))
            alive: list[tuple[Follower, int]] = []
            for follower, sent in before.items():
                head = self._shown_head(follower, heads[follower.session_id])
                if follower.is_gone or follower.is_catching_up or follower.is_lagging or isinstance(head, BaseException):
                    continue
                if follower.is_doubted or (head is not None and (head > follower.sent or head < sent)):
                    self._doubt(follower)
                    continue
                alive.append((follower, self.presence.seats(follower.session_id)))
                if follower.lacks_talk or follower.lacks_viewing:  # the store was away when it was to be told
                    self._catch_up(follower)
            self._heartbeats.send_all(alive)
        if failed:
            raise failed[0]

    def _shown_head(self, follower: Follower, head: int | BaseException | None) -> int | BaseException | None:
        """Return the newest version that a watch can have, of what was found in the store."""
        known = self._session_cache.known(follower.session_id) if follower.is_delayed else None
        if known is None or not isinstance(head, int):
            return head
        return min(head, perception.last_shown(known.state, perception.SPECTATOR))


def _is_another(packed: PackedUpdate, follower: Follower) -> bool:
    """Return whether a watch was given another version of this number."""
    return packed.version == follower.sent and follower.sent_at_ms not in (0, packed.at_ms)
