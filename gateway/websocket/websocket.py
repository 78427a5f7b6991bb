"""A client's WebSocket, from the end of its handshake on: every message is a ConnectRequest, every reply a ConnectResponse.

They are binary, or text if the client has chosen JSON (json_connection.py). `websockets` reads and writes the frames (RFC 6455
section 5). They are handled in the callback that delivers them, and everything to send in one turn of the event loop goes out in
a single write. All but whole messages (fragments, pings, pongs) are bounded and count as requests; a client that is alive but
does not read is disconnected hard: nothing of its may pile up here.
"""

import asyncio
import secrets
from collections.abc import Generator
from typing import Protocol, TypeAlias

from websockets.exceptions import PayloadTooBig, ProtocolError
from websockets.frames import Close, CloseCode, Frame, Opcode
from websockets.streams import StreamReader

from brettwerk.v1 import errors_pb2
from gateway.limits.concurrency import Arrival
from gateway.limits.entrance import Leave
from gateway.limits.rates import BYTES_PER_TOKEN
from gateway.messages.contract import RECORD_BYTES
from gateway.streams.send_queue import Outgoing
from services.runtime.refusal import Refused, malformed

MESSAGE_BYTES = RECORD_BYTES + 1024
"""The largest message; a larger one closes the connection (1009)."""
FRAGMENTS = 4096
"""How many frames a message may take, with the control frames between them. Some clients cut messages at 4 KiB."""
PING_S = 20.0
"""How often a WebSocket is asked for a sign of life, and how long it has to answer."""
AT_ONCE = 64
"""How many frames of one client are handled in one go; then others have their turn. As many that are no message count as one
request."""
WRITE_BYTES = 64 * 1024
"""How many bytes are written in one go, unless a single message is larger; more waits in the send queue, counted and bounded."""
FAREWELL_S = 10.0
"""How long a client may take to answer the close frame of a stream that has ended."""
LAST_WORD_S = 3.0
"""How long a client that does not read may take to read why it is being disconnected."""
BREACH_S = 1.0
"""The same for one that has violated the protocol: its data cannot be distinguished from its goodbye."""
REASON_BYTES = 123
"""The longest reason in a close frame (section 5.5)."""

_State: TypeAlias = "set[WebSocket]"
_FORMS = {Opcode.BINARY: "frames are binary: encoded ConnectRequests", Opcode.TEXT: "frames are text: ConnectRequests in JSON"}


class Served(Protocol):
    """The connection of a WebSocket: a Connection, or one in JSON."""

    @property
    def send_queue(self) -> Outgoing:
        """The bytes that the WebSocket has to send."""

    def take(self, message: bytes) -> "asyncio.Future[None] | None":
        """Take one message; returns what must be done before the next one is taken.

        Raises UnicodeDecodeError if it should be text and is none.
        """

    def count(self, size: int) -> "asyncio.Future[None] | None":
        """Count `size` bytes that are no message as a request; returns what must be done before more is taken."""

    def close(self) -> None:
        """Release everything. May be called more than once."""


