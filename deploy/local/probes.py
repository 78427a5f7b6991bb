"""Ask a part whether it is ready for its work."""

import http.client
import socket
from collections.abc import Callable
from typing import TypeAlias

import grpc
import redis
from grpc_health.v1 import health_pb2, health_pb2_grpc

Probe: TypeAlias = Callable[[], bool]
"""Returns whether the part is ready; it raises nothing and takes a second at most."""

_TIMEOUT_S = 1.0


def grpc_health(address: str) -> Probe:
    """Return a probe that asks a gRPC server for its overall health (grpc.health.v1, service "")."""

    def ask() -> bool:
        if not _listens(address):
            return False
        with grpc.insecure_channel(address) as channel:
            try:
                response = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=_TIMEOUT_S)
            except grpc.RpcError:
                return False
            return bool(response.status == health_pb2.HealthCheckResponse.SERVING)

    return ask


def http_ok(address: str, path: str) -> Probe:
    """Return a probe that is satisfied with status 200 of a GET."""

    def ask() -> bool:
        connection = http.client.HTTPConnection(address, timeout=_TIMEOUT_S)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    return ask


def redis_ping(url: str) -> Probe:
    """Return a probe that PINGs a Redis; it is not satisfied while the server still loads its file."""

    def ask() -> bool:
        try:
            with redis.Redis.from_url(url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S) as client:
                return bool(client.ping())
        except (redis.RedisError, OSError):
            return False

    return ask


def both(first: Probe, second: Probe) -> Probe:
    """Return a probe that wants both."""
    return lambda: first() and second()


def _listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _TIMEOUT_S):
            return True
    except OSError:
        return False
