"""Clients of the Redis that a URL names: one server (redis://, rediss://, unix://), or whichever a Sentinel says is the master.

sentinel://[[user]:password@]host:port,host:port/master/database; the password is the servers', and the Sentinels' as well.
"""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import redis
import redis.asyncio
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.sentinel import Sentinel

SENTINEL = "sentinel://"
_SHAPE = re.compile(r"sentinel://(?:(?P<user>[^:@/]*):(?P<password>[^@/]*)@)?(?P<hosts>[^/@]+)/(?P<name>[^/?]+)(?:/(?P<db>\d+))?")
_SENTINEL_PORT = 26379


@dataclass(frozen=True, slots=True)
class Watched:
    """A master that Sentinels watch over."""

    sentinels: tuple[tuple[str, int], ...]
    name: str
    database: int
    user: str | None
    password: str | None

    @classmethod
    def of(cls, url: str) -> "Watched":
        """Return what a sentinel:// URL says. Raises ValueError when it says nothing."""
        match = _SHAPE.fullmatch(url)
        if match is None:
            raise ValueError("a Sentinel URL is sentinel://[user:password@]host:port,host:port/master/database")
        sentinels = []
        for entry in match["hosts"].split(","):
            host, _, port = entry.partition(":")
            sentinels.append((host, int(port or _SENTINEL_PORT)))
        password = unquote(match["password"]) if match["password"] else None
        user = unquote(match["user"]) if match["user"] else None
        return cls(tuple(sentinels), match["name"], int(match["db"] or 0), user, password)

    @property
    def own(self) -> dict[str, Any]:
        """The options of connections to the master."""
        return {"db": self.database, "username": self.user, "password": self.password}

    @property
    def guards(self) -> dict[str, Any]:
        """The options of connections to the Sentinels."""
        return {"password": self.password, "socket_timeout": 2, "socket_connect_timeout": 2}


def open_redis(url: str, **options: Any) -> "redis.asyncio.Redis":
    """Return an asyncio client; `options` are redis-py's. Raises ValueError for a URL of no known shape."""
    if not url.startswith(SENTINEL):
        return redis.asyncio.Redis.from_url(url, **options)
    watched = Watched.of(url)
    sentinel = AsyncSentinel(list(watched.sentinels), sentinel_kwargs=watched.guards)  # type: ignore[no-untyped-call]
    client: redis.asyncio.Redis = sentinel.master_for(watched.name, **watched.own, **options)
    return client


def open_blocking_redis(url: str, **options: Any) -> "redis.Redis":
    """Return a client for programs without an event loop. Raises ValueError for a URL of no known shape."""
    if not url.startswith(SENTINEL):
        return redis.Redis.from_url(url, **options)
    watched = Watched.of(url)
    sentinel = Sentinel(list(watched.sentinels), sentinel_kwargs=watched.guards)  # type: ignore[no-untyped-call]
    client: redis.Redis = sentinel.master_for(watched.name, **watched.own, **options)  # type: ignore[no-untyped-call]
    return client


def replicas_of(url: str, wanted: int) -> int:
    """Return how many replicas a write waits for: as many as are wanted, or, below zero, one where Sentinels watch."""
    return wanted if wanted >= 0 else int(url.startswith(SENTINEL))


def for_celery(url: str) -> tuple[str, dict[str, Any]]:
    """Return a broker URL as Celery wants it, and the transport options that go with it."""
    if not url.startswith(SENTINEL):
        return url, {}
    watched = Watched.of(url)
    secret = f"{watched.user or ''}:{watched.password}@" if watched.password else ""
    urls = ";".join(f"{SENTINEL}{secret}{host}:{port}/{watched.database}" for host, port in watched.sentinels)
    return urls, {"master_name": watched.name, "sentinel_kwargs": watched.guards}
