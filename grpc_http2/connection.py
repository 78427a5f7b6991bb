"""One HTTP/2 connection that carries gRPC streams, for either side: asyncio, h2, and its own handling of the hot path's frames.

Input is split into frames by `frames.py`, output is gathered by `write_buffer.py`; here streams begin and end. Both windows
of HTTP/2 are respected, so a side that does not read stops the other; a silent side is asked for a sign of life, and dropped if
it gives none.
"""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import Callable, Iterable
from typing import Protocol, cast

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (
    Event,
    RemoteSettingsChanged,
    RequestReceived,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)
from h2.exceptions import H2Error
from h2.settings import SettingCodes, Settings

from grpc_http2 import frames
from grpc_http2.bounds import Bounds
from grpc_http2.frames import Fault, FrameInput
from grpc_http2.status import Headers
from grpc_http2.stream import Stream, StreamOwner
from grpc_http2.visitors import UNIX, Allowance, Visit
from grpc_http2.write_buffer import WriteBuffer

log = logging.getLogger(__name__)

_COMPLAINTS = Allowance(10, 1)
"""How many lines the logs get about connections that are cut off."""
_PING = b"a sign? "


class ConnectionOwner(Protocol):
    """The receiver of a connection's events."""

    def made(self, connection: "Connection") -> None:
        """It has a transport: whoever was made for a TLS handshake that failed never has one."""

    def ready(self, connection: "Connection") -> None:
        """The other side speaks HTTP/2: streams can be opened."""

    def requested(self, connection: "Connection", number: int, headers: Headers) -> None:
        """A client wants a stream of this number: `accept` makes it, `refuse` answers it without."""

    def leaving(self, connection: "Connection", code: int) -> None:
        """The other side accepts no more streams, but goes on with the existing ones."""

    def lost(self, connection: "Connection", why: str) -> None:
        """It is gone, and all its streams."""


