"""The bounds on a peer: how much is held for it, how often it may do what brings nothing, and how long things may take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of connections, for both sides; the defaults are those of a server that strangers call."""

    message_bytes: int = 8 * 1024 * 1024
    """The largest message, as it comes and as it is read."""
    stream_bytes: int = 1024 * 1024
    """How many bytes a stream's writer leaves with its connection while the other side does not read."""
    inbox_bytes: int = 256 * 1024
    """How many bytes may wait for the reader of a stream before its sender must wait, besides `stream_window` on the way."""
    stream_window: int = 1024 * 1024
    """Bytes of a stream that may be on their way to us (RFC 9113, 5.2)."""
    connection_window: int = 16 * 1024 * 1024
    """The same for all streams of a connection."""
    frame_bytes: int = 256 * 1024
    """The largest frame that we take; we send no larger one, even if the other side would take it."""
    unwritten_bytes: int = 16 * 1024 * 1024
    """A connection whose other side reads nothing, but makes us answer, is cut off once this much waits in its transport."""
    streams: int = 128
    """Streams of a connection at once; more are refused (REFUSED_STREAM)."""
    header_bytes: int = 16 * 1024
    """The headers of a stream, as they come and as they are read (RFC 9113, 10.5.1)."""

    resets_per_s: int = 200
    """Streams of a connection that the other side may break in a second; of an address twice as many."""
    frames: int = 2_000
    """Frames of a connection that bring nothing, and may come at once; of an address twice as many."""
    frames_per_s: int = 500
    """The same for every further second."""
    headers_cost: int = 8
    """Headers cost as much as so many other frames, and as one more for every 64 bytes of them."""
    earned: int = 16
    """An answer's allowance: the cost of what asked for it, and of what follows it (two windows, a PING to time the way)."""
    held_bytes: int = 32 * 1024 * 1024
    """The bytes that may wait in memory for, or from, a connection; for those of an address twice as much."""
    held_bytes_in_all: int = 256 * 1024 * 1024
    """The same for all; beyond that, a connection is cut off for which more than `small_held_bytes` wait."""
    small_held_bytes: int = 256 * 1024

    handshake_s: float = 10.0
    """How long a peer may take to agree on encryption."""
    keepalive_s: float = 15.0
    """How often a connection is checked: after this long a silence the other side is asked for a sign of life."""
    silent_looks: int = 3
    """At the third check in a row without any input, a connection is dropped: after 2 to 3 times `keepalive_s`."""
    stuck_looks: int = 4
    """At the fourth in a row at which nothing went on that has begun (a frame, headers, an answer), it is dropped as well."""
    request_s: float = 30.0
    """How long the request of a call may take to come; the messages of a request stream may take any time."""
    linger_s: float = 30.0
    """How long a call that has ended waits for its client to take the rest."""
    closing_s: float = 0.5
    """How long a connection that is closed may take to write what waits."""
