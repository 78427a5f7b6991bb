"""One TailSessions stream and the watches that it feeds.

Messages go to clients as the bytes that arrived. If the stream breaks, it is opened again, and every watch goes on from the last
version that its client received, so that clients notice only a pause.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2
from brettwerk_games.protobuf_wire.fields import tag
from gateway.identity.caller import Caller
from gateway.watches.interface import Sink
from services.runtime import metrics
from services.runtime.link import LongCall
from services.runtime.logs import logger
from services.runtime.refusal import Refused, unavailable
from services.runtime.update_fields import Field, leave_out

log = logger(__name__)

MAX_ATTEMPTS = 30
"""How often in a row a broken stream, or a watch that the session service cannot serve now, is retried."""
FIRST_PAUSE_S = 0.1
MAX_PAUSE_S = 1.0
BATCH = 1024
"""The maximum number of watches to begin or end in one message (session.proto)."""

OTHER, UPDATE, RESYNC = range(3)
_KINDS = {tag(play_pb2.WatchResponse, "update")[0]: UPDATE, tag(play_pb2.WatchResponse, "resync")[0]: RESYNC}

TailMethod: TypeAlias = Callable[[object | None], LongCall]
"""Opens a stream at a session process (LinkChannel.owner), or at any."""


class Watch:
    """One client's watch."""

    __slots__ = (
        "_left_out",
        "_on_leave",
        "_sink",
        "attempts",
        "caller",
        "endpoint",
        "feed",
        "is_asked",
        "last",
        "last_at_ms",
        "number",
        "request",
    )

    def __init__(
        self,
        request: play_pb2.WatchRequest,
        caller: Caller,
        endpoint: str,
        sink: Sink,
        on_leave: Callable[["Watch"], None],
    ) -> None:
        """`on_leave` is told when the client no longer wants it."""
        self.number = 0
        """Identifies it to its feed; different for each feed, so that nothing late is mistaken for something new."""
        self.request = request
        self.last = request.after_version
        """The last version that the client received."""
        self.last_at_ms = request.after_at_ms
        """When that was made: a store that was set back reuses its number."""
        self.attempts = 0
        """How often in a row the session service could not serve it."""
        self.is_asked = False
        """Whether it was requested from the stream that is open now."""
        self.feed: Feed | None = None
        """Its source; None if it is over, or is waiting for an owner of its shard."""
        self.caller = caller
        """The caller of the watch."""
        self.endpoint = endpoint
        """The endpoint that the client uses."""
        self._left_out = tuple(sorted(set(request.leave_out)))
        self._sink = sink
        self._on_leave = on_leave

    def leave(self) -> None:
        """End it, because its client no longer wants it. Does nothing if it is over."""
        self._on_leave(self)

    def follow(self) -> session_pb2.Follow:
        """Return the request to the session service, from the last version on."""
        follow = session_pb2.Follow(id=self.number, watch=self.request, caller=self.caller.message)
        follow.watch.after_version, follow.watch.after_at_ms = self.last, self.last_at_ms
        return follow

    def give(self, data: bytes, kind: int, version: int, at_ms: int) -> None:
        """Pass a message on, unless it is an update that the client already received before the stream broke."""
        self.attempts = 0
        if kind == UPDATE and version <= self.last:
            return
        if kind != OTHER:
            self.last, self.last_at_ms = version, at_ms
            if self._left_out:
                data = smaller(data, self._left_out)
        self._sink.message(data)

    def end(self, refusal: errors_pb2.Refusal) -> None:
        """Tell the client why it is over, and the last version it received."""
        completed = errors_pb2.Refusal()
        completed.CopyFrom(refusal)
        completed.head_version = completed.head_version or self.last
        self._sink.ended(completed)


