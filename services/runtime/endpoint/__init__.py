"""The gRPC server of a process: what generated code registers, offered to any gRPC client over the HTTP/2 of the links.

It stands in for grpcio's asynchronous server, which bounds neither connections nor streams by address, does not count resets, and
drops calls of everybody (CANCELLED) while one caller opens more than it can begin. docs/architecture.md has the figures.
"""

from grpc_http2.call import Context
from grpc_http2.server import GrpcServer

__all__ = ["Context", "GrpcServer"]
