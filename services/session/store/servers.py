"""What the store talks to: one server, or the masters of a Redis Cluster."""

import asyncio
from typing import Any, Protocol, cast

from redis.asyncio.cluster import RedisCluster
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisClusterException, RedisError

from services.runtime import redis_fault
from services.runtime.redis_url import AnyRedis, is_cluster_node, open_store
from services.session.domain.bounds import SHARDS
from services.session.store.cluster import SHARD_SLOTS, Cluster, Nodes, Server
from services.session.store.coalescer import Coalescer

_LOOK_S = 2.0
"""How long a server may take to tell what it is."""
_ALONE = Server("", 0)
"""The only server there is, wherever it is."""


class Servers(Protocol):
    """Sends commands. Raises Refused (UNAVAILABLE) while a server cannot be reached."""

    @property
    def is_cluster(self) -> bool:
        """Whether there may be several servers, so that the keys of a script must be in one slot."""
        ...

    def send(self, *command: Any) -> "asyncio.Future[Any]":
        """Return the answer to one command, from the server that has its key."""
        ...

    async def everywhere(self, *command: Any) -> list[Any]:
        """Return the answers of all servers to a command without a key, None for one that cannot be reached.

        Raises Refused when none can.
        """
        ...

    def place_of(self, shard: int) -> Server | None:
        """Return where writes to a shard go now; None when it is not known, or there is only one server."""
        ...

    async def close(self) -> None:
        """Wait for what is under way and close the connections."""
        ...


def servers_of(client: AnyRedis, replicas: int) -> Servers:
    """Return what a client leads to. Answers come when so many replicas have what was written, or are away."""
    if isinstance(client, RedisCluster):
        return Cluster(client, replicas)
    return Coalescer(client.connection_pool.make_connection, replicas)


async def places_of(client: AnyRedis) -> dict[int, Server]:
    """Return the master of each shard that has one now. Raises redis' errors, OSError and TimeoutError."""
    if not isinstance(client, RedisCluster):
        return dict.fromkeys(range(SHARDS), _ALONE)
    masters = await Nodes(client).masters()
    return {shard: masters[slot] for shard, slot in enumerate(SHARD_SLOTS) if slot in masters}


def connection_to(client: AnyRedis, server: Server) -> AbstractConnection:
    """Return a connection to one of the servers that `places_of` has found, which is not open yet."""
    if isinstance(client, RedisCluster):
        return Nodes(client).connection(server)
    return cast(AbstractConnection, client.connection_pool.make_connection())  # type: ignore[no-untyped-call]


async def fault_of(url: str) -> str:
    """Return what is wrong with the URL of the store, as a sentence; nothing when it is right, or nobody answers there now.

    Raises ValueError and exits as `redis_url.open_store`. A server of a cluster named by a plain URL would answer for its own
    slots only, and a cluster's URL needs a cluster.
    """
    client: AnyRedis | None = None
    try:
        client = open_store(url, socket_timeout=_LOOK_S, socket_connect_timeout=_LOOK_S)
        if isinstance(client, RedisCluster):
            await Nodes(client).masters()
        elif await is_cluster_node(client):
            return "BRETTWERK_REDIS_URL leads to a node of a Redis Cluster: say redis+cluster:// (with TLS rediss+cluster://)"
    except TypeError as error:
        return f"BRETTWERK_REDIS_URL has an option that redis-py does not know: {error}"
    except RedisClusterException as error:
        if "not enabled" in str(error):
            return "BRETTWERK_REDIS_URL says redis+cluster://, but the server there is no node of a Redis Cluster: say redis://"
        return await redis_fault.fault_of("BRETTWERK_REDIS_URL", url)
    except (RedisError, OSError, TimeoutError):
        return await redis_fault.fault_of("BRETTWERK_REDIS_URL", url)
    finally:
        if client is not None:
            await close_client(client)
    return ""


async def close_client(client: AnyRedis) -> None:
    """Close the connections of a client itself."""
    if isinstance(client, RedisCluster):  # it is never initialized as a whole, so its own method closes nothing
        await client.nodes_manager.aclose()
        await client.nodes_manager.aclose("startup_nodes")
    else:
        await client.aclose()
