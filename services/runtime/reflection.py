"""gRPC reflection in both of its versions, so that tools of any age read the contract from a server.

The messages of `v1` are those of `v1alpha` byte for byte (https://grpc.io/docs/guides/reflection/); the package for Python has
the older name only.
"""

from collections.abc import Sequence
from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

NAMES = ("grpc.reflection.v1.ServerReflection", reflection.SERVICE_NAME)
"""The services that answer alike. Only the second describes itself, so only that one is listed."""


def offer(services: Sequence[str], server: grpc.aio.Server) -> None:
    """Let the server describe these services and what belongs to them."""
    package: Any = reflection
    handler: Any = grpc.stream_stream_rpc_method_handler(
        package.aio.ReflectionServicer((*services, reflection.SERVICE_NAME)).ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    handlers = [grpc.method_handlers_generic_handler(name, {"ServerReflectionInfo": handler}) for name in NAMES]
    server.add_generic_rpc_handlers(tuple(handlers))
