"""The port at which KEDA calls. It has no token of the installation (services/runtime/inner_calls.py), so it gets no other port.

Where the services have certificates, KEDA must show one of the same authority. It can learn how busy the workers are.
"""

from typing import cast

import grpc

from brettwerk.internal.keda import external_scaler_pb2_grpc
from grpc_http2 import Bounds, Lifetime, Visitors
from services.ai.board.load import Load
from services.ai.scaler.service import ScalerService
from services.runtime.endpoint import CallInterceptor, GrpcServer
from services.runtime.identity import identity
from services.runtime.server_socket import exit_unless_free
from services.runtime.settings import Settings

CONNECTIONS = 32
"""Connections at once; KEDA's operator has one for each pool of workers at the most, and a second operator as many."""
CALLS = 64
"""Calls and streams at once."""
_BOUNDS = Bounds(
    message_bytes=64 * 1024, inbox_bytes=64 * 1024, stream_window=64 * 1024, connection_window=1024 * 1024, streams=CALLS
)
_LIFETIME = Lifetime(300, 3_600)
"""Connections are renewed, so that callers find processes that came later."""


class Scaler:
    """The port, from `start` to `stop`."""

    def __init__(self, load: Load, config: Settings) -> None:
        """Answer by this load."""
        self._service = ScalerService(load)
        self._config = config
        self._server = GrpcServer(
            Visitors(CONNECTIONS, bounds=_BOUNDS), CallInterceptor("scaler"), calls=CALLS, lifetime=_LIFETIME
        )

    def start(self) -> None:
        """Listen. Exits with 2 and a sentence where that is not possible."""
        external_scaler_pb2_grpc.add_ExternalScalerServicer_to_server(self._service, cast(grpc.aio.Server, self._server))
        own = identity(self._config)
        with exit_unless_free(self._config.scaler_listen):
            self._server.bind(self._config.scaler_listen, None if own is None else own.listener_context())
        self._server.start()

    def leave(self) -> None:
        """Send callers to other processes."""
        self._server.leave()
        self._service.end_streams()

    async def stop(self) -> None:
        """Close all connections."""
        self.leave()
        await self._server.stop(1)
