"""One Connect stream, over gRPC or a WebSocket: concurrent calls and watches, each identified by its request's id.

Requests come in as encoded ConnectRequests and responses go out as encoded ConnectResponses, through one bounded send queue.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import TypeAlias

from google.protobuf.message import DecodeError, Message

from brettwerk.v1 import errors_pb2, play_pb2
from brettwerk_games.protobuf_wire.fields import varint
from gateway.calls.handler import Handler
from gateway.identity.caller import Caller
from gateway.limits.concurrency import OpenStreams
from gateway.messages import framing
from gateway.messages.contract import SMALL_BYTES, WATCH_METHODS, Method, WatchMethod, no_such_method
from gateway.streams.send_queue import SendQueue
from gateway.watches.interface import OpenWatch, WatchKinds
from services.runtime import limits, trace, wire
from services.runtime.call_scope import Entry, explained
from services.runtime.refusal import Refused, leaving, malformed, unknown
from services.runtime.tasks import EagerCall

CALLS = 64
"""The maximum number of calls of one stream that run at the same time; more are refused."""

MAX_PAUSE_S = 0.2
"""The maximum time that a stream's next request is left unread after one that came too soon: refusing is work, too."""

_WATCHES = {method.request_field: method for method in WATCH_METHODS.values()}
"""The methods of watches, by the fields of ConnectRequest that ask for them."""
_ID = play_pb2.ConnectRequest.DESCRIPTOR.fields_by_name["id"].number
_CALL = play_pb2.ConnectRequest.DESCRIPTOR.fields_by_name["call"].number

Tell: TypeAlias = Callable[["PendingCall", bytes, Refused | None], None]
"""Takes an encoded Answer to a call and, if it was refused, the refusal."""


class PendingCall:
    """A call of a stream, from its arrival to its answer: traced and counted, and its answer told once, unless it was cancelled.

    Most run without a task (services/runtime/tasks.py).
    """

    __slots__ = ("_entry", "_running", "_tell", "method", "number")

    def __init__(self, number: int, method: Method | None, tell: Tell) -> None:
        """Take the id of its request, and its method, if there is such a one."""
        self.number = number
        self.method = method
        self._tell: Tell | None = tell
        self._running: EagerCall | None = None
        self._entry = Entry("gateway")

    def begin(self, work: Awaitable[bytes]) -> None:
        """Answer by what the work returns or raises, in a trace of its own: now, or later."""
        if self.method is None:
            trace.begin()
        else:
            self._entry.name = self.method.name
            self._entry.trace(self.method.field)
        self._running = EagerCall(self._carry_out(work))

    def cancel(self) -> None:
        """Abandon the call; nothing more is sent."""
        self._tell = None
        if self._running is not None:
            self._running.cancel()

    def give_up(self) -> None:
        """Cancel, because the client is no longer waiting."""
        self.cancel()
        self._entry.end("CANCELLED")

    async def _carry_out(self, work: Awaitable[bytes]) -> None:
        refused: Refused | None = None
        try:
            answer = await work
            if framing.is_refusal(answer):
                refused = Refused.of(play_pb2.Answer.FromString(answer).refusal)
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            refused = explained(error, self._entry.name)
            answer = play_pb2.Answer(refusal=refused.refusal).SerializeToString()
        tell, self._tell = self._tell, None  # which knows the stream, and that this call
        if tell is not None:  # nobody has cancelled it since
            self._entry.end("OK" if refused is None else refused.code.name)
            tell(self, answer, refused)


