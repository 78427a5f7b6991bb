"""Links: how services call each other. gRPC on the wire, spoken by asyncio and h2: through grpcio it takes several times the CPU.

A caller gives the generated stub a `LinkChannel`; a server registers its servicers at `Methods`, as at a gRPC server, and offers
them by a `LinkServer`. Between them there is one HTTP/2 connection for each pair of processes, with one stream for all unary
calls (LinkService.Open in link.proto: many calls in a message, each with an id, a deadline and a trace) and one more for each
long stream of the contract. Any gRPC peer can be the other side.

- What is called within a tick of the event loop goes out together at its end. Nothing waits for a timer.
- A server may tell which shards of its service's work it owns (`announce`). A call goes to the owner of the shard that its
  metadata name; while there is none it waits. A server that does not own the shard says so (`refusal.moved`), and the call goes
  to the owner: nothing was done. The owner is who claims the shard with the highest epoch; what is still open at a server that
  was replaced, and does not know it, is refused (UNAVAILABLE). A call without a shard, or to servers that tell nothing, goes to
  any of them.
- Everything is bounded: open calls, requests and answers that wait, batches, streams, connections. A side that does not read
  lets the other wait (flow control of HTTP/2).
- A link breaks when its connection does, or when its server is silent for some seconds: open calls are refused (UNAVAILABLE).
  A server that is about to stop says so by a batch without answers and by GOAWAY: it answers what is open, and further calls go
  to others.
"""

from services.runtime.link.calls import LongCall, Pending
from services.runtime.link.channel import LinkChannel, Metadata, metadata_for_shard
from services.runtime.link.server import LinkServer
from services.runtime.link.server_stream import Methods, at_once, eager

__all__ = [
    "LinkChannel",
    "LinkServer",
    "LongCall",
    "Metadata",
    "Methods",
    "Pending",
    "at_once",
    "eager",
    "metadata_for_shard",
]
