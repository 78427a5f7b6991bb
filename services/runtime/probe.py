"""Asks a process on this machine how it is.

    python -m services.runtime.probe grpc 127.0.0.1:9001 [live]
    python -m services.runtime.probe http 127.0.0.1:9000/live

For whoever looks after a container without knowing gRPC; exits with 0 when the answer is good, 1 when it is not. Kubernetes asks
by itself. A supervisor (supervisor.py) asks in the same ways for signs of life, by address: `grpc://127.0.0.1:9001/live`.
"""

import socket
import sys
from collections.abc import Callable, Sequence
from typing import TypeAlias

Probe: TypeAlias = Callable[[], bool]
"""Returns whether the answer was good; it raises nothing and is bounded in time."""

SignOfLife: TypeAlias = Callable[[], float | None]
"""Returns for how many seconds the process has done nothing new (0 where it does not say), None when there was no good answer.

It raises nothing and is bounded in time.
"""

TIMEOUT_S = 3.0
LATE_KEY = "brettwerk-loop-late-ms"
"""Says in the trailing metadata of a health check how late the event loop is (health.py)."""
_HEAD_BYTES = 16 * 1024
"""The most of an answer that is read."""


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


def sign_of_life(url: str, timeout_s: float) -> SignOfLife:
    """Return what asks at an address: grpc://host:port/service, http://host:port/path or redis://host:port.

    Raises ValueError for any other.
    """
    kind, _, place = url.partition("://")
    address, _, rest = place.partition("/")
    if not address.rpartition(":")[2].isdecimal():
        raise ValueError(f"{url} is no address of a probe: grpc://host:port/live, http://host:port/path or redis://host:port")
    if kind == "grpc":
        return lambda: _late_s(address, rest, timeout_s)
    if kind == "http":
        return lambda: _http_late_s(place, timeout_s)
    if kind == "redis":
        return lambda: 0.0 if speaks(address, timeout_s) else None
    raise ValueError(f"{url} is no address of a probe: it begins with grpc://, http:// or redis://")


def serves(address: str, service: str, timeout_s: float = TIMEOUT_S) -> bool:
    """Return whether a gRPC health service says SERVING."""
    serving, _ = _health(address, service, timeout_s)
    return serving


def _http_late_s(place: str, timeout_s: float) -> float | None:
    """Return the same of a process that says it over HTTP; 0 for one that does not say how late it is."""
    found = _asked(place, timeout_s)
    if found is None:
        return None
    status, late_s = found
    return late_s if status == 200 or late_s else None


def _late_s(address: str, service: str, timeout_s: float) -> float | None:
    """Return how late a process's event loop is, as its health says, also if it says that this is too late to be served."""
    serving, late_s = _health(address, service, timeout_s)
    return late_s if serving or late_s else None


def _health(address: str, service: str, timeout_s: float) -> tuple[bool, float]:
    """Return whether a gRPC health service says SERVING, and for how many seconds its loop has not turned, if it says that."""
    import grpc  # here: who asks in another way needs none of it
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    if not _listens(address, timeout_s):
        return False, 0.0
    with grpc.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        try:
            request = health_pb2.HealthCheckRequest(service=service)
            response, call = health_pb2_grpc.HealthStub(channel).Check.with_call(request, timeout=timeout_s)
        except grpc.RpcError:
            return False, 0.0
        late_ms = dict(call.trailing_metadata() or ()).get(LATE_KEY, "0")
    return response.status == health_pb2.HealthCheckResponse.SERVING, int(late_ms) / 1000


def answers(place: str, timeout_s: float = TIMEOUT_S) -> bool:
    """Return whether a GET of host:port/path is answered with 200."""
    found = _asked(place, timeout_s)
    return found is not None and found[0] == 200


def _asked(place: str, timeout_s: float) -> tuple[int, float] | None:
    """Return the status of the answer to a GET of host:port/path, and how late the process says it is; None for no answer.

    By hand: `http.client` takes a megabyte or two with what it imports, TLS among it, which a launcher has no other use for.
    """
    address, _, path = place.partition("/")
    head = b""
    try:
        with _connection(address, timeout_s) as connection:
            connection.sendall(f"GET /{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n".encode())
            while b"\r\n\r\n" not in head and len(head) < _HEAD_BYTES and (more := connection.recv(4096)):
                head += more
        first, *lines = head.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        version, status, *_ = first.split(" ")
        return (int(status), int(headers.get(LATE_KEY, "0")) / 1000) if version.startswith("HTTP/1.") else None
    except (OSError, ValueError):
        return None


def speaks(address: str, timeout_s: float = TIMEOUT_S) -> bool:
    """Return whether a Redis says anything at all to a PING: that it loads its file, or wants a password, shows life, too."""
    try:
        with _connection(address, timeout_s) as connection:
            connection.sendall(b"PING\r\n")
            return bool(connection.recv(1))
    except OSError:
        return False


def is_loaded(address: str, password: str, timeout_s: float = TIMEOUT_S) -> bool:
    """Return whether a Redis with this password, which has no spaces, has loaded its file."""
    answer = b""
    try:
        with _connection(address, timeout_s) as connection:
            connection.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            while answer.count(b"\r\n") < 2 and (more := connection.recv(1024)):
                answer += more
    except OSError:
        return False
    return answer == b"+OK\r\n+PONG\r\n"


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