class Connections:
    """All Connect streams of this process, and what they need."""

    def __init__(self, handler: Handler, watches: WatchKinds, streams: OpenStreams) -> None:
        self.handler = handler
        self.watches = watches
        self.streams = streams
        self.open: set[Connection] = set()
        self._is_leaving = False
        self._all_closed = asyncio.Event()

    def begin(self, caller: Caller, endpoint: str, on_slow: Callable[[Refused], None]) -> "Connection":
        """Return a new one, whose `close` its endpoint calls at the end. Raises Refused: FULL, TOO_MANY_REQUESTS, UNAVAILABLE.

        `on_slow` is called if the client reads too slowly.
        """
        if self._is_leaving:
            raise leaving("gateway")
        self.handler.rates.check(caller)
        self.streams.enter(caller)
        connection = Connection(self, caller, endpoint, on_slow)
        self.open.add(connection)
        return connection

    async def leave(self, grace_s: float) -> None:
        """Make every stream end with UNAVAILABLE as soon as its running calls have been answered, and wait for that."""
        self._is_leaving = True
        for connection in list(self.open):
            connection.leave(leaving("gateway"))
        if self.open:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._all_closed.wait(), grace_s)

    def cut_off(self, token_id: str, refused: Refused) -> None:
        """End every stream and every watch of callers whom an API token has proved."""
        for connection in [one for one in self.open if one.caller.is_proved_by(token_id)]:
            connection.cut_off(refused)
        for kind in self.watches.values():
            kind.cut_off(token_id, refused)

    def closed(self, connection: "Connection") -> None:
        """Forget a stream that is over."""
        self.open.discard(connection)
        if self._is_leaving and not self.open:
            self._all_closed.set()


