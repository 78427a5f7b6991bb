"""Clients of the Redis that a URL names (redis_address.py says which URLs there are)."""

import os
from collections.abc import Mapping
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

import redis
import redis.asyncio
import redis.asyncio.retry
import redis.retry
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import parse_url
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.backoff import NoBackoff
from redis.driver_info import DriverInfo
from redis.sentinel import Sentinel

from services.runtime.cannot_start import cannot_start
from services.runtime.redis_address import Kind, RedisAddress

AnyRedis: TypeAlias = "redis.asyncio.Redis | RedisCluster"
"""A client of one server (or of the master that Sentinels know), or of a cluster."""
QUEUE_PREFIX = "bw:queue:"
"""Stands before the names of all keys of Celery's queues."""
_DRIVER = DriverInfo()
"""The name and version that connections state: each would read them from the disk, which takes longer than all else it does."""
_GUARD_S = 2
"""How long a Sentinel may take to answer; another one is asked then."""


def open_store(url: str, **options: Any) -> AnyRedis:
    """Return an asyncio client of whatever the URL leads to; `options` are redis-py's.

    Raises ValueError for a URL of no known shape, or with options that redis-py does not have. Exits with 2 and a sentence when a
    file that it names cannot be read.
    """
    address = RedisAddress.of(url)
    if address.kind is not Kind.CLUSTER:
        return open_redis(url, **options)
    given = _server_options(address) | options
    nodes = [ClusterNode(host, port) for host, port in address.hosts]
    return RedisCluster(startup_nodes=nodes, require_full_coverage=False, **given)  # what works goes on while masters are away


def open_redis(url: str, **options: Any) -> "redis.asyncio.Redis":
    """Return an asyncio client of one server, or of the master that Sentinels know.

    Raises ValueError and exits as `open_store`.
    """
    address = _alone(url)
    if address.kind is Kind.SERVER:
        _require_files(address, parse_url(url))
        return redis.asyncio.Redis.from_url(url, driver_info=_DRIVER, **options)
    options_of_guards = _guard_options(address, redis.asyncio.retry.Retry)
    sentinel = AsyncSentinel(list(address.hosts), sentinel_kwargs=options_of_guards)  # type: ignore[no-untyped-call]
    client: redis.asyncio.Redis = sentinel.master_for(address.name, **_server_options(address), **options)
    return client


def open_blocking_redis(url: str, **options: Any) -> "redis.Redis":
    """Return a client for programs without an event loop. Raises ValueError and exits as `open_redis`."""
    address = _alone(url)
    if address.kind is Kind.SERVER:
        _require_files(address, parse_url(url))
        return redis.Redis.from_url(url, driver_info=_DRIVER, **options)
    sentinel = Sentinel(list(address.hosts), sentinel_kwargs=_guard_options(address))  # type: ignore[no-untyped-call]
    client: redis.Redis = sentinel.master_for(address.name, **_server_options(address), **options)  # type: ignore[no-untyped-call]
    return client


def guards_of(address: RedisAddress, **options: Any) -> list["redis.asyncio.Redis"]:
    """Return a client of each Sentinel that a URL names. Exits as `open_redis`."""
    given = _guard_options(address, redis.asyncio.retry.Retry) | options
    return [redis.asyncio.Redis(host=host, port=port, **given) for host, port in address.hosts]


def seeds_of(address: RedisAddress, **options: Any) -> list["redis.asyncio.Redis"]:
    """Return a client of each node of a cluster that a URL names. Exits as `open_redis`."""
    given = _server_options(address) | options
    return [redis.asyncio.Redis(host=host, port=port, **given) for host, port in address.hosts]


def replicas_of(url: str, wanted: int) -> int:
    """Return how many replicas a write waits for: as many as are wanted, or, below zero, one where replicas take over."""
    return wanted if wanted >= 0 else int(RedisAddress.of(url).kind is not Kind.SERVER)


