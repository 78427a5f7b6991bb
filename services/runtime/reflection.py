"""gRPC reflection in both of its versions, so that tools of any age read the contract from a server.

The messages of `v1` are those of `v1alpha` byte for byte (https://grpc.io/docs/guides/reflection/); the package for Python has
the older name only.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import grpc
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pool import Default, DescriptorPool
from grpc_reflection.v1alpha import reflection, reflection_pb2

NAMES = ("grpc.reflection.v1.ServerReflection", reflection.SERVICE_NAME)
"""The services that answer alike. Only the second describes itself, so only that one is listed."""


def offer(services: Sequence[str], server: grpc.aio.Server, files: Sequence[FileDescriptor] = ()) -> None:
    """Let the server describe these services and what belongs to them.

    With `files` it describes those, the services' own and what they import, and nothing else that the process has loaded.
    """
    package: Any = reflection
    names = (*services, reflection.SERVICE_NAME)
    own: Any = Default()
    pool = _pool_of((*files, *(own.FindFileContainingSymbol(name) for name in names))) if files else None
    handler: Any = grpc.stream_stream_rpc_method_handler(
        package.aio.ReflectionServicer(names, pool=pool).ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    handlers = [grpc.method_handlers_generic_handler(name, {"ServerReflectionInfo": handler}) for name in NAMES]
    server.add_generic_rpc_handlers(tuple(handlers))


@cache
def _pool_of(files: tuple[FileDescriptor, ...]) -> DescriptorPool:
    """Return a pool with these files and what they import. It is the same for all servers of a process: nobody adds to it."""
    pool, added = DescriptorPool(), set[str]()

    def add(file: Any) -> None:
        if file.name in added:
            return
        added.add(file.name)
        for imported in file.dependencies:
            add(imported)
        pool.AddSerializedFile(file.serialized_pb)

    for file in files:
        add(file)
    return pool