class Connection:
    """One stream."""

    def __init__(self, connections: Connections, caller: Caller, endpoint: str, on_slow: Callable[[Refused], None]) -> None:
        """See Connections.begin."""
        self._connections = connections
        self.caller = caller
        """The present caller."""
        self._endpoint = endpoint
        self._loop = asyncio.get_running_loop()
        self._calls: set[PendingCall] = set()
        self._watches: dict[int, OpenWatch] = {}
        self._leaving: Refused | None = None
        self._is_half_closed = False
        self._pause_s = 0.0
        self._on_slow = on_slow
        self.send_queue = SendQueue(self._disconnect)
        """The messages that the endpoint has to send, until it ends."""

    def take(self, frame: bytes) -> "asyncio.Future[None] | None":
        """Take one encoded ConnectRequest. Faults in it are answered, never raised.

        Returns None, or what must be done before the next one is taken: large requests are carried out one after the other, and a
        client that sends too soon is kept waiting.
        """
        if self.send_queue.is_closed:
            return None
        found = framing.call_in(frame)
        if found is not None:
            return self._take_call(*found)
        if len(frame) > SMALL_BYTES:
            return self._take_large(frame)
        trace.begin()
        try:
            request = play_pb2.ConnectRequest.FromString(frame)
        except DecodeError:
            self.refuse(0, malformed("", "the message is not a ConnectRequest"))
            return self.count(len(frame))
        if request.WhichOneof("kind") == "call":
            return self._take_call(request.id, request.call.SerializeToString())
        try:
            self._connections.handler.rates.check(self.caller, len(frame))
            limits.check(request)
            self._take_other(request)
        except Exception as error:  # noqa: BLE001 - the stream goes on, whatever one request did
            refused = explained(error, "Connect")
            self.refuse(request.id, refused)
            return self._paused(refused)
        return None

    def count(self, size: int) -> "asyncio.Future[None] | None":
        """Count `size` bytes in which there is no request as one; returns what must be done before more is taken."""
        try:
            self._connections.handler.rates.check(self.caller, size)
        except Refused as refused:
            return self._paused(refused)
        return None

    async def read(self, frames: AsyncIterator[bytes]) -> None:
        """Take all requests of the client. When no more come, the stream ends with the last answer and the last watch.

        An exception from the frames ends the stream.
        """
        try:
            async for frame in frames:
                wait = self.take(frame)
                del frame  # it may be large, and the next one may be a long time coming
                if wait is not None:
                    await asyncio.wait((wait,))
                    del wait
        except Exception as error:  # noqa: BLE001 - nobody waits for this, so nobody else would tell
            if not self.send_queue.is_closed:
                self.send_queue.close(explained(error, "Connect"))
        else:
            self._is_half_closed = True
            self._end_if_idle()

    def refuse(self, number: int, refused: Refused) -> None:
        """Answer a request that cannot be read, or not be carried out."""
        self.send_queue.put(framing.refusal_frame(number, refused.refusal))

    def leave(self, refused: Refused) -> None:
        """Take no more requests, and end the stream once its running calls have been answered."""
        self._leaving = refused
        self._end_if_idle()

    def cut_off(self, refused: Refused) -> None:
        """End the stream at once: calls that are running get no answer."""
        self._let_go()
        self.send_queue.discard(refused)

    def close(self) -> None:
        """Release everything. May be called more than once."""
        if self not in self._connections.open:
            return
        self._connections.closed(self)
        self.send_queue.discard()
        self._let_go()
        self._connections.streams.leave(self.caller)

    def _disconnect(self, refused: Refused) -> None:
        # The stream itself counts until its endpoint has closed it, which the client can delay for as long as it likes.
        self._let_go()
        self._on_slow(refused)

    def _let_go(self) -> None:
        for call in self._calls:
            call.cancel()
        self._calls.clear()
        for number in list(self._watches):
            self._forget(number).leave()

    def _forget(self, number: int) -> OpenWatch:
        watch = self._watches.pop(number)
        self._connections.streams.leave(watch.caller)
        return watch

    def _take_large(self, frame: bytes) -> "asyncio.Future[None] | None":
        """Take a large frame, which only a call can have: nothing of it is parsed here."""
        number = 0
        try:
            fields = wire.split(frame)
            number = int(fields.get(_ID, 0)) if not isinstance(fields.get(_ID), bytes) else 0
            call = fields.get(_CALL)
            if not isinstance(call, bytes) or len(fields) > 2:
                raise malformed("", f"only a call may have more than {SMALL_BYTES} bytes")
        except Refused as refused:
            trace.begin()
            self.refuse(number, refused)
            return self.count(len(frame))
        return self._take_call(number, call)

    def _take_call(self, number: int, packed_call: bytes) -> "asyncio.Future[None] | None":
        if not self._may_begin(number):
            return self.count(len(packed_call))
        tell, done = self._answered, None
        if len(packed_call) > SMALL_BYTES:
            # The next request stays unread until this one is answered: of a client, one large request is in memory here.
            done = self._loop.create_future()
            tell = partial(self._answered_large, done)
        method = framing.method_first_in(packed_call)
        call = PendingCall(number, method, tell)
        self._calls.add(call)
        call.begin(self._connections.handler.answer(method, packed_call, self.caller))
        return self._pause() if done is None else done

    def _paused(self, refused: Refused) -> "asyncio.Future[None] | None":
        """Return what must be done after a refusal before the next request is taken."""
        self._note(refused)
        return self._pause()

    def _note(self, refused: Refused) -> None:
        """Let the next request wait if this one came too soon."""
        if refused.reason == errors_pb2.REASON_TOO_MANY_REQUESTS:
            self._pause_s = min(refused.refusal.retry_after_ms / 1000, MAX_PAUSE_S)

    def _pause(self) -> "asyncio.Future[None] | None":
        """Return what must be done before the next request is taken."""
        if not self._pause_s:
            return None
        done = self._loop.create_future()
        self._open(done)
        return done

    def _open(self, done: "asyncio.Future[None]") -> None:
        """Allow the next request to be taken, a little later if this one came too soon."""
        pause_s, self._pause_s = self._pause_s, 0.0
        self._loop.call_later(pause_s, _set, done)

    def _answered(self, call: PendingCall, answer: bytes, refused: Refused | None) -> None:
        self._calls.discard(call)
        if refused is not None:
            self._note(refused)
        self._answer(call.number, answer)
        if self._leaving is not None or self._is_half_closed:
            self._end_if_idle()

    def _answered_large(self, done: "asyncio.Future[None]", call: PendingCall, answer: bytes, refused: Refused | None) -> None:
        self._answered(call, answer, refused)
        self._open(done)

    def _may_begin(self, number: int) -> bool:
        """Return whether another call may run; if not, it is refused here."""
        if self._leaving is not None:
            refused = self._leaving
        elif len(self._calls) >= CALLS:
            refused = Refused(
                errors_pb2.REASON_FULL, f"{CALLS} calls of this stream are running, which is the maximum", retry_after_ms=100
            )
        else:
            return True
        self._answer(number, play_pb2.Answer(refusal=refused.refusal).SerializeToString())
        return False

    def _take_other(self, request: play_pb2.ConnectRequest) -> None:
        if self._leaving is not None:
            raise self._leaving
        kind = request.WhichOneof("kind") or ""
        if kind in _WATCHES:
            if request.id in self._watches:
                raise malformed("id", "the id belongs to an open watch")
            self._begin_watch(request.id, _WATCHES[kind], getattr(request, kind))
        elif kind == "unwatch":
            if request.unwatch.watch_id not in self._watches:
                raise unknown("watch", "unwatch.watch_id", request.unwatch.watch_id)
            self._forget(request.unwatch.watch_id).leave()
            self._answer(request.id, b"")
            self._end_if_idle()
        elif kind == "give_up":
            self._give_up(request.give_up.call_id)
            self._answer(request.id, b"")
            self._end_if_idle()
        elif kind == "authenticate":
            player = self._connections.handler.players.recognise(request.authenticate.player_token)
            self._become(Caller(self.caller.address, player))
            self._answer(request.id, b"")
        else:
            raise no_such_method("the message")

    def _give_up(self, number: int) -> None:
        """End a call that waits for others; its client cannot know whether it is still running."""
        for call in [call for call in self._calls if call.number == number]:
            # The work of other calls must be charged for, so they go on.
            if call.method is not None and call.method.is_waiting:
                self._calls.discard(call)
                call.give_up()

    def _begin_watch(self, number: int, method: WatchMethod, request: Message) -> None:
        self._connections.streams.enter(self.caller)
        try:
            sink = _Sink(self.send_queue, framing.head(number, method.response_field), partial(self._watch_ended, number))
            watch = self._connections.watches[method.name].begin(request, self.caller, self._endpoint, sink)
        except Refused:
            self._connections.streams.leave(self.caller)
            raise
        self._watches[number] = watch

    def _become(self, caller: Caller) -> None:
        if caller == self.caller:
            return
        self._connections.streams.leave(self.caller)
        try:
            self._connections.streams.enter(caller)
        except Refused:
            self._connections.streams.enter(self.caller)
            raise
        self.caller = caller

    def _watch_ended(self, number: int, refusal: errors_pb2.Refusal) -> None:
        self._forget(number)
        self.send_queue.put(framing.refusal_frame(number, refusal))
        self._end_if_idle()

    def _answer(self, number: int, answer: bytes) -> None:
        self.send_queue.put(framing.answer_head(number, answer), answer)

    def _end_if_idle(self) -> None:
        if self._calls:
            return
        if self._leaving is not None:
            self.send_queue.close(self._leaving)
        elif self._is_half_closed and not self._watches:
            self.send_queue.close()


class _Sink:
    """Puts the messages of one watch into its stream."""

    __slots__ = ("_head", "_send_queue", "ended")

    def __init__(self, send_queue: SendQueue, head: bytes, ended: Callable[[errors_pb2.Refusal], None]) -> None:
        """`head` precedes the length of each message."""
        self._send_queue = send_queue
        self._head = head
        self.ended = ended

    def message(self, data: bytes) -> None:
        self._send_queue.put(self._head + varint(len(data)), data)


def _set(done: "asyncio.Future[None]") -> None:
    if not done.done():
        done.set_result(None)