class WebSocket(asyncio.Protocol):
    """A WebSocket that is open."""

    def __init__(self, transport: asyncio.Transport, open_ones: _State, leave: Leave, opcode: Opcode) -> None:
        """Take the transport, whose protocol this becomes with `begin`, and the set that lists it as long as it is open.

        `leave` is called when the connection has ended. `opcode` is that of all messages, BINARY or TEXT.
        """
        self._transport = transport
        self._open_ones = open_ones
        self._leave = leave
        self._loop = asyncio.get_running_loop()
        self._opcode = opcode
        self._reader = StreamReader()
        self._parsing: Generator[None, None, Frame] | None = None
        """The frame that has begun."""
        self._message = bytearray()
        self._fragments = 0
        """The beginning of a message, and how many frames it has taken so far."""
        self._idle_frames = self._idle_bytes = 0
        """The frames and bytes that were no message, and have not been counted as a request yet."""
        self._arrival = Arrival()
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
        self._reader.feed_data(data)
        if not self._is_held:
            self._read()

    def eof_received(self) -> None:
        """Let the transport close itself."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of everything."""
        self._is_parting = True
        self._stop_listening()
        self._open_ones.discard(self)
        self._leave()
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
                frame = self._next()
                if frame is None:
                    self._keep()
                    self._read_on()
                    return
                wait = self._handle(frame)
            except PayloadTooBig:
                self._break_off(CloseCode.MESSAGE_TOO_BIG, f"a message has at most {MESSAGE_BYTES} bytes")
            except ProtocolError as error:
                self._break_off(CloseCode.PROTOCOL_ERROR, str(error))
            except UnicodeDecodeError:
                self._break_off(CloseCode.INVALID_DATA, "the text is not UTF-8")
            if self._is_deaf:
                return
            del frame  # it may be large, and the next one may be a long time coming
            if wait is not None:
                self._hold()
                wait.add_done_callback(lambda _: self._go_on())
                return
        self._hold()
        self._loop.call_soon(self._go_on)

    def _next(self) -> Frame | None:
        """Return the next frame; None if there is none yet. Raises PayloadTooBig and ProtocolError."""
        if self._parsing is None:
            if not self._reader.buffer:
                return None
            self._parsing = Frame.parse(self._reader.read_exact, mask=True, max_size=MESSAGE_BYTES - len(self._message))
        try:
            next(self._parsing)
        except StopIteration as parsed:
            self._parsing = None
            frame: Frame = parsed.value
            return frame
        return None

    def _handle(self, frame: Frame) -> "asyncio.Future[None] | None":
        """Handle a frame; returns what must be done before the next one. Raises ProtocolError and UnicodeDecodeError."""
        if frame.opcode in (Opcode.PING, Opcode.PONG, Opcode.CLOSE):
            self._control(frame)
        elif frame.opcode not in (self._opcode, Opcode.CONT):
            self._stop_listening()
            if self._connection is not None:
                self._connection.send_queue.close(malformed("", _FORMS[self._opcode]))
        else:
            message = self._joined(frame)
            if message is not None and not self._is_parting and self._connection is not None:
                return self._connection.take(message)
        return self._count(len(frame.data))

    def _joined(self, frame: Frame) -> bytes | None:
        """Return the message that ends with a frame, None if there is more of it. Raises ProtocolError."""
        if (frame.opcode is Opcode.CONT) is not bool(self._fragments):
            raise ProtocolError("the fragments of a message are not in order")
        if frame.fin and not self._fragments:
            return bytes(frame.data)
        self._fragments += 1
        if not frame.fin and not frame.data:
            raise ProtocolError("only the last fragment of a message may be empty")
        if self._fragments > FRAGMENTS:
            self._break_off(CloseCode.MESSAGE_TOO_BIG, f"a message has at most {FRAGMENTS} fragments")
            return None
        self._message += frame.data
        if not frame.fin:
            return None
        message, self._message, self._fragments = bytes(self._message), bytearray(), 0
        return message

    def _control(self, frame: Frame) -> None:
        """Handle a control frame. Raises ProtocolError and UnicodeDecodeError."""
        if self._fragments:
            self._fragments += 1
        if frame.opcode is Opcode.PING:
            self._pong = bytes(frame.data)  # answering the newest is enough (section 5.5.3)
            self._schedule()
        elif frame.opcode is Opcode.PONG:
            # Only a client that reads knows what to answer.
            self._asked = None if frame.data == self._asked else self._asked
        else:
            self._closed_by_client(Close.parse(frame.data).code)

    def _count(self, size: int) -> "asyncio.Future[None] | None":
        """Count a frame that is no message; returns what must be done before the next one."""
        self._idle_frames += 1
        self._idle_bytes += size
        if self._connection is None or (self._idle_frames < AT_ONCE and self._idle_bytes < BYTES_PER_TOKEN):
            return None
        size, self._idle_frames, self._idle_bytes = self._idle_bytes, 0, 0
        return self._connection.count(size)

    def _keep(self) -> None:
        """Count what has to be kept until more arrives, and give the connection up if there is too much of that."""
        size = len(self._reader.buffer) + len(self._message)
        if size == self._arrival.size:
            return
        try:
            self._arrival.keep(size)
        except Refused as refused:
            self._break_off(CloseCode.TRY_AGAIN_LATER, refused.refusal.message)

    def _stop_listening(self) -> None:
        """Take no notice of anything that still comes."""
        self._is_deaf = True
        self._reader, self._parsing, self._message = StreamReader(), None, bytearray()
        self._arrival.end()
        self._read_on()

    def _hold(self) -> None:
        if not self._is_held:
            self._is_held = True
            self._transport.pause_reading()
        self._keep()

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
                parts.append(_written(Opcode.PONG, self._pong))
                self._pong = None
            parts += [_written(self._opcode, head + body) for head, body in send_queue.take(WRITE_BYTES)]
            self._transport.write(b"".join(parts))
            if not self._is_writing_paused:
                send_queue.mark_sent()
        if send_queue.is_over and not self._is_writing_paused:
            self._end(send_queue.ending)

    # --- the end

    def shutdown(self) -> None:
        """Say that the server is going away: uvicorn calls this when it shuts down."""
        self._disconnect(CloseCode.GOING_AWAY, "", LAST_WORD_S)
        self._let_go()
        self._transport.close()

    def too_slow(self, refused: Refused) -> None:
        """Say why, after everything that the client has not read yet, and cut the connection a little later, read or not."""
        self._disconnect(CloseCode.TRY_AGAIN_LATER, refused.refusal.message, LAST_WORD_S)

    def _end(self, ending: Refused | None) -> None:
        """Let go of a client whose connection has ended."""
        if ending is None:
            self._disconnect(CloseCode.NORMAL_CLOSURE, "", FAREWELL_S)
        elif ending.reason == errors_pb2.REASON_MALFORMED:
            self._break_off(CloseCode.UNSUPPORTED_DATA, ending.refusal.message)
        else:
            self._disconnect(CloseCode.GOING_AWAY, ending.refusal.message, FAREWELL_S)
        self._let_go()

    def _break_off(self, code: int, reason: str) -> None:
        """Disconnect a client that has violated the protocol; what it still sends is not read, nor answered by a reset."""
        self._stop_listening()
        self._disconnect(code, reason, BREACH_S)
        self._let_go()

    def _disconnect(self, code: int, reason: str, timeout_s: float) -> None:
        """Send a close frame, and cut the connection if the client does not close it in time."""
        if self._is_parting:
            return
        self._is_parting = True
        if self._pinging is not None:
            self._pinging.cancel()
        if not self._transport.is_closing():
            text = reason.encode()[:REASON_BYTES].decode("utf-8", "ignore")
            payload = b"" if code == CloseCode.NO_STATUS_RCVD else Close(code, text).serialize()
            self._transport.write(_written(Opcode.CLOSE, payload))
        self._cutting = self._loop.call_later(timeout_s, self._transport.abort)

    def _let_go(self) -> None:
        """End the connection. One that is closed because its client does not read counts until it is cut."""
        if self._connection is not None:
            self._connection.close()

    def _closed_by_client(self, code: int) -> None:
        """Answer the client's close frame, or take it as the answer to ours."""
        self._disconnect(code, "", LAST_WORD_S)
        self._stop_listening()
        self._let_go()
        self._transport.close()

    def _ping(self) -> None:
        """Ask for a sign of life, or disconnect a client that has given none since the last time."""
        if self._asked is not None:
            self._disconnect(CloseCode.INTERNAL_ERROR, "keepalive ping timeout", LAST_WORD_S)
            self._transport.close()
            return
        self._asked = secrets.token_bytes(4)
        self._transport.write(_written(Opcode.PING, self._asked))
        self._pinging = self._loop.call_later(PING_S, self._ping)


def _written(opcode: Opcode, payload: bytes) -> bytes:
    """Return a frame of a server."""
    return Frame(opcode, payload).serialize(mask=False)


def _nothing() -> None:
    pass
