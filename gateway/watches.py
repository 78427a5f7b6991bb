"""Follows sessions for clients: one TailSessions stream to the session service feeds all watches of this process.

Messages go to clients as the bytes that came. When the stream breaks it is opened again and every watch goes on from the last
version that its client was given, so that clients notice a pause and nothing else.
"""

import asyncio
import contextlib
import itertools
import random
from typing import Protocol, TypeAlias

import grpc

from brettwerk.v1 import errors_pb2, play_pb2, session_pb2
from gateway.visitor import Visitor
from services.runtime import limits, metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused, of_rpc_error, unavailable

log = logger(__name__)

TRIES = 30
"""How often in a row a broken stream, or a watch that the session service cannot serve now, is tried again."""
FIRST_PAUSE_S = 0.1
MOST_PAUSE_S = 1.0
BATCH = 1024
"""Watches to begin or to end in one message at most (session.proto)."""

_TailStream: TypeAlias = "grpc.aio.StreamStreamCall[session_pb2.TailSessionsRequest, session_pb2.TailSessionsResponse]"
TailMethod: TypeAlias = "grpc.aio.StreamStreamMultiCallable[session_pb2.TailSessionsRequest, session_pb2.TailSessionsResponse]"


class Sink(Protocol):
    """Where the messages of a watch go. Neither method may wait or raise."""

    def message(self, data: bytes) -> None:
        """Take an encoded WatchResponse."""

    def ended(self, refusal: errors_pb2.Refusal) -> None:
        """Take the reason why the watch is over; nothing comes after it."""


class Watch:
    """One client's watch."""

    __slots__ = ("_door", "_sink", "_visitor", "is_asked", "last", "number", "request", "tries")

    def __init__(self, number: int, request: play_pb2.WatchRequest, visitor: Visitor, door: str, sink: Sink) -> None:
        self.number = number
        self.request = request
        self.last = request.after_version
        """The last version that the client was given."""
        self.tries = 0
        """How often in a row the session service could not serve it."""
        self.is_asked = False
        """Whether the stream that is open now was asked for it."""
        self._visitor = visitor
        self._door = door
        self._sink = sink

    @property
    def visitor(self) -> Visitor:
        """Whose it is."""
        return self._visitor

    @property
    def door(self) -> str:
        """By which door the client came."""
        return self._door

    def follow(self) -> session_pb2.Follow:
        """Return what the session service is asked for, from the last version on."""
        follow = session_pb2.Follow(id=self.number, watch=self.request, caller=self._visitor.caller)
        follow.watch.after_version = self.last
        return follow

    def give(self, data: bytes, kind: str, version: int) -> None:
        """Hand a message on, unless it is an update that the client has had before the stream broke."""
        self.tries = 0
        if kind == "update":
            if version <= self.last:
                return
            self.last = version
        elif kind == "resync":
            self.last = version
        self._sink.message(data)

    def end(self, refusal: errors_pb2.Refusal) -> None:
        """Tell the client why it is over, and the last version it was given."""
        told = errors_pb2.Refusal()
        told.CopyFrom(refusal)
        told.head_version = told.head_version or self.last
        self._sink.ended(told)


