"""gRPC over HTTP/2 in asyncio, with bounds by connection and by address: README.md.

- `Server` takes the servicers of generated code, as a server of grpcio does. It is told where to listen, who may come
  (`Visitors`, with their `Bounds`), and what a call that fails is answered with.
- `Connection` is what it is made of, for either side: streams of gRPC messages over one HTTP/2 connection, whose owners are told
  what comes. `Inbox` lets a coroutine read what a stream brings; `Listener` accepts connections and counts them.

h2 handles headers, settings and what is rare; the frames of open streams are read and written here.
"""

from grpc_http2.bounds import Bounds
from grpc_http2.call import Call, Context
from grpc_http2.connection import Connection
from grpc_http2.frames import Fault
from grpc_http2.listener import Listener
from grpc_http2.server import FOREVER, Lifetime, Server
from grpc_http2.status import CallError, Status
from grpc_http2.stream import Inbox, Stream
from grpc_http2.visitors import Visit, Visitors

__all__ = [
    "FOREVER",
    "Bounds",
    "Call",
    "CallError",
    "Connection",
    "Context",
    "Fault",
    "Inbox",
    "Lifetime",
    "Listener",
    "Server",
    "Status",
    "Stream",
    "Visit",
    "Visitors",
]
