"""Bounds of links: how much they hold, and how long things may take."""

from grpc_http2 import Bounds
from services.runtime.channel import MESSAGE_BYTES

HTTP2 = Bounds(message_bytes=MESSAGE_BYTES, keepalive_s=1.5)
"""Those of their connections: a process that hangs is known to after 3 to 4.5 seconds of silence."""

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
CONNECTIONS = 1024
"""Connections of a server at once."""

MAX_SHARDS = 256
"""A server owns shards with smaller numbers than this."""
MOVES = 16
"""How often a call is sent on to another owner."""
ASKED = 16
"""How many servers are asked about something that those of an older release do not understand."""

CONNECT_S = 5.0
"""How long a server may take until it speaks HTTP/2."""
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
SLICE_S = 0.005
"""How long calls that are answered immediately may occupy the event loop in one go."""