class Watches:
    """All watches of this process."""

    def __init__(self, method: TailMethod) -> None:
        """Take the TailSessions method of a stub."""
        self._method = method
        self._numbers = itertools.count(1)
        self._watches: dict[int, Watch] = {}
        self._to_follow: list[Watch] = []
        self._to_unfollow: list[int] = []
        self._has_mail = asyncio.Event()
        self._runner: asyncio.Task[None] | None = None
        self._tries = 0
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._watches)

    def begin(self, request: play_pb2.WatchRequest, visitor: Visitor, door: str, sink: Sink) -> Watch:
        """Begin a watch; its messages go to the sink. Raises Refused: MALFORMED, or UNAVAILABLE while this process ends."""
        limits.check_request(request)
        if self._is_closed:
            raise unavailable("gateway")
        watch = Watch(next(self._numbers), request, visitor, door, sink)
        self._watches[watch.number] = watch
        metrics.WATCHES.labels(door).inc()
        metrics.WATCH_RESUMES.labels("resumed" if watch.last else "new").inc()
        self._ask_for(watch)
        return watch

    def end(self, watch: Watch) -> None:
        """End a watch that its client does not want any more. Nothing happens when it is over already."""
        if self._forget(watch):
            self._to_unfollow.append(watch.number)
            self._has_mail.set()

    async def close(self) -> None:
        """End all watches with UNAVAILABLE and the last version, and the stream."""
        self._is_closed = True
        self._end_all(unavailable("gateway"))
        if self._runner is not None:
            self._runner.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._runner

    def _forget(self, watch: Watch) -> bool:
        if self._watches.pop(watch.number, None) is None:
            return False
        metrics.WATCHES.labels(watch.door).dec()
        return True

    def _end_all(self, refused: Refused) -> None:
        for watch in list(self._watches.values()):
            if self._forget(watch):
                watch.end(refused.refusal)

    def _ask_for(self, watch: Watch) -> None:
        if watch.is_asked or watch.number not in self._watches:
            return
        watch.is_asked = True
        self._to_follow.append(watch)
        self._has_mail.set()
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())

    async def _run(self) -> None:
        self._tries = 0
        while self._watches:
            refused = await self._tail()
            self._tries += 1
            if self._tries > TRIES:
                log.warning("watches ended: the session service cannot be reached", watches=len(self._watches))
                self._end_all(refused if refused.reason == errors_pb2.REASON_UNAVAILABLE else unavailable("session service"))
            if self._watches:
                log.info("tail broke", watches=len(self._watches), reason=refused.refusal.message)
                metrics.WATCH_RESUMES.labels("tail").inc(len(self._watches))
                await asyncio.sleep(_pause(self._tries))

    async def _tail(self) -> Refused:
        """Ask for all watches over a new stream and deliver what comes. Returns why it ended."""
        for watch in self._watches.values():
            watch.is_asked = True
        self._to_follow = list(self._watches.values())
        self._to_unfollow.clear()
        self._has_mail.set()
        stream = self._method(wait_for_ready=False)
        writer = asyncio.create_task(self._write(stream))
        try:
            async for response in stream:
                self._tries = 0
                for tail in response.tails:
                    self._deliver(tail)
        except grpc.RpcError as error:
            return of_rpc_error(error, "session service")
        except Exception as error:
            log.error("tail failed", exc_info=error)
        finally:
            writer.cancel()
            stream.cancel()
            with contextlib.suppress(asyncio.CancelledError, grpc.RpcError, asyncio.InvalidStateError):
                await writer
        return unavailable("session service")

    async def _write(self, stream: "_TailStream") -> None:
        while True:
            await self._has_mail.wait()
            follow, self._to_follow = self._to_follow[:BATCH], self._to_follow[BATCH:]
            unfollow, self._to_unfollow = self._to_unfollow[:BATCH], self._to_unfollow[BATCH:]
            if not self._to_follow and not self._to_unfollow:
                self._has_mail.clear()
            # Who left before the request went out is not asked for.
            wanted = [watch.follow() for watch in follow if watch.number in self._watches]
            if wanted or unfollow:
                await stream.write(session_pb2.TailSessionsRequest(follow=wanted, unfollow=unfollow))

    def _deliver(self, tail: session_pb2.Tail) -> None:
        watches = [watch for number in tail.ids if (watch := self._watches.get(number)) is not None]
        if not watches:
            return
        if tail.WhichOneof("kind") == "refusal":
            for watch in watches:
                self._refused(watch, tail.refusal)
            return
        data = tail.message
        kind, version = read_version(data)
        for watch in watches:
            watch.give(data, kind, version)

    def _refused(self, watch: Watch, refusal: errors_pb2.Refusal) -> None:
        watch.tries += 1
        watch.is_asked = False
        if refusal.reason == errors_pb2.REASON_UNAVAILABLE and watch.tries <= TRIES:
            asyncio.get_running_loop().call_later(_pause(watch.tries), self._ask_for, watch)
        elif self._forget(watch):
            watch.end(refusal)


def read_version(data: bytes) -> tuple[str, int]:
    """Return the kind of an encoded WatchResponse and the version it brings or tells."""
    message = play_pb2.WatchResponse.FromString(data)
    kind = message.WhichOneof("kind")
    if kind == "update":
        return kind, message.update.version
    if kind == "resync":
        return kind, message.resync.update.version
    return kind or "", message.heartbeat.head_version


def _pause(tries: int) -> float:
    longest = min(MOST_PAUSE_S, FIRST_PAUSE_S * 2 ** (tries - 1))
    return float(longest * random.uniform(0.5, 1))  # noqa: S311 - spreads retries, guards nothing
