"""Bounds of links: how much they hold, and how long things may take."""

from services.runtime.channel import MESSAGE_BYTES

OPEN_CALLS = 4096
"""Open calls of a channel, and of a stream at its server; more are refused, or wait unread."""
BATCH = 512
"""The maximum number of calls or answers in a batch."""
BATCH_BYTES = 256 * 1024
"""A batch that has grown to this size is sent, and another begun."""
CALL_BYTES = MESSAGE_BYTES - 1024
"""A request or a response may have this size, alone in its batch."""
UNSENT_BYTES = 64 * 1024 * 1024
"""Requests of a channel, or answers of a stream, that wait until the other side reads; more are refused, or not begun."""
STREAM_BYTES = 1024 * 1024
"""How many bytes a stream's writer leaves with its connection while the other side does not read."""
INBOX_BYTES = 256 * 1024
"""How many bytes may wait for the reader of a long stream before its sender must wait, besides STREAM_WINDOW on the way."""
STREAM_WINDOW = 1024 * 1024
"""Bytes of a stream that may be on their way to us (RFC 9113, 5.2)."""
CONNECTION_WINDOW = 16 * 1024 * 1024
"""The same for all streams of a connection."""
FRAME_BYTES = 256 * 1024
"""The largest frame that we take; we send no larger one, even if the other side would take it."""
UNWRITTEN_BYTES = 16 * 1024 * 1024
"""A connection whose other side reads nothing, but makes us answer, is cut off once this much waits in its transport."""
STREAMS = 128
"""Streams of a connection at once; more are refused (REFUSED_STREAM)."""
CONNECTIONS = 1024
"""Connections of a server at once."""
HEADER_BYTES = 16 * 1024
"""The headers of a stream, as they come and as they are read (RFC 9113, 10.5.1)."""
RESETS_PER_S = 200
"""Streams of a connection that the other side may break in a second; of an address twice as many."""
FRAMES = 2_000
"""Frames of a connection that bring nothing, and may come at once; of an address twice as many."""
FRAMES_PER_S = 500
"""The same for every further second."""
HEADERS_COST = 8
"""Headers cost as much as so many other frames, and as one more for every 64 bytes of them."""
EARNED = 16
"""What an answer gives back: the cost of what asked for it, and of what follows it (two windows, a PING for the way's length)."""
HELD_BYTES = 32 * 1024 * 1024
"""What may wait in memory for, or from, a connection; for those of an address twice as much."""
HELD_BYTES_IN_ALL = 256 * 1024 * 1024
"""The same for all; beyond that, a connection is cut off for which more than SMALL_HELD_BYTES wait."""
SMALL_HELD_BYTES = 256 * 1024

SHARDS = 256
"""A server owns shards with smaller numbers than this."""
MOVES = 16
"""How often a call is sent on to another owner."""
ASKED = 16
"""How many servers are asked about something that those of an older release do not understand."""

HANDSHAKE_S = 10.0
"""How long a caller may take to agree on encryption."""
CONNECT_S = 5.0
"""How long a server may take until it speaks HTTP/2."""
KEEPALIVE_S = 1.5
"""How often a connection is checked: after this long a silence the other side is asked for a sign of life."""
SILENT_LOOKS = 3
"""At the third check in a row without any input, a connection is dropped: after 3 to 4.5 seconds."""
STUCK_LOOKS = 4
"""At the fourth in a row at which nothing went on that has begun (a frame, headers, an answer), it is dropped as well."""
SWEEP_S = 0.05
"""How exact deadlines are."""
HOMELESS_S = 1.0
"""How long calls wait for another server after the last one has gone; then they are refused (UNAVAILABLE)."""
ALONE_S = 0.25
"""How long a later call waits: it makes the servers be tried once more."""
OWNERLESS_S = 6.0
"""How long calls wait for an owner of their shard while there are servers; then they are refused (UNAVAILABLE)."""
HAND_OVER_S = 0.25
"""How long a server that still claims what another owns may take to say otherwise; then its calls are refused."""
RESOLVE_S = 2.0
"""How often a name is looked up again; immediately if a connection broke."""
FIRST_PAUSE_S = 0.05
"""The pause after a server could not be reached; each further one is twice as long, up to MAX_PAUSE_S."""
MAX_PAUSE_S = 1.0
LINGER_S = 120.0
"""How long a connection that is being left may take for its last answers."""
CLOSING_S = 0.5
"""How long a connection that is closed may take to write what waits."""
SLICE_S = 0.005
"""How long calls that are answered immediately may occupy the event loop in one go."""
