"""One Connect stream, be it gRPC's or a WebSocket: calls that run at the same time and watches, each named by its request's id.

Requests come in as encoded ConnectRequests and responses go out as encoded ConnectResponses, through one bounded outbox.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from google.protobuf.message import DecodeError

from brettwerk.v1 import errors_pb2, play_pb2
from gateway import framing
from gateway.calls import Desk, explained
from gateway.contract import SMALL_BYTES, no_such_method
from gateway.feeds import Watch
from gateway.outbox import Outbox
from gateway.streams import Streams
from gateway.visitor import Visitor
from gateway.watches import Watches
from services.runtime import limits, trace, wire
from services.runtime.refusal import Refused, malformed, unavailable, unknown

CALLS = 64
"""Calls of one stream that run at the same time; further ones are refused."""

MAX_PAUSE_S = 0.2
"""How long the next request of a stream is left unread at most after one that came too soon: refusing is work, too."""

_ID = play_pb2.ConnectRequest.DESCRIPTOR.fields_by_name["id"].number
_CALL = play_pb2.ConnectRequest.DESCRIPTOR.fields_by_name["call"].number


class Conversations:
    """All Connect streams of this process, and what they need."""

    def __init__(self, desk: Desk, watches: Watches, streams: Streams) -> None:
        self.desk = desk
        self.watches = watches
        self.streams = streams
        self.open: set[Conversation] = set()
        self._is_leaving = False
        self._all_closed = asyncio.Event()

    def begin(self, visitor: Visitor, door: str, on_slow: Callable[[Refused], None]) -> "Conversation":
        """Begin one; the door has to call `close` in the end. Raises Refused: FULL, TOO_MANY_REQUESTS.

        `on_slow` is called when the client reads too slowly to be waited for.
        """
        if self._is_leaving:
            raise unavailable("gateway")
        self.desk.rates.check(visitor)
        self.streams.enter(visitor)
        conversation = Conversation(self, visitor, door, on_slow)
        self.open.add(conversation)
        return conversation

    async def leave(self, grace_s: float) -> None:
        """Let every stream end with UNAVAILABLE as soon as the calls that run have been answered, and wait so long for it."""
        self._is_leaving = True
        for conversation in list(self.open):
            conversation.leave(unavailable("gateway"))
        if self.open:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._all_closed.wait(), grace_s)

    def closed(self, conversation: "Conversation") -> None:
        """Forget a stream that is over."""
        self.open.discard(conversation)
        if self._is_leaving and not self.open:
            self._all_closed.set()


class Conversation:
    """One stream."""

    def __init__(self, house: Conversations, visitor: Visitor, door: str, on_slow: Callable[[Refused], None]) -> None:
        """See Conversations.begin."""
        self._house = house
        self._visitor = visitor
        self._door = door
        self._calls: set[asyncio.Task[None]] = set()
        self._watches: dict[int, Watch] = {}
        self._leaving: Refused | None = None
        self._is_half_closed = False
        self._pause_s = 0.0
        self._on_slow = on_slow
        self.outbox = Outbox(self._part)
        """What the door has to send, until it ends."""

    async def take(self, frame: bytes) -> None:
        """Take one encoded ConnectRequest. What is wrong with it is answered, never raised.

        Returns at once, except for large requests: those are carried out one after the other.
        """
        if self.outbox.is_closed:
            return
        if len(frame) > SMALL_BYTES:
            await self._take_large(frame)
            return
        try:
            request = play_pb2.ConnectRequest.FromString(frame)
        except DecodeError:
            trace.begin()
            self._refuse(0, malformed("", "the message is not a ConnectRequest"))
            return
        if request.WhichOneof("kind") == "call":
            self._begin_call(request.id, lambda: self._house.desk.answer(request.call, self._visitor, len(frame)))
            return
        trace.begin()
        try:
            self._house.desk.rates.check(self._visitor, len(frame))
            limits.check(request)
            self._take_other(request)
        except Exception as error:  # noqa: BLE001 - the stream goes on, whatever one request did
            self._refuse(request.id, explained(error, "Connect"))

    async def read(self, frames: AsyncIterator[bytes]) -> None:
        """Take all requests of the client. When no more come, the stream ends with the last answer and the last watch.

        A Refused that the frames raise ends the stream.
        """
        try:
            async for frame in frames:
                await self.take(frame)
                del frame  # it may be large, and the next one long in coming
                if self._pause_s:
                    pause_s, self._pause_s = self._pause_s, 0.0
                    await asyncio.sleep(pause_s)
        except Exception as error:  # noqa: BLE001 - nobody waits for this, so nobody else would tell
            if not self.outbox.is_closed:
                self.outbox.close(explained(error, "Connect"))
        else:
            self._is_half_closed = True
            self._end_if_idle()

    def leave(self, refused: Refused) -> None:
        """Take no more requests and end the stream once the calls that run have been answered."""
        self._leaving = refused
        self._end_if_idle()

    def close(self) -> None:
        """Let go of everything. May be called more than once."""
        if self not in self._house.open:
            return
        self._house.closed(self)
        self.outbox.discard()
        self._let_go()
        self._house.streams.leave(self._visitor)

    def _part(self, refused: Refused) -> None:
        # The stream itself counts until its door has closed it, which may take as long as the client likes.
        self._let_go()
        self._on_slow(refused)

    def _let_go(self) -> None:
        for call in self._calls:
            call.cancel()
        for number in list(self._watches):
            self._house.watches.end(self._forget(number))

    def _forget(self, number: int) -> Watch:
        watch = self._watches.pop(number)
        self._house.streams.leave(watch.visitor)
        return watch

    async def _take_large(self, frame: bytes) -> None:
        """Take a frame that only a call can have; it is taken apart here and read beside the event loop."""
        trace.begin()
        number = 0
        try:
            fields = wire.split(frame)
            number = int(fields.get(_ID, 0)) if not isinstance(fields.get(_ID), bytes) else 0
            call = fields.get(_CALL)
            if not isinstance(call, bytes) or len(fields) > 2:
                raise malformed("", f"only a call may have more than {SMALL_BYTES} bytes")
        except Refused as refused:
            self._refuse(number, refused)
            return
        task = self._begin_call(number, lambda: self._house.desk.answer_large(call, self._visitor))
        if task is not None:
            await asyncio.wait((task,))

    def _begin_call(self, number: int, answer: Callable[[], Awaitable[play_pb2.Answer]]) -> "asyncio.Task[None] | None":
        if self._leaving is not None:
            self._answer(number, play_pb2.Answer(refusal=self._leaving.refusal))
        elif len(self._calls) >= CALLS:
            full = Refused(errors_pb2.REASON_FULL, f"{CALLS} calls of this stream run, which is the most", retry_after_ms=100)
            self._answer(number, play_pb2.Answer(refusal=full.refusal))
        else:
            task = asyncio.create_task(self._call(number, answer))
            self._calls.add(task)
            task.add_done_callback(self._call_done)
            return task
        return None

    async def _call(self, number: int, answer: Callable[[], Awaitable[play_pb2.Answer]]) -> None:
        answered = await answer()
        if answered.refusal.reason == errors_pb2.REASON_TOO_MANY_REQUESTS:
            self._pause_s = min(answered.refusal.retry_after_ms / 1000, MAX_PAUSE_S)
        self._answer(number, answered)

    def _call_done(self, task: "asyncio.Task[None]") -> None:
        self._calls.discard(task)
        self._end_if_idle()

    def _take_other(self, request: play_pb2.ConnectRequest) -> None:
        if self._leaving is not None:
            raise self._leaving
        kind = request.WhichOneof("kind")
        if kind == "watch":
            if request.id in self._watches:
                raise malformed("id", "the id belongs to a watch that is open")
            self._begin_watch(request)
        elif kind == "unwatch":
            if request.unwatch.watch_id not in self._watches:
                raise unknown("watch")
            self._house.watches.end(self._forget(request.unwatch.watch_id))
            self._answer(request.id, play_pb2.Answer())
            self._end_if_idle()
        elif kind == "authenticate":
            self._become(Visitor(self._visitor.address, self._house.desk.players.recognise(request.authenticate.player_token)))
            self._answer(request.id, play_pb2.Answer())
        else:
            raise no_such_method("the message")

    def _begin_watch(self, request: play_pb2.ConnectRequest) -> None:
        self._house.streams.enter(self._visitor)
        try:
            watch = self._house.watches.begin(request.watch, self._visitor, self._door, _Sink(self, request.id))
        except Refused:
            self._house.streams.leave(self._visitor)
            raise
        self._watches[request.id] = watch

    def _become(self, visitor: Visitor) -> None:
        if visitor == self._visitor:
            return
        self._house.streams.leave(self._visitor)
        try:
            self._house.streams.enter(visitor)
        except Refused:
            self._house.streams.enter(self._visitor)
            raise
        self._visitor = visitor

    def _watch_ended(self, number: int, refusal: errors_pb2.Refusal) -> None:
        self._forget(number)
        self.outbox.put(framing.refusal_frame(number, refusal))
        self._end_if_idle()

    def _answer(self, number: int, answer: play_pb2.Answer) -> None:
        self.outbox.put(framing.answer_frame(number, answer))

    def _refuse(self, number: int, refused: Refused) -> None:
        self.outbox.put(framing.refusal_frame(number, refused.refusal))

    def _end_if_idle(self) -> None:
        if self._calls:
            return
        if self._leaving is not None:
            self.outbox.close(self._leaving)
        elif self._is_half_closed and not self._watches:
            self.outbox.close()


class _Sink:
    """Puts the messages of one watch into its stream."""

    __slots__ = ("_conversation", "_head", "_number", "_outbox")

    def __init__(self, conversation: Conversation, number: int) -> None:
        self._conversation = conversation
        self._outbox = conversation.outbox
        self._number = number
        self._head = framing.head(number, "watch")

    def message(self, data: bytes) -> None:
        self._outbox.put(framing.frame(self._head, data))

    def ended(self, refusal: errors_pb2.Refusal) -> None:
        self._conversation._watch_ended(self._number, refusal)
