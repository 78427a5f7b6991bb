"""A client's WebSocket, from the end of its handshake on: every message is a ConnectRequest, every reply a ConnectResponse.

They are binary, or text if the client has chosen JSON (json_connection.py). Frames are handled in the callback that delivers
them, and everything to send in one turn of the event loop goes out in a single write. A client that is alive but does not read is
disconnected hard: nothing of its may pile up here.
"""

import asyncio
import secrets
from typing import Protocol, TypeAlias

from brettwerk.v1 import errors_pb2
from gateway import frames
from gateway.contract import RECORD_BYTES
from gateway.frames import Broken, FrameReader
from gateway.send_queue import Outgoing
from services.runtime.refusal import Refused, malformed

FRAME_BYTES = RECORD_BYTES + 1024
"""The largest message; a larger one closes the connection (1009)."""
PING_S = 20.0
"""How often a WebSocket is asked for a sign of life, and how long it has to answer."""
AT_ONCE = 64
"""How many frames of one client are handled in one go; then others have their turn."""
WRITE_BYTES = 64 * 1024
"""How many bytes are written in one go, unless a single message is larger; more waits in the send queue, counted and bounded."""
FAREWELL_S = 10.0
"""How long a client may take to answer the close frame of a stream that has ended."""
LAST_WORD_S = 3.0
"""How long a client that does not read may take to read why it is being disconnected."""
BREACH_S = 1.0
"""The same for one that has violated the protocol: its data cannot be distinguished from its goodbye."""

_State: TypeAlias = "set[WebSocket]"
_FORMS = {frames.BINARY: "frames are binary: encoded ConnectRequests", frames.TEXT: "frames are text: ConnectRequests in JSON"}


class Served(Protocol):
    """The connection of a WebSocket: a Connection, or one in JSON."""

    @property
    def send_queue(self) -> Outgoing:
        """What the WebSocket has to send."""

    def take(self, frame: bytes) -> "asyncio.Future[None] | None":
        """Take one message; returns what must be done before the next one is taken. Raises Broken."""

    def close(self) -> None:
        """Release everything. May be called more than once."""