class Connection(asyncio.Protocol):
    """The protocol of a transport: `create_connection(lambda: Connection(...))`."""

    def __init__(self, owner: ConnectionOwner, bounds: Bounds, *, is_client: bool, visit: Visit | None = None) -> None:
        """`visit` is the account of the other side; None: it may do whatever the protocol allows."""
        self.bounds = bounds
        self.streams: dict[int, Stream] = {}
        self.highest = 0
        """The highest number that a stream has had."""
        self.is_closed = False
        self.peer = ""
        self.port = 0
        """The other side's port, unless it is a Unix socket."""
        self._owner = owner
        self._is_client = is_client
        self.visit = visit
        self._h2: H2Connection  # made when it begins: connections that say nothing are to cost little
        self._has_begun = False
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._write_buffer = WriteBuffer(bounds, self.abort, visit)
        self._frame_input = FrameInput(self, bounds, self._write_buffer.write, is_client=is_client)
        self._stream_window = frames.DEFAULT_WINDOW
        self._is_ready = False
        self._why = "the connection was lost"
        self._silent_looks = 0
        self._stuck_looks = 0
        self._seen = (0, 0)
        self._last_served: int | None = None
        """The number of the last stream that is served, once the other side was told so."""
        self._timer: asyncio.TimerHandle | None = None

    # The events of a transport.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Look after the connection from now on."""
        transport = cast(asyncio.Transport, transport)  # uvloop's are none by descent
        self._transport = self._write_buffer.transport = transport
        self._owner.made(self)
        transport.set_write_buffer_limits(self.bounds.stream_bytes)
        name = transport.get_extra_info("peername")
        self.peer, self.port = (f"{name[0]}", int(name[1])) if isinstance(name, tuple) else (UNIX, 0)
        if self.visit is not None:
            self.visit.cut_off = self.abort
            self.visit.is_idle = self._is_idle
        secured: ssl.SSLObject | None = transport.get_extra_info("ssl_object")
        if secured is not None and secured.selected_alpn_protocol() != "h2":
            self.abort("the other side does not speak HTTP/2")
            return
        if self._is_client:
            self._begin()
        self._timer = self._loop.call_later(self.bounds.keepalive_s, self._look)

    def _begin(self) -> None:
        """Announce what we accept: a client at once, a server when the client has said something."""
        self._has_begun, bounds = True, self.bounds
        # Headers are rare, one set per stream: they are checked.
        self._h2 = _H2(H2Configuration(client_side=self._is_client, header_encoding=None))
        self._h2.decoder.max_header_list_size = bounds.header_bytes
        settings = {
            SettingCodes.INITIAL_WINDOW_SIZE: bounds.stream_window,
            SettingCodes.MAX_FRAME_SIZE: bounds.frame_bytes,
            SettingCodes.MAX_CONCURRENT_STREAMS: bounds.streams,
            SettingCodes.MAX_HEADER_LIST_SIZE: bounds.header_bytes,
        }
        if self._is_client:
            settings[SettingCodes.ENABLE_PUSH] = 0
        # A client may open more streams before it has heard how many it may; h2 would end the connection for it.
        lenient = {**settings, SettingCodes.MAX_CONCURRENT_STREAMS: 2**31 - 1}
        self._h2.local_settings = Settings(client=self._is_client, initial_values=lenient)
        self._h2.initiate_connection()
        self._h2.clear_outbound_data_buffer()
        self._write_buffer.write(frames.PREFACE * self._is_client + frames.settings(settings))
        self._write_buffer.write(frames.window_update(0, bounds.connection_window - frames.DEFAULT_WINDOW))
        self._write_buffer.flush()

    def connection_lost(self, error: Exception | None) -> None:
        """Tell all streams."""
        self._transport, self.is_closed = None, True
        if self.visit is not None:
            self.visit.leave()
        if self._timer is not None:
            self._timer.cancel()
        self._write_buffer.close()
        why = repr(error) if error is not None else self._why
        streams, self.streams = self.streams, {}
        for stream in streams.values():
            stream.is_gone = True
            stream.queue.clear()
            stream.owner.broken(why)
        self._frame_input.close()
        if self._has_begun:
            vars(self._h2).clear()  # h2's objects are rings, which would stay until the garbage collector comes by
        self._owner.lost(self, why)

    def pause_writing(self) -> None:
        """Let streams wait until the transport has room."""
        self._write_buffer.is_choked = True

    def resume_writing(self) -> None:
        """Let streams go on."""
        self._write_buffer.is_choked = False
        self._write_buffer.pump()

    def data_received(self, data: bytes) -> None:
        """Handle the input, and send what results from it."""
        self._silent_looks = 0
        if self.is_closed:
            return
        if not self._has_begun:
            self._begin()
        try:
            self._frame_input.take(data)
        except Fault as fault:
            self._fail(fault.code, str(fault))
        except H2Error as error:
            self._take_from_h2()  # it has a GOAWAY to say
            self._fail(None, str(error) or type(error).__name__)
        self._write_buffer.flush()

    # The requests of streams and their owners.

    def open(self, headers: Headers, owner: StreamOwner) -> Stream:
        """Open and return a stream, as a client. Raises ConnectionError if that is impossible."""
        if self._transport is None:
            raise ConnectionError(self._why)
        try:
            number = self._h2.get_next_available_stream_id()
            self._h2.send_headers(number, headers)
        except H2Error as error:
            raise ConnectionError(str(error)) from error
        self._take_from_h2()
        return self._new_stream(number, owner)

    def accept(self, number: int, headers: Headers | None, owner: StreamOwner) -> Stream:
        """Accept and return a stream that a client wants, as a server; without headers they are sent later (`answer`)."""
        if headers is not None:
            self._h2.send_headers(number, headers)
            self._take_from_h2()
        return self._new_stream(number, owner)

    def answer(self, stream: Stream, headers: Headers) -> None:
        """Send the headers of a stream that was accepted without any."""
        if self._transport is not None:
            self._h2.send_headers(stream.number, headers)
            self._take_from_h2()

    def refuse(self, number: int, headers: Headers) -> None:
        """Answer a stream that a client wants with these headers and nothing else."""
        self._h2.send_headers(number, headers, end_stream=True)
        with contextlib.suppress(H2Error):  # it is closed when the client has said all
            self._h2.reset_stream(number, ErrorCodes.NO_ERROR)
        self._take_from_h2()

    def end(self, stream: Stream, trailers: Headers | None) -> None:
        """End our side of a stream."""
        if self._transport is None:
            return
        if trailers is None:
            self._h2.end_stream(stream.number)
        else:
            self._h2.send_headers(stream.number, trailers, end_stream=True)
        if not self._is_client and not stream.has_remote_ended:
            self._h2.reset_stream(stream.number, ErrorCodes.NO_ERROR)
            self._forget(stream)
        elif stream.has_remote_ended:
            self._forget(stream)
        self._take_from_h2()

    def reset(self, stream: Stream, code: int) -> None:
        """Break a stream."""
        self._forget(stream)
        if self._transport is None:
            return
        try:
            self._h2.reset_stream(stream.number, code)
        except H2Error:
            return  # it was already closed
        self._take_from_h2()

    def say_goodbye(self) -> None:
        """Tell the other side to open no more streams here."""
        if self._transport is not None and self._last_served is None and self._has_begun:
            self._last_served = self.highest
            self._write_buffer.write(frames.goaway(0 if self._is_client else self.highest, frames.NO_ERROR))

    def close(self) -> None:
        """Send what waits to be written, and close."""
        if self._transport is not None and not self.is_closed:
            self._why = "the connection was closed"
            self.say_goodbye()
            self._write_buffer.flush()
            self.is_closed = True
            self._transport.close()

    def abort(self, why: str) -> None:
        """Cut the connection off."""
        if self._transport is not None:
            self._why = why
            self.is_closed = True
            self._transport.abort()

    @property
    def is_leaving(self) -> bool:
        """Whether the other side was told to open no more streams."""
        return self._last_served is not None

    # The events of frames.

    def pay(self, amount: int) -> None:
        """Count frames that bring nothing. Raises Fault if these are too many."""
        if self.visit is not None:
            self.visit.pay(amount)

    def pay_for_reset(self) -> None:
        """Count a stream that the other side breaks. Raises Fault if these are too many."""
        if self.visit is not None:
            self.visit.pay_for_reset()

    def hold(self, size: int) -> None:
        """Count bytes of messages that have not come completely. Raises Fault if these are too many."""
        if self.visit is not None and not self.is_closed and not self.visit.hold(size):
            raise Fault(frames.ENHANCE_YOUR_CALM, "too much that has begun and does not end")

    def goes_away(self, last: int, code: int) -> None:
        """Go on with the streams that the other side still serves."""
        if self._is_client:
            for number, stream in list(self.streams.items()):
                if number > last:
                    self._forget(stream)
                    stream.owner.broken("the server goes away")
        self._owner.leaving(self, code)

    def widen(self, number: int, more: int) -> None:
        """Send more of a stream, or of all with 0, if anything is waiting. Raises Fault."""
        if not more:
            raise Fault(frames.PROTOCOL_ERROR, "a window that grows by nothing")
        if not number:
            self._write_buffer.window += more
            if self._write_buffer.window > frames.MAX_WINDOW:
                raise Fault(frames.FLOW_CONTROL_ERROR, "a window of more than two gigabytes")
            self._write_buffer.pump()
        elif (stream := self.streams.get(number)) is not None:
            stream.send_window += more
            if stream.send_window > frames.MAX_WINDOW:
                raise Fault(frames.FLOW_CONTROL_ERROR, "a window of more than two gigabytes")
            self._write_buffer.pump()
        elif number > self.highest:
            raise Fault(frames.PROTOCOL_ERROR, "a window of a stream that there is not")

    def hand_over(self, data: bytes) -> None:
        """Let h2 handle a frame outside the hot path. Raises H2Error."""
        events = self._h2.receive_data(data)
        self._take_from_h2()
        for event in events:
            self._happened(event)

    def _happened(self, event: Event) -> None:
        match event:
            case RequestReceived():
                if self._last_served is not None or len(self.streams) >= self.bounds.streams:
                    self._h2.reset_stream(event.stream_id, ErrorCodes.REFUSED_STREAM)
                    self._take_from_h2()
                    return
                self.highest = max(self.highest, event.stream_id)
                self._owner.requested(self, event.stream_id, _plain(event.headers))
            case ResponseReceived() | TrailersReceived():
                if (stream := self.streams.get(event.stream_id or 0)) is not None:
                    stream.headers = _plain(event.headers)
            case StreamEnded():
                if (stream := self.streams.get(event.stream_id or 0)) is not None:
                    stream.has_remote_ended = True
                    if self._is_client:
                        # A server's last word stands, whatever the client still had to say.
                        self.reset(stream, frames.NO_ERROR)
                    stream.owner.ended(stream.headers)
            case StreamReset():
                if (stream := self.streams.get(event.stream_id or 0)) is not None:
                    self._forget(stream)
                    stream.owner.broken(f"the stream was reset ({event.error_code})")
            case RemoteSettingsChanged():
                self._follow_settings(event)

    def _follow_settings(self, event: RemoteSettingsChanged) -> None:
        changed = event.changed_settings
        if (frame := changed.get(SettingCodes.MAX_FRAME_SIZE)) is not None:
            self._write_buffer.frame_bytes = min(int(frame.new_value), self.bounds.frame_bytes)
        if (window := changed.get(SettingCodes.INITIAL_WINDOW_SIZE)) is not None:
            more, self._stream_window = int(window.new_value) - self._stream_window, int(window.new_value)
            for stream in self.streams.values():
                stream.send_window += more
            self._write_buffer.pump()
        if not self._is_ready:
            self._is_ready = True
            self._owner.ready(self)

    def _fail(self, code: int | None, why: str) -> None:
        self._complain("connection broke the protocol", why)
        if self._transport is not None:
            if code is not None:
                self._write_buffer.write(frames.goaway(self.highest, code))
            self._why = why
            self._write_buffer.flush()
            self.is_closed = True
            self._transport.close()
            self._loop.call_later(self.bounds.closing_s, self._transport.abort)

    def _new_stream(self, number: int, owner: StreamOwner) -> Stream:
        stream = Stream(self, self._write_buffer, number, owner, self._stream_window)
        self.streams[number] = stream
        self.highest = max(self.highest, number)
        return stream

    def _forget(self, stream: Stream) -> None:
        stream.is_gone = True
        self.streams.pop(stream.number, None)
        self._write_buffer.forget(stream)
        stream.let_go()

    def _take_from_h2(self) -> None:
        if out := self._h2.data_to_send():
            self._write_buffer.write(out)

    def _is_idle(self) -> bool:
        return not self.streams and not (self.visit is not None and self.visit.is_trusted)

    def _look(self) -> None:
        """Ask a silent side for a sign of life, and drop one that gives none, or neither goes on nor lets us go on."""
        self._timer = self._loop.call_later(self.bounds.keepalive_s, self._look)
        self._silent_looks += 1
        if self._silent_looks >= self.bounds.silent_looks:
            self._complain("connection is silent", "")
            self.abort("the other side is silent")
        elif self._silent_looks == 1 and self._frame_input.has_begun:
            self._h2.ping(_PING)
            self._take_from_h2()
        if self.visit is not None and not self.visit.is_trusted and self._is_stuck():
            why = "the other side neither ends what it has begun nor takes what it asked for"
            self._complain("connection is stuck", why)
            self.abort(why)

    def _is_stuck(self) -> bool:
        """Return whether nothing has gone on at several looks in a row: a frame, headers, or what the other side is to take."""
        seen = self._frame_input.taken, self._write_buffer.sent
        is_stuck = (
            self._frame_input.is_in_headers
            or (self._frame_input.is_in_frame and seen[0] == self._seen[0])
            or (self._write_buffer.queued > 0 and seen[1] == self._seen[1])
        )
        self._seen, self._stuck_looks = seen, self._stuck_looks + 1 if is_stuck else 0
        return self._stuck_looks >= self.bounds.stuck_looks

    def _complain(self, event: str, why: str) -> None:
        if _COMPLAINTS.take(1):
            log.warning(event, extra={"peer": self.peer, "reason": why})


class _H2(H2Connection):
    """h2's, which remembers fewer of the streams that have ended: 65,536 take 7 MB."""

    MAX_CLOSED_STREAMS = 512


async def all_lost(connections: Callable[[], Iterable[Connection]], closing_s: float) -> None:
    """Return once closed connections are gone; after `closing_s` those whose other side no longer reads are cut off."""
    until = asyncio.get_running_loop().time() + closing_s
    while left := list(connections()):
        if asyncio.get_running_loop().time() > until:
            for connection in left:
                connection.abort("it was closed long ago")
        await asyncio.sleep(0.002)


def _plain(headers: object) -> Headers:
    return [(bytes(name), bytes(value)) for name, value in headers or ()]  # type: ignore[attr-defined]
