"""Ask a process whether it is ready for its work."""

from services.runtime import probe
from services.runtime.probe import Probe

_TIMEOUT_S = 1.0


def http_ok(address: str, path: str) -> Probe:
    """Return a probe that is satisfied with status 200 of a GET."""
    return lambda: probe.answers(address + path, _TIMEOUT_S)


def redis_ping(url: str) -> Probe:
    """Return a probe that PINGs a Redis; it is not satisfied while the server still loads its file."""

    def ask() -> bool:
        import redis  # a launcher that starts its own asks as `own_redis` does

        try:
            with redis.Redis.from_url(url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S) as client:
                return bool(client.ping())
        except (redis.RedisError, OSError):
            return False

    return ask


def own_redis(address: str, password: str) -> Probe:
    """Return the same probe for our own server, which needs no library: a launcher should take little memory."""
    return lambda: probe.is_loaded(address, password, _TIMEOUT_S)


def both(first: Probe, second: Probe) -> Probe:
    """Return a probe that wants both."""
    return lambda: first() and second()