class WebSocket(asyncio.Protocol):
    """A WebSocket that is open."""

    def __init__(self, transport: asyncio.Transport, open_ones: _State, opcode: int = frames.BINARY) -> None:
        """Take the transport, whose protocol this becomes with `begin`, and the set that lists it as long as it is open.

        `opcode` is that of all messages, BINARY or TEXT.
        """
        self._transport = transport
        self._open_ones = open_ones
        self._loop = asyncio.get_running_loop()
        self._opcode = opcode
        self._frames = FrameReader(FRAME_BYTES, opcode)
        self._connection: Served | None = None
        self._is_held = False
        """Whether reading is paused, because what has arrived has not been dealt with yet."""
        self._is_writing_paused = False
        self._is_scheduled = False
        self._is_parting = False
        """Whether a close frame was sent: nothing follows it, and nothing but the answering one is read."""
        self._is_deaf = False
        """Whether the input can no longer be read as frames."""
        self._pong: bytes | None = None
        self._asked: bytes | None = None
        """The payload of the last ping, until it has come back."""
        self._pinging: asyncio.TimerHandle | None = None
        self._cutting: asyncio.TimerHandle | None = None

    def begin(self, connection: Served, early: bytes) -> None:
        """Serve the connection; `early` is what came right after the handshake."""
        self._connection = connection
        connection.send_queue.on_mail = self._schedule
        self._open_ones.add(self)
        self._transport.set_protocol(self)
        self._pinging = self._loop.call_later(PING_S, self._ping)
        if early:
            self.data_received(early)

    # --- what comes in

    def data_received(self, data: bytes) -> None:
        """Take what the client has sent."""
        if self._is_deaf:
            return
        self._frames.feed(data)
        if not self._is_held:
            self._read()

    def eof_received(self) -> None:
        """Let the transport close itself."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything."""
        self._is_parting = self._is_deaf = True
        self._open_ones.discard(self)
        for timer in (self._pinging, self._cutting):
            if timer is not None:
                timer.cancel()
        if self._connection is not None:
            self._connection.close()
            self._connection.send_queue.mark_sent()
            self._connection.send_queue.on_mail = _nothing
            self._connection = None

    def _read(self) -> None:
        """Handle the frames that have arrived, as many as may be handled now."""
        for _ in range(AT_ONCE):
            try:
                frame = self._frames.next()
                if frame is None:
                    self._read_on()
                    return
                opcode, payload = frame
                del frame
                if opcode != self._opcode:
                    self._control(opcode, payload)
                    if self._is_deaf:
                        return
                    continue
                if self._is_parting or self._connection is None:
                    continue
                wait = self._connection.take(payload)
            except Broken as broken:
                self._break_off(broken.code, broken.reason)
                return
            del payload  # it may be large, and the next one may be a long time coming
            if wait is not None:
                self._hold()
                wait.add_done_callback(lambda _: self._go_on())
                return
        self._hold()
        self._loop.call_soon(self._go_on)

    def _control(self, opcode: int, payload: bytes) -> None:
        """Handle a control frame, or a message of the wrong kind. Raises Broken."""
        if opcode == frames.PING:
            self._pong = payload  # answering the newest is enough (section 5.5.3)
            self._schedule()
        elif opcode == frames.PONG:
            # Only a client that reads knows what to answer.
            self._asked = None if payload == self._asked else self._asked
        elif opcode == frames.CLOSE:
            self._closed_by_client(frames.code_of(payload))
        else:
            self._is_deaf = True
            if self._connection is not None:
                self._connection.send_queue.close(malformed("", _FORMS[self._opcode]))

    def _hold(self) -> None:
        if not self._is_held:
            self._is_held = True
            self._transport.pause_reading()

    def _go_on(self) -> None:
        if not self._is_deaf:
            self._read()

    def _read_on(self) -> None:
        if self._is_held:
            self._is_held = False
            if not self._transport.is_closing():
                self._transport.resume_reading()

    # --- what goes out

    def pause_writing(self) -> None:
        """Stop writing: the client is not reading what was written."""
        self._is_writing_paused = True

    def resume_writing(self) -> None:
        """Write what has accumulated meanwhile."""
        self._is_writing_paused = False
        if self._connection is not None:
            self._connection.send_queue.mark_sent()
        self._flush()

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Write what is waiting, as far as the client reads it."""
        self._is_scheduled = False
        if self._connection is None or self._is_parting:
            return
        send_queue = self._connection.send_queue
        while not self._is_writing_paused and (self._pong is not None or not send_queue.is_empty):
            parts = []
            if self._pong is not None:
                parts.append(frames.control(frames.PONG, self._pong))
                self._pong = None
            for head, body in send_queue.take(WRITE_BYTES):
                parts += frames.head(self._opcode, len(head) + len(body)), head, body
            self._transport.write(b"".join(parts))
            if not self._is_writing_paused:
                send_queue.mark_sent()
        if send_queue.is_over and not self._is_writing_paused:
            self._end(send_queue.ending)

    # --- the end

    def shutdown(self) -> None:
        """Say that the server is going away: uvicorn calls this when it shuts down."""
        self._disconnect(frames.GOING_AWAY, "", LAST_WORD_S)
        self._let_go()
        self._transport.close()

    def too_slow(self, refused: Refused) -> None:
        """Say why, after everything that the client has not read yet, and cut the connection a little later, read or not."""
        self._disconnect(frames.TRY_AGAIN_LATER, refused.refusal.message, LAST_WORD_S)

    def _end(self, ending: Refused | None) -> None:
        """Let go of a client whose connection has ended."""
        if ending is None:
            self._disconnect(frames.NORMAL, "", FAREWELL_S)
        elif ending.reason == errors_pb2.REASON_MALFORMED:
            self._break_off(frames.NOT_UNDERSTOOD, ending.refusal.message)
        else:
            self._disconnect(frames.GOING_AWAY, ending.refusal.message, FAREWELL_S)
        self._let_go()

    def _break_off(self, code: int, reason: str) -> None:
        """Disconnect a client that has violated the protocol; what it still sends is not read, nor answered by a reset."""
        self._is_deaf = True
        self._disconnect(code, reason, BREACH_S)
        self._let_go()
        self._read_on()

    def _disconnect(self, code: int, reason: str, timeout_s: float) -> None:
        """Send a close frame, and cut the connection if the client does not close it in time."""
        if self._is_parting:
            return
        self._is_parting = True
        if self._pinging is not None:
            self._pinging.cancel()
        if not self._transport.is_closing():
            self._transport.write(frames.close(code, reason))
        self._cutting = self._loop.call_later(timeout_s, self._transport.abort)

    def _let_go(self) -> None:
        """End the connection. One that is closed because its client does not read counts until it is cut."""
        if self._connection is not None:
            self._connection.close()

    def _closed_by_client(self, code: int) -> None:
        """Answer the client's close frame, or take it as the answer to ours."""
        self._disconnect(code, "", LAST_WORD_S)
        self._is_deaf = True
        self._let_go()
        self._transport.close()

    def _ping(self) -> None:
        """Ask for a sign of life, or disconnect a client that has given none since the last time."""
        if self._asked is not None:
            self._disconnect(frames.GAVE_UP, "keepalive ping timeout", LAST_WORD_S)
            self._transport.close()
            return
        self._asked = secrets.token_bytes(4)
        self._transport.write(frames.control(frames.PING, self._asked))
        self._pinging = self._loop.call_later(PING_S, self._ping)


def _nothing() -> None:
    pass
