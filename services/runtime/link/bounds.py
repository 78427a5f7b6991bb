"""What a link holds at most, and how long things of it take."""

from services.runtime.channel import MESSAGE_BYTES

OPEN_CALLS = 4096
"""Open calls of a link; more are refused."""
BATCH = 512
"""Messages in a batch at most."""
BATCH_BYTES = 1024 * 1024
"""A batch that has grown to this size is sent without waiting for more."""
CALL_BYTES = MESSAGE_BYTES - 1024
"""A call or an answer may have this size alone in its batch."""
RENEW_S = 600.0
"""A client opens another stream after this time."""
LINGER_S = 120.0
"""How long a stream that is being left may take for its last answers."""
PACE_S = 0.002
"""How long a stream rests after it was written: one that was silent is written at once, a busy one a few hundred times a
second, with larger batches. Each message costs both ends and the kernel as much as carrying out a call."""
