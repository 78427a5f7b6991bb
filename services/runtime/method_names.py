"""The names of inner services on the wire: those of release 1.0, whose processes run beside ours during an update.

Up to 1.0 the inner services were in the package of the public contract. They are called by those names until no release
that knows only them can be updated from, and are offered by both, so that a later release may call them as the contract does.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import grpc

AnyChannel = TypeVar("AnyChannel")

KINDS = ("unary_unary", "unary_stream", "stream_unary", "stream_stream")
"""The names by which a channel opens methods."""
_PACKAGE = "brettwerk.internal.v1."
_PACKAGE_OF_1_0 = "brettwerk.v1."


def on_the_wire(path: str) -> str:
    """Return the path that calls a method; `path` has the service's name in the contract, or is that name alone."""
    return path.replace(_PACKAGE, _PACKAGE_OF_1_0, 1)


def offered(service: str) -> tuple[str, ...]:
    """Return all names of a service: the one in the contract, and if it is an inner one, the one of release 1.0."""
    return tuple(dict.fromkeys((service, on_the_wire(service))))


def by_wire_names(channel: AnyChannel) -> AnyChannel:
    """Return the channel, which calls inner methods by their names on the wire from now on."""
    for kind in KINDS:
        setattr(channel, kind, _renaming(getattr(channel, kind)))
    return channel


def _renaming(open_method: Callable[..., Any]) -> Callable[..., Any]:
    def opened(path: str, *arguments: Any, **options: Any) -> Any:
        # gRPC's registered methods are known by the path that they were registered with: without that mark any path will do.
        return open_method(on_the_wire(path), *arguments, **{**options, "_registered_method": False})

    return opened


def by_all_names(*servers: Any) -> Any:
    """Return what generated code takes for a server: what it registers there, each of the servers offers by all its names.

    They are gRPC servers, or Methods, which see to the names themselves.
    """
    return _ByAllNames(servers)


class _ByAllNames:
    def __init__(self, servers: Sequence[Any]) -> None:
        self._servers = servers

    def add_generic_rpc_handlers(self, handlers: Any) -> None:
        """Do what generated code asks for."""
        for server in self._servers:
            server.add_generic_rpc_handlers(handlers)

    def add_registered_method_handlers(self, service: str, handlers: "Mapping[str, grpc.RpcMethodHandler[Any, Any]]") -> None:
        """Do what generated code asks for, and the same for the older name."""
        older = on_the_wire(service)
        for server in self._servers:
            server.add_registered_method_handlers(service, handlers)
            if older != service:  # grpcio's asynchronous server knows generic handlers only
                server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(older, dict(handlers)),))
