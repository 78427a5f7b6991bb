"""Tells the watchers: every version once and in order, from the one after their last, or an explicit new beginning.

Live updates come from the event streams as stored bytes. A watch that finds a gap (it has just begun, an event was missed, its
stream was full) catches up from the store, or from the log, and is live again when it has heard of nothing newer. Heartbeats
tell the head version as the store has it, so that a reader that fell asleep is found out.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine

import redis.asyncio

from brettwerk.v1 import errors_pb2, play_pb2, session_pb2, session_state_pb2
from services.runtime import limits, metrics, trace
from services.runtime.interceptor import internal
from services.runtime.logs import logger
from services.runtime.refusal import Refused, unavailable
from services.session.bounds import BACKLOG, UPDATES_KEPT, WATCHES
from services.session.events import Events
from services.session.followers import Follower, Stream, by_stream, heartbeat, resync
from services.session.histories import Histories
from services.session.ids import checked
from services.session.state import hash_token
from services.session.store import Store
from services.session.updates import audience, message_for

log = logger(__name__)

_Cause = play_pb2.Resync
_PAGE = 200
_CATCHING_UP_AT_ONCE = 32
_HEADS_AT_ONCE = 1000
DOOR = "tail"


class Tails:
    """Feeds all tail streams of this process."""

    def __init__(
        self, client: "redis.asyncio.Redis", store: Store, histories: Histories, now_ms: Callable[[], int], heartbeat_s: float
    ) -> None:
        """Use a client whose connections may block."""
        self._store = store
        self._histories = histories
        self._now_ms = now_ms
        self._heartbeat_s = heartbeat_s
        self._followers: dict[str, set[Follower]] = {}
        self._streams: set[Stream] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(_CATCHING_UP_AT_ONCE)
        self._is_closing = False
        self.events = Events(client, self._followers.__contains__, self.deliver, self._catch_up_all)

    async def run(self) -> None:
        """Send heartbeats until cancelled."""
        while True:
            await asyncio.sleep(self._heartbeat_s)
            try:
                await self.beat()
            except Refused:
                pass  # the store is away, and its client has said so
            except Exception as error:
                log.error("heartbeat failed", exc_info=error)

    def drain(self) -> None:
        """End all streams, and take no more."""
        self._is_closing = True
        for stream in self._streams:
            stream.end(unavailable("session service"))

    async def close(self) -> None:
        """Give up what is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def serve(
        self, requests: AsyncIterator[session_pb2.TailSessionsRequest]
    ) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        """Serve one stream of watches until its caller or this process ends."""
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
            reader.cancel()
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
        if old is not None:
            self._forget(old)
        if len(stream.followers) >= WATCHES:
            refused = Refused(errors_pb2.REASON_FULL, "too many watches in one stream", retry_after_ms=1000)
            stream.refuse(follow.id, refused)
            return
        follower = Follower(follow.id, stream, watch.session_id, None, 0, b"", watch.after_version, is_catching_up=True)
        stream.followers[follow.id] = follower
        self._followers.setdefault(watch.session_id, set()).add(follower)
        metrics.WATCHES.labels(DOOR).inc()
        self._start(self._begin(follower, watch))

    async def _begin(self, follower: Follower, watch: play_pb2.WatchRequest) -> None:
        """Tell a watch the head version, then what it lacks."""
        trace.begin()
        try:
            await self._admit(follower, watch)
        except Refused as refused:
            self._refuse(follower, refused)
        except Exception as error:
            log.error("watch failed", exc_info=error)
            self._refuse(follower, internal())
        else:
            await self._catch_up(follower)

    async def _admit(self, follower: Follower, watch: play_pb2.WatchRequest) -> None:
        """Find out for whom a watch looks, and where it begins."""
        state, archived = await self._histories.state(checked(watch.session_id))
        head = state.version
        if not archived:
            follower.seat, follower.valid_from = state.seat_of_token(watch.seat_token), head
            follower.token_hash = hash_token(watch.seat_token)
        if follower.is_gone:
            return
        follower.stream.send([follower], heartbeat(head, self._now_ms()))
        cause: play_pb2.Resync.Cause.ValueType | None = None
        if watch.seat_token and follower.seat is None and not archived:
            cause = _Cause.CAUSE_SEAT
        elif watch.after_version == 0:
            cause = _Cause.CAUSE_UNSPECIFIED
        elif watch.after_version > head:
            cause = _Cause.CAUSE_AHEAD
        elif head - watch.after_version > UPDATES_KEPT and head > BACKLOG:
            cause = _Cause.CAUSE_GAP
        metrics.WATCH_RESUMES.labels("backlog" if cause is None else _Cause.Cause.Name(cause).lower()).inc()
        if cause is not None:
            await self._begin_anew(follower, cause)

    def _refuse(self, follower: Follower, refused: Refused) -> None:
        """End a watch, unless its caller has ended it already."""
        if not follower.is_gone:
            self._forget(follower)
            follower.stream.refuse(follower.number, refused)

    def _forget(self, follower: Follower) -> None:
        if follower.is_gone:
            return
        follower.is_gone = True
        metrics.WATCHES.labels(DOOR).dec()
        if follower.stream.followers.get(follower.number) is follower:
            del follower.stream.followers[follower.number]
        others = self._followers.get(follower.session_id)
        if others is not None:
            others.discard(follower)
            if not others:
                del self._followers[follower.session_id]

    def deliver(self, session_id: str, packed: session_state_pb2.PackedUpdate) -> None:
        """Give an update to all who follow the session here and wait for just this version."""
        ready: dict[tuple[Stream, int], list[Follower]] = {}
        for follower in self._followers.get(session_id, ()):
            if follower.is_catching_up or follower.is_lagging:
                follower.heard = max(follower.heard, packed.version)
            elif packed.version == follower.sent + 1:
                if not self._has_lost_seat(follower, packed):
                    ready.setdefault((follower.stream, audience(follower.seat)), []).append(follower)
            elif packed.version > follower.sent + 1:
                follower.is_catching_up = True
                self._start(self._catch_up(follower))
        for (stream, _), followers in ready.items():
            for follower in followers:
                follower.sent = packed.version
            stream.send(followers, message_for(packed, followers[0].seat))

    def _has_lost_seat(self, follower: Follower, packed: session_state_pb2.PackedUpdate) -> bool:
        """Return whether the seat changed hands, and make its watcher a spectator then."""
        if follower.seat is None or packed.seat_changed != follower.seat + 1 or packed.version <= follower.valid_from:
            return False
        follower.seat, follower.sent = None, packed.version
        follower.stream.send([follower], resync(_Cause.CAUSE_SEAT, message_for(packed, None)))
        return True

    def _catch_up_all(self, store_began_anew: bool) -> None:
        """Let all watches look what they lack; a store that began anew may have set them back without their noticing."""
        for followers in self._followers.values():
            for follower in followers:
                if not follower.is_catching_up:
                    follower.is_catching_up = True
                    self._start(self._fall_back(follower) if store_began_anew else self._catch_up(follower))

    def _revive(self, stream: Stream) -> None:
        """Let watches begin anew for which there was no room."""
        stream.has_lagging = False
        for follower in stream.followers.values():
            if follower.is_lagging and not follower.is_catching_up:
                follower.is_catching_up = True
                self._start(self._catch_up(follower))

    async def _catch_up(self, follower: Follower) -> None:
        """Give a watch what it lacks; afterwards it is live."""
        try:
            async with self._room:
                patience = 100
                while not follower.is_gone and patience:
                    if follower.is_lagging:
                        await self._begin_anew(follower, _Cause.CAUSE_GAP)
                        if follower.is_lagging:
                            break
                    missing = await self._histories.updates(follower.session_id, follower.sent + 1, follower.sent + _PAGE)
                    for packed in missing:
                        if not self._has_lost_seat(follower, packed):
                            follower.sent = packed.version
                            follower.stream.send([follower], message_for(packed, follower.seat))
                    if not missing and follower.heard <= follower.sent:
                        break
                    if not missing:
                        patience -= 1
                        await asyncio.sleep(0.01)
        except Refused as refused:
            log.info("watch put off", reason=refused.refusal.message)
            if refused.reason not in (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE):
                self._refuse(follower, refused)
        except Exception as error:
            log.error("watch failed", exc_info=error)
            self._refuse(follower, internal())
        finally:
            follower.is_catching_up = False

    async def _begin_anew(self, follower: Follower, cause: play_pb2.Resync.Cause.ValueType) -> None:
        """Give a watch the newest picture."""
        state, _ = await self._histories.state(follower.session_id)
        if follower.seat is not None and state.seats[follower.seat].token_hash != follower.token_hash:
            follower.seat, cause = None, _Cause.CAUSE_SEAT
        packed = (await self._histories.updates(follower.session_id, state.version, state.version))[-1]
        follower.is_lagging = False
        follower.sent = packed.version
        follower.stream.send([follower], resync(cause, message_for(packed, follower.seat)))

    async def beat(self) -> None:
        """Show every watch that it lives, and find those that fell behind the store, or are ahead of it.

        Raises Refused (UNAVAILABLE) while the store is away: then there is no sign of life either.
        """
        sessions = list(self._followers)
        for begin in range(0, len(sessions), _HEADS_AT_ONCE):
            chunk = sessions[begin : begin + _HEADS_AT_ONCE]
            before = {f: f.sent for session_id in chunk for f in self._followers.get(session_id, ())}
            heads = dict(zip(chunk, await asyncio.gather(*map(self._store.version, chunk)), strict=True))
            alive: dict[int, list[Follower]] = {}
            for follower, sent in before.items():
                if follower.is_gone or follower.is_catching_up or follower.is_lagging:
                    continue
                head = heads[follower.session_id]
                if head is not None and head > follower.sent:
                    follower.is_catching_up = True
                    self._start(self._catch_up(follower))
                elif head is not None and head < sent:
                    follower.is_catching_up = True
                    self._start(self._fall_back(follower))
                else:
                    alive.setdefault(follower.sent, []).append(follower)
            for version, followers in alive.items():
                for stream, group in by_stream(followers).items():
                    stream.send(group, heartbeat(version, self._now_ms()))

    async def _fall_back(self, follower: Follower) -> None:
        """Begin anew with a watch that knows more than the store, or perhaps something else: the store has lost something."""
        log.warning("the store may have lost versions that were told", session=follower.session_id)
        try:
            follower.heard = 0
            await self._begin_anew(follower, _Cause.CAUSE_AHEAD)
            metrics.WATCH_RESUMES.labels("cause_ahead").inc()
        except Refused as refused:
            log.info("watch put off", reason=refused.refusal.message)
        finally:
            follower.is_catching_up = False

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
