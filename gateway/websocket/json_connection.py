"""A Connect stream whose messages are JSON texts: the subprotocol `brettwerk.v1+json` of the WebSocket.

Every text becomes the encoded request that a binary client would have sent, and every encoded response a text, so limits,
refusals and what may be seen are the same. The difference is the cost: texts take time to read and to write, and clients are
charged for that. Responses wait encoded, counted and bounded as for every client, and are written out when their turn comes;
while a client owes too much, nothing is written. Large texts are read and written in another process.
"""

import asyncio
import json
import re
from collections.abc import Callable

from google.protobuf.message import Message

from brettwerk.v1 import play_pb2
from gateway.calls.handler import Handler
from gateway.calls.requests import JSON_BYTES, SPELLED_BYTES
from gateway.limits.rates import StreamCharges
from gateway.messages import framing, offload
from gateway.messages.contract import WATCH_METHODS, Method, method_answered
from gateway.streams.connection import Connection
from gateway.streams.send_queue import Frame
from services.runtime import trace
from services.runtime.call_scope import explained
from services.runtime.refusal import Refused

SUBPROTOCOL = "brettwerk.v1+json"
_ID_FIRST = re.compile(rb'\s*\{\s*"id"\s*:\s*"?(\d{1,20})"?\s*[,}]')
_MAX_ID = 2**64 - 1


class JsonConnection:
    """A connection, as a WebSocket in JSON uses it."""

    def __init__(self, connection: Connection, handler: Handler) -> None:
        """Take a connection that has just begun, and what answers its calls."""
        self._connection = connection
        self._handler = handler
        self._charges = StreamCharges(handler.rates)
        self._loop = asyncio.get_running_loop()
        self._reading: asyncio.Task[None] | None = None
        self.send_queue = JsonQueue(connection, handler, self._charges)
        """The messages to send, as texts."""

    def take(self, message: bytes) -> "asyncio.Future[None] | None":
        """Take one request in JSON. Faults in it are answered; returns what must be done before the next one is taken.

        Raises UnicodeDecodeError if it is not UTF-8.
        """
        if self._connection.send_queue.is_closed:
            return None
        message.decode()
        if len(message) > JSON_BYTES:
            self._reading = self._loop.create_task(self._take_large(message))
            return self._reading
        wait = None
        with self._charges.measured():
            packed = self._packed(message)
        if packed is not None:
            wait = self._connection.take(packed)
        pause_s = self._charges.pause_s(self._connection.caller)
        if wait is None and pause_s is not None:
            wait = self._loop.create_future()
            self._loop.call_later(pause_s, _set, wait)
        return wait

    def count(self, size: int) -> "asyncio.Future[None] | None":
        """Count `size` bytes that are no message as a request; returns what must be done before more is taken."""
        return self._connection.count(size)

    def close(self) -> None:
        """Release everything. May be called more than once."""
        if self._reading is not None:
            self._reading.cancel()
        self.send_queue.discard()
        self._connection.close()

    def _packed(self, frame: bytes) -> bytes | None:
        """Return the encoded request; None if it cannot be read, which is answered here."""
        try:
            return offload.connect_request(frame).SerializeToString()
        except Exception as error:  # noqa: BLE001 - the stream goes on, whatever one request is
            self._refuse(_number_in(frame), error)
            return None

    async def _take_large(self, frame: bytes) -> None:
        """Take a request that is read in another process, as soon as its client may have more work done."""
        try:
            caller = self._connection.caller
            owed_s = self._charges.owed_s(caller)
            while owed_s:
                await asyncio.sleep(owed_s)
                owed_s = self._charges.owed_s(caller)
            with self._handler.charged(caller):
                packed = await self._handler.reader.read_connect(frame, caller)
        except Exception as error:  # noqa: BLE001 - the stream goes on, whatever one request is
            self._refuse(_number_first_in(frame), error)
            return
        del frame  # it is large, and its call may take long
        wait = self._connection.take(packed)
        if wait is not None:
            await wait

    def _refuse(self, number: int, error: Exception) -> None:
        trace.begin()
        self._connection.refuse(number, explained(error, "Connect"))


def _number_first_in(frame: bytes) -> int:
    """Return the id with which a request in JSON begins; 0 if it begins with something else."""
    found = _ID_FIRST.match(frame)
    number = int(found[1]) if found else 0
    return number if number <= _MAX_ID else 0


def _number_in(frame: bytes) -> int:
    """Return the id of a small request in JSON that is not a ConnectRequest; 0 if there is none."""
    try:
        number = int(json.loads(frame)["id"])
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        return _number_first_in(frame)
    return number if 0 <= number <= _MAX_ID else 0


