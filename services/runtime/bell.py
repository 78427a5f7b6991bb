"""A bell beside a queue: processes that rest are started when it is rung, by their starter (deploy/local).

Workers end by themselves when nothing has come for a while (BRETTWERK_WORKER_IDLE_S). A service that finds work and no worker
rings, as often as it finds that; so a ring that is lost does no harm. Where workers never rest, rings are heard by nobody.
"""

import contextlib
import threading
from typing import Any

import redis

from services.runtime.redis_url import open_blocking_redis

_KEPT_S = 60
"""How long a ring can be heard."""
_PAUSE_S = 1.0
"""How long to wait for a Redis that is away."""


def ring(client: "redis.Redis | redis.asyncio.Redis", name: str) -> Any:
    """Ring, and return nothing of use but what one for asyncio has to await. Raises redis.RedisError."""
    key, pipeline = _key(name), client.pipeline(transaction=False)
    pipeline.lpush(key, "")
    pipeline.ltrim(key, 0, 0)
    pipeline.expire(key, _KEPT_S)
    return pipeline.execute()


class Bell:
    """The end at which one waits for rings."""

    def __init__(self, url: str, name: str) -> None:
        """`url` is that of the broker. Raises ValueError for one that is none."""
        self._client = open_blocking_redis(url, socket_timeout=None, socket_connect_timeout=2, socket_keepalive=True)
        self._name = name
        self._closed = threading.Event()

    def wait(self) -> None:
        """Return when it is rung from now on, or closed. While Redis is away, the wait goes on."""
        is_listening = False
        while not self._closed.is_set():
            try:
                if not is_listening:
                    self._client.delete(_key(self._name))  # those that are being heard already have rung it
                    is_listening = True
                if not self._closed.is_set() and self._client.blpop([_key(self._name)], timeout=0):
                    return
            except (redis.RedisError, OSError):
                is_listening = False
                self._closed.wait(_PAUSE_S)

    def close(self) -> None:
        """Let `wait` return, from any thread."""
        self._closed.set()
        with contextlib.suppress(redis.RedisError, OSError):  # then the wait does not hang on Redis either
            ring(self._client, self._name)


def _key(name: str) -> str:
    return f"bw:bell:{name}"
