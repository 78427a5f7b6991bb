"""The gRPC server of a process: grpc_http2's, which explains what fails by the catalogue of refusals and knows our own services.

It stands in for grpcio's asynchronous server: grpc_http2/README.md says why, with the figures.
"""

import contextlib
import ssl

from grpc_http2 import FOREVER, Bounds, Call, Lifetime, Server, Visitors
from services.runtime import server_socket
from services.runtime.channel import MESSAGE_BYTES
from services.runtime.interceptor import CallInterceptor
from services.runtime.link.status import status_of_error
from services.runtime.refusal import Refused

BOUNDS = Bounds(message_bytes=MESSAGE_BYTES)
"""The bounds on a client."""
_IPV4 = "0.0.0.0"  # noqa: S104 - compared with
"""Stands for all addresses of both families here, as it does in other servers of gRPC."""


class GrpcServer(Server):
    """Generated code registers servicers here as at a server of grpcio."""

    def __init__(
        self,
        visitors: Visitors,
        interceptor: CallInterceptor | None = None,
        *,
        calls: int,
        calls_per_address: int | None = None,
        lifetime: Lifetime = FOREVER,
    ) -> None:
        """Take what a Server takes; connections that the interceptor's callers have made go uncounted."""
        callers = None if interceptor is None else interceptor.callers

        def is_trusted(call: Call) -> bool:
            with contextlib.suppress(Refused):  # the interceptor says so
                return callers is not None and bool(callers.check(call.path, call.invocation_metadata()))
            return False

        super().__init__(
            visitors,
            interceptor,
            calls=calls,
            calls_per_address=calls_per_address,
            lifetime=lifetime,
            explain=status_of_error,
            is_trusted=is_trusted,
        )

    def bind(self, address: str, context: ssl.SSLContext | None = None) -> int:
        """Take host:port for this server, encrypted with a context, and return the port. Connections wait until `start`.

        Raises OSError when it is taken or no address of ours, ValueError when it is no address.
        """
        host, port = server_socket.split(address)
        bound = server_socket.bind(f"[{server_socket.EVERYWHERE}]:{port}" if host == _IPV4 else address)
        self.add_socket(bound, context)
        taken: int = bound.getsockname()[1]
        return taken
