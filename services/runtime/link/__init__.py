"""Many calls over one long stream: the cheap road between two services.

Whatever waits when the stream can be written goes out as one batch, so the cost of a hop is shared under load. A call on a
silent stream waits for nobody, one on a busy stream for PACE_S at most. The unary RPCs are the contract; a link carries the
same messages, each with an id. Calls have deadlines; calls, batches and what waits to be written are bounded. When the stream
breaks every open call is refused (UNAVAILABLE) and the next one opens it anew.

A stream also ends without breaking. A server that is about to stop sends an empty batch: the client then opens another stream
for new calls, and closes the old one when it has its answers. The client does the same by itself every RENEW_S seconds, so
that servers which came later get their share.
"""

from services.runtime.link.bounds import PACE_S
from services.runtime.link.client import LinkClient
from services.runtime.link.server import answer_link

__all__ = ["PACE_S", "LinkClient", "answer_link"]
