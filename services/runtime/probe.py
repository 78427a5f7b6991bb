"""Asks a process on this machine how it is.

    python -m services.runtime.probe grpc 127.0.0.1:9001 [live]
    python -m services.runtime.probe http 127.0.0.1:9000/live

For whoever looks after a container without knowing gRPC; exits with 0 when the answer is good, 1 when it is not. Kubernetes asks
by itself. A supervisor (supervisor.py) takes the same probes by address: `grpc://127.0.0.1:9001/live`.
"""

import http.client
import socket
import sys
from collections.abc import Callable, Sequence
from typing import TypeAlias

Probe: TypeAlias = Callable[[], bool]
"""Returns whether the answer was good; it raises nothing and is bounded in time."""

TIMEOUT_S = 3.0


def main(arguments: Sequence[str]) -> int:
    """Return the exit code."""
    match arguments:
        case ["grpc", address]:
            return 0 if serves(address, "") else 1
        case ["grpc", address, service]:
            return 0 if serves(address, service) else 1
        case ["http", place]:
            return 0 if answers(place) else 1
        case _:
            print(__doc__, file=sys.stderr)
            return 2


def probe_of(url: str, timeout_s: float) -> Probe:
    """Return the probe that an address names: grpc://host:port/service, http://host:port/path or redis://host:port.

    Raises ValueError for any other.
    """
    kind, _, place = url.partition("://")
    address, _, rest = place.partition("/")
    if not address.rpartition(":")[2].isdecimal():
        raise ValueError(f"{url} is no address of a probe: grpc://host:port/live, http://host:port/path or redis://host:port")
    if kind == "grpc":
        return lambda: serves(address, rest, timeout_s)
    if kind == "http":
        return lambda: answers(place, timeout_s)
    if kind == "redis":
        return lambda: speaks(address, timeout_s)
    raise ValueError(f"{url} is no address of a probe: it begins with grpc://, http:// or redis://")


def serves(address: str, service: str, timeout_s: float = TIMEOUT_S) -> bool:
    """Return whether a gRPC health service says SERVING."""
    import grpc  # here: who asks in another way needs none of it
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    if not _listens(address, timeout_s):
        return False
    with grpc.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        try:
            request = health_pb2.HealthCheckRequest(service=service)
            status = health_pb2_grpc.HealthStub(channel).Check(request, timeout=timeout_s).status
        except grpc.RpcError:
            return False
    return bool(status == health_pb2.HealthCheckResponse.SERVING)


def answers(place: str, timeout_s: float = TIMEOUT_S) -> bool:
    """Return whether a GET of host:port/path is answered with 200."""
    address, _, path = place.partition("/")
    connection = http.client.HTTPConnection(address, timeout=timeout_s)
    try:
        connection.request("GET", f"/{path}")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def speaks(address: str, timeout_s: float = TIMEOUT_S) -> bool:
    """Return whether a Redis says anything at all to a PING: that it loads its file, or wants a password, shows life, too."""
    try:
        with _connection(address, timeout_s) as connection:
            connection.sendall(b"PING\r\n")
            return bool(connection.recv(1))
    except OSError:
        return False


def _listens(address: str, timeout_s: float) -> bool:
    """Return whether somebody takes connections there, which is cheaper to find out than by gRPC."""
    try:
        with _connection(address, timeout_s):
            return True
    except OSError:
        return False


def _connection(address: str, timeout_s: float) -> socket.socket:
    host, _, port = address.rpartition(":")
    return socket.create_connection((host.strip("[]"), int(port)), timeout_s)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