class Feed:
    """A stream that is open while there are watches for it."""

    def __init__(
        self,
        method: TailMethod,
        owner: object | None,
        refused: Callable[[Watch, errors_pb2.Refusal], None],
        lost: Callable[[Watch, Refused], None],
    ) -> None:
        """`refused` is called with a watch that the session service refuses, `lost` with one if it cannot be reached at all."""
        self.owner = owner
        """The session process to open the stream at; None for any."""
        self._method = method
        self._refused = refused
        self._lost = lost
        self._watches: dict[int, Watch] = {}
        self._to_follow: list[int] = []
        self._to_unfollow: list[int] = []
        self._has_mail = asyncio.Event()
        self._runner: asyncio.Task[None] | None = None
        self._stream: LongCall | None = None
        self._attempts = 0

    def __len__(self) -> int:
        return len(self._watches)

    @property
    def server(self) -> object | None:
        """The session process at which the stream is open now."""
        return None if self._stream is None else self._stream.server

    def add(self, watch: Watch) -> None:
        """Feed a watch from here on."""
        watch.is_asked = False
        self._watches[watch.number] = watch
        self.ask_for(watch)

    def remove(self, watch: Watch, *, is_over: bool) -> None:
        """Stop feeding a watch; `is_over`: the session service does not know that yet."""
        if self._watches.pop(watch.number, None) is not None and is_over:
            self._to_unfollow.append(watch.number)
            self._has_mail.set()

    def ask_for(self, watch: Watch) -> None:
        """Request a watch from the session service, if that has not been done and the watch is still wanted."""
        if watch.is_asked or watch.number not in self._watches:
            return
        watch.is_asked = True
        self._to_follow.append(watch.number)
        self._has_mail.set()
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End the stream."""
        if self._runner is not None:
            self._runner.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._runner

    async def _run(self) -> None:
        self._attempts = 0
        while self._watches:
            refused = await self._tail()
            self._attempts += 1
            if self._attempts > MAX_ATTEMPTS:
                log.warning("watches ended: the session service cannot be reached", watches=len(self._watches))
                last = refused if refused.reason == errors_pb2.REASON_UNAVAILABLE else unavailable("session service")
                for watch in list(self._watches.values()):
                    self._lost(watch, last)
            if self._watches:
                log.info("tail broke", watches=len(self._watches), reason=refused.refusal.message)
                metrics.WATCH_RESUMES.labels("tail").inc(len(self._watches))
                await asyncio.sleep(pause_s(self._attempts))

    async def _tail(self) -> Refused:
        """Ask for all watches over a new stream and deliver what comes. Returns why it ended."""
        for watch in self._watches.values():
            watch.is_asked = True
        self._to_follow = list(self._watches)
        self._to_unfollow.clear()
        self._has_mail.set()
        stream = self._stream = self._method(self.owner)
        writer = asyncio.create_task(self._write(stream))
        try:
            await stream.each(self._take)
        except Refused as refused:
            return refused
        except Exception as error:
            log.error("tail failed", exc_info=error)
        finally:
            self._stream = None
            writer.cancel()
            stream.cancel()
            with contextlib.suppress(asyncio.CancelledError, Refused):
                await writer
        return unavailable("session service")

    async def _write(self, stream: LongCall) -> None:
        while True:
            await self._has_mail.wait()
            follow, self._to_follow = self._to_follow[:BATCH], self._to_follow[BATCH:]
            unfollow, self._to_unfollow = self._to_unfollow[:BATCH], self._to_unfollow[BATCH:]
            if not self._to_follow and not self._to_unfollow:
                self._has_mail.clear()
            # If the client left before the request went out, nothing is requested.
            wanted = [self._watches[number].follow() for number in follow if number in self._watches]
            if wanted or unfollow:
                await stream.write(session_pb2.TailSessionsRequest(follow=wanted, unfollow=unfollow))

    def _take(self, response: session_pb2.TailSessionsResponse) -> None:
        self._attempts = 0
        for tail in response.tails:
            self._deliver(tail)

    def _deliver(self, tail: session_pb2.Tail) -> None:
        watches = [watch for number in tail.ids if (watch := self._watches.get(number)) is not None]
        if not watches:
            return
        message = tail.message
        if not message and tail.HasField("refusal"):
            for watch in watches:
                self._refused(watch, tail.refusal)
            return
        kind, version, at_ms = kind_of(message), tail.version, tail.at_ms
        for watch in watches:
            watch.give(message, kind, version, at_ms)


def kind_of(data: bytes) -> int:
    """Return what an encoded WatchResponse is: an UPDATE, a RESYNC or something OTHER, by the field that it begins with."""
    return _KINDS.get(data[0], OTHER) if data else OTHER


@lru_cache(maxsize=64)
def smaller(data: bytes, parts: tuple[Field, ...]) -> bytes:
    """Return an encoded WatchResponse without these parts of its update; shared by all who watch the same without the same."""
    response = play_pb2.WatchResponse.FromString(data)
    leave_out(response.resync.update if response.HasField("resync") else response.update, parts)
    return response.SerializeToString(deterministic=True)


def pause_s(attempts: int) -> float:
    """Return the pause before the next attempt, in seconds."""
    longest = min(MAX_PAUSE_S, FIRST_PAUSE_S * 2 ** (attempts - 1))
    return float(longest * random.uniform(0.5, 1))  # noqa: S311 - spreads retries, guards nothing
