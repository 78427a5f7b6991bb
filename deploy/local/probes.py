"""Ask a process whether it is ready for its work."""

import redis

from services.runtime import probe
from services.runtime.probe import Probe

_TIMEOUT_S = 1.0


def grpc_health(address: str) -> Probe:
    """Return a probe that asks a gRPC server for its overall health (grpc.health.v1, service "")."""
    return lambda: probe.serves(address, "", _TIMEOUT_S)


def http_ok(address: str, path: str) -> Probe:
    """Return a probe that is satisfied with status 200 of a GET."""
    return lambda: probe.answers(address + path, _TIMEOUT_S)


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