def _set(done: "asyncio.Future[None]") -> None:
    if not done.done():
        done.set_result(None)


_WATCHES = {method.response_field: method for method in WATCH_METHODS.values()}
"""The methods of watches, by the fields of ConnectResponse that hold their messages."""


class JsonQueue:
    """The responses of one connection, as texts; see send_queue.Outgoing."""

    def __init__(self, connection: Connection, handler: Handler, charges: StreamCharges) -> None:
        """Take the connection, whose own queue is read here from now on."""
        self._connection = connection
        self._encoded = connection.send_queue
        self._encoded.on_mail = self._has_mail
        self._handler = handler
        self._charges = charges
        self._loop = asyncio.get_running_loop()
        self._is_held = False
        """Whether nothing is written out at the moment: a large answer is, elsewhere, or the client has to wait."""
        self._large: bytes | None = None
        """An answer that was written out elsewhere."""
        self._writing: asyncio.Task[None] | None = None
        self.on_mail: Callable[[], None] = _nobody

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be taken at the moment."""
        return self._large is None and (self._is_held or self._encoded.is_empty)

    @property
    def is_over(self) -> bool:
        """Whether nothing can be taken, and nothing more will come."""
        return self._large is None and not self._is_held and self._encoded.is_over

    @property
    def ending(self) -> Refused | None:
        """Why it was closed, unless the client wanted that."""
        return self._encoded.ending

    def take(self, max_bytes: int) -> list[Frame]:
        """Return the next responses as texts, of about `max_bytes`, or none if they have to wait."""
        taken: list[Frame] = []
        size = 0
        if self._large is not None:
            taken.append((b"", self._large))
            size, self._large = len(self._large), None
        while size < max_bytes and not self._is_held and not self._encoded.is_empty:
            (head, body), *_ = self._encoded.take(1)
            number, field = framing.headed(head)
            text = self._spelled(number, field, head, body)
            if text is not None:
                taken.append((b"", text))
                size += len(text)
                pause_s = self._charges.pause_s(self._connection.caller)
                if pause_s is not None:
                    self._is_held = True
                    self._loop.call_later(pause_s, self._go_on)
        return taken

    def mark_sent(self) -> None:
        """Stop counting what was taken, unless some of it is still being written out."""
        if self._writing is None and self._large is None:
            self._encoded.mark_sent()

    def close(self, ending: Refused | None = None) -> None:
        """Accept nothing more. Waiting messages are still delivered."""
        self._encoded.close(ending)

    def discard(self) -> None:
        """Stop writing out."""
        if self._writing is not None:
            self._writing.cancel()
        self._writing = self._large = None

    def _has_mail(self) -> None:
        if not self._is_held:
            self.on_mail()

    def _go_on(self) -> None:
        self._is_held = False
        self.on_mail()

    def _spelled(self, number: int, field: str, head: bytes, body: bytes) -> bytes | None:
        """Return a response as text; None if it is written out elsewhere."""
        try:
            if len(body) > SPELLED_BYTES and field == "answer":
                answer = play_pb2.Answer.FromString(body)
                method = method_answered(answer)
                if method is not None:
                    self._is_held = True
                    writing = self._write_out(number, method, getattr(answer, method.field))
                    self._writing = self._loop.create_task(writing)
                    return None
            with self._charges.measured():
                if field in _WATCHES:
                    return _response(number, field, offload.spelled_watch(_WATCHES[field], body))
                return offload.spelled(play_pb2.ConnectResponse.FromString(head + body)).rstrip(b"\n")
        except Exception as error:  # noqa: BLE001 - the stream goes on, whatever one response is
            return _fault(number, error)

    async def _write_out(self, number: int, method: Method, response: Message) -> None:
        caller = self._connection.caller
        try:
            with self._handler.charged(caller):
                answer = (await self._handler.reader.spell(method, response, caller, may_gzip=False)).body.rstrip(b"\n")
            name = json.dumps(play_pb2.Answer.DESCRIPTOR.fields_by_name[method.field].json_name).encode()
            self._large = _response(number, "answer", b"{%s:%s}" % (name, answer))
        except Exception as error:  # noqa: BLE001 - the stream goes on, whatever one response is
            self._large = _fault(number, error)
        self._writing = None
        self._go_on()


def _response(number: int, field: str, spelled_out: bytes) -> bytes:
    """Return a ConnectResponse as text around what it holds."""
    return b'{"id":"%d","%s":%s}' % (number, field.encode(), spelled_out)


def _fault(number: int, error: Exception) -> bytes:
    refusal = explained(error, "Connect").refusal
    return offload.spelled(play_pb2.ConnectResponse(id=number, refusal=refusal)).rstrip(b"\n")


def _nobody() -> None:
    pass