def for_celery(url: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return Celery's settings of a broker (`broker_url`, `broker_use_ssl`), and the transport options that go with them.

    Raises ValueError and exits as `open_redis`.
    """
    address = _alone(url)
    if address.kind is Kind.SERVER:
        _require_files(address, parse_url(url))
        return {"broker_url": url}, {}
    secret = f"{quote(address.user or '', safe='')}:{quote(address.password, safe='')}@" if address.password else ""
    urls = ";".join(f"sentinel://{secret}{host}:{port}/{address.database}" for host, port in address.hosts)
    encrypted = {"broker_use_ssl": _tls(address)} if address.is_encrypted else {}
    return {"broker_url": urls, **encrypted}, {"master_name": address.name, "sentinel_kwargs": _guard_options(address)}


CELERY_SETTINGS: Mapping[str, Any] = {
    "accept_content": ["json"],
    "task_serializer": "json",
    "result_backend": None,
    "task_ignore_result": True,
    "task_create_missing_queues": False,
    "worker_prefetch_multiplier": 1,
    "worker_enable_remote_control": False,
    "worker_send_task_events": False,
    "worker_hijack_root_logger": False,
    "worker_redirect_stdouts": False,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "broker_channel_error_retry": True,  # a Redis that takes no writes for a while (its disk is full) ends no worker
}
"""The common settings of all our Celery apps."""


def broker_settings(url: str, **transport: float) -> dict[str, Any]:
    """Return Celery's settings of a broker with what is alike for all our queues, and `transport`, further options of it.

    To be given to `add_defaults` as what is called: processes are forked that have imported an app. Raises as `for_celery`.
    """
    broker, found = for_celery(url)
    alike = {
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "socket_keepalive": True,
        "health_check_interval": 10,
        "global_keyprefix": QUEUE_PREFIX,
    }
    return {**broker, "broker_transport_options": {**alike, **transport, **found}}


async def is_cluster_node(client: "redis.asyncio.Redis") -> bool:
    """Return whether the server behind a plain URL is a node of a Redis Cluster. Raises redis' errors and OSError."""
    facts = await client.info("cluster")
    return bool(int(facts.get("cluster_enabled", 0)))


def _alone(url: str) -> RedisAddress:
    address = RedisAddress.of(url)
    if address.kind is Kind.CLUSTER:
        raise ValueError(
            "only live sessions can be in a Redis Cluster (BRETTWERK_REDIS_URL); Celery's broker is one server or Sentinels"
        )
    return address


def _read(address: RedisAddress) -> dict[str, Any]:
    """Return the options of a URL's query as redis-py reads them."""
    scheme = "rediss" if address.is_encrypted else "redis"
    options: dict[str, Any] = dict(parse_url(f"{scheme}://x/?{urlencode(address.query)}"))
    for derived in ("connection_class", "host", "port", "db"):
        options.pop(derived, None)
    _require_files(address, options)
    return options


def _tls(address: RedisAddress) -> dict[str, Any]:
    given = {name: value for name, value in _read(address).items() if name.startswith("ssl_")}
    return {"ssl_cert_reqs": "required", **given}  # without any of them Celery would speak no TLS


def _server_options(address: RedisAddress) -> dict[str, Any]:
    """Return the options of connections to the servers."""
    named: dict[str, Any] = {"username": address.user, "password": address.password, "driver_info": _DRIVER}
    if address.kind is Kind.SENTINELS:
        named["db"] = address.database
    if address.is_encrypted:
        named["ssl"] = True
    return named | _read(address)


def _guard_options(address: RedisAddress, retry: type[Any] = redis.retry.Retry) -> dict[str, Any]:
    """Return the options of connections to the Sentinels. `retry` is redis-py's class for a client of this kind."""
    options: dict[str, Any] = {"password": address.password, "socket_timeout": _GUARD_S, "socket_connect_timeout": _GUARD_S}
    # A server that is away is not tried again before another one is asked: that would take longer than a connection may.
    options["retry"] = retry(NoBackoff(), 0)
    if address.is_encrypted:
        options |= {"ssl": True, **_tls(address)}
    return {**options, **address.guards}


def _require_files(address: RedisAddress, options: Any) -> None:
    for name in ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"):
        path = options.get(name)
        if path and not os.access(path, os.R_OK):
            raise cannot_start(f"{name}={path} in the URL of a Redis: the file cannot be read")
