"""A Connect stream whose messages are JSON texts: the subprotocol `brettwerk.v1+json` of the WebSocket.

Every text becomes the encoded request that a binary client would have sent, and every encoded response a text, so limits,
refusals and what may be seen are the same. The difference is the cost: texts take time to read and to write, and clients are
charged for that.
"""

import asyncio
import json
import re

from gateway.calls.handler import Handler
from gateway.calls.requests import JSON_BYTES
from gateway.limits.rates import StreamCharges
from gateway.messages import offload
from gateway.streams.connection import Connection
from gateway.websocket.json_queue import JsonQueue
from services.runtime import trace
from services.runtime.call_scope import explained

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
