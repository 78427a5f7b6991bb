"""The servers that the store talks to: one server, or the masters of a Redis Cluster.

In a cluster each command goes to the master that has its key's slot, in pipelines with others for the same server. redis-py knows
the nodes and makes the connections. Answers of a server whose slot is elsewhere, or on its way (MOVED, ASK, TRYAGAIN), or whose
master is gone with none in its place yet (CLUSTERDOWN), are handled here: the command is sent again for a while, so that nobody
notices a slot that moves, and then refused, as with one server that is away. See https://valkey.io/topics/cluster-spec.
"""

import asyncio
from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias, cast

from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import AbstractConnection
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MasterDownError,
    MovedError,
    RedisClusterException,
    RedisError,
    TryAgainError,
)

from services.runtime import redis_fault
from services.runtime.logs import logger
from services.runtime.redis_client.coalescer import SCRIPTS, TIMEOUT_S, Coalescer, Command, OutOfReach, not_now
from services.runtime.redis_url import AnyRedis, is_cluster_node, open_store
from services.runtime.tasks import PromptFuture, TaskSet, ended

log = logger(__name__)

RETRY_FOR_S = 1.5
"""For how long a command is sent again. It is less than a lease holds, so that those at other masters are renewed meanwhile."""
_PAUSE_S = 0.05
_LOOK_S = 0.25
"""How often the cluster is asked at most who has which slots."""
_PROBE_S = 2.0
"""How long a server may take to tell what it is."""


class Server(NamedTuple):
    """Where a node of the cluster is."""

    host: str
    port: int


class _Sent:
    """A command that somebody waits for."""

    __slots__ = ("command", "future", "has_moved", "slot", "until_s")

    def __init__(self, command: Command, slot: int, future: "asyncio.Future[Any]", until_s: float) -> None:
        self.command, self.slot, self.future, self.until_s = command, slot, future, until_s
        self.has_moved = False
        """Whether it has already been sent on to where the slot is said to be."""


class Cluster:
    """Sends commands. Raises Refused (UNAVAILABLE) when the server of a slot cannot be reached, or accepts no writes."""

    is_cluster = True

    def __init__(self, client: RedisCluster, replicas: int = 0) -> None:
        """Find the servers through a client. Answers come when so many replicas have what was written, or are away."""
        self._nodes = Nodes(client)
        self._replicas = replicas
        self._servers: dict[Server, Coalescer] = {}
        self._masters: dict[int, Server] = {}
        """Of each slot."""
        self._moved: dict[int, Server] = {}
        """The masters that slots have moved to, as servers said, until the node that is asked has heard of it, too."""
        self._looking: asyncio.Task[None] | None = None
        self._closing = TaskSet()

    def send(self, *command: Any) -> PromptFuture[Any]:
        """Return the answer to one command, as `Coalescer.send` does; its keys must be in one slot."""
        loop = asyncio.get_running_loop()
        future = PromptFuture[Any](loop=loop)
        self._go(_Sent(command, slot_of(command), future, loop.time() + RETRY_FOR_S))
        return future

    async def everywhere(self, *command: Any) -> list[Any]:
        """Return what each master answers, None for one that cannot be reached. Raises OutOfReach when none can."""
        if not self._masters:
            self._look()
        if self._looking is not None:
            await asyncio.wait((self._looking,))
        asked = [self._server(server).send(*command) for server in set(self._masters.values())]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        if all(isinstance(answer, BaseException) for answer in answers):
            raise OutOfReach
        return [None if isinstance(answer, BaseException) else answer for answer in answers]

    def place_of(self, key: str) -> Server | None:
        """Return where writes to a key go now; None when it is not known."""
        return self._masters.get(_slot(key))

    async def close(self) -> None:
        """Wait for what is under way and close the connections."""
        if self._looking is not None:
            await ended(self._looking)
        await asyncio.gather(*(server.close() for server in self._servers.values()), self._closing.idle())

    def _go(self, sent: _Sent) -> None:
        if sent.future.done():
            return
        server = self._masters.get(sent.slot)
        if server is None:
            self._look()
            self._later(sent, OutOfReach())
        else:
            self._server(server).send(*sent.command).add_done_callback(partial(self._answered, sent))

    def _answered(self, sent: _Sent, answering: "asyncio.Future[Any]") -> None:
        error = answering.exception()
        if sent.future.done():
            return
        match error:
            case None:
                sent.future.set_result(answering.result())
            case MovedError():  # is an AskError, too
                self._masters[sent.slot] = self._moved[sent.slot] = Server(error.host, error.port)
                self._look()
                if sent.has_moved:
                    self._later(sent, not_now())
                else:
                    sent.has_moved = True
                    self._go(sent)
            case AskError():
                # Both go in one pipeline; where they do not, the answer is another MOVED.
                server = self._server(Server(error.host, error.port))
                server.send("ASKING").add_done_callback(asyncio.Future.exception)
                server.send(*sent.command).add_done_callback(partial(self._answered, sent))
            case TryAgainError():  # some of its keys have moved, and others have not
                self._later(sent, not_now())
            case OutOfReach() | ClusterDownError() | MasterDownError():
                self._look()
                self._later(sent, error if isinstance(error, OutOfReach) else not_now())
            case _:
                sent.future.set_exception(error)

    def _later(self, sent: _Sent, refusal: Exception) -> None:
        """Send it once more after a pause, or refuse it when it has waited for long enough."""
        loop = asyncio.get_running_loop()
        if loop.time() + _PAUSE_S < sent.until_s:
            loop.call_later(_PAUSE_S, self._go, sent)
        else:
            sent.future.set_exception(refusal)

    def _server(self, server: Server) -> Coalescer:
        found = self._servers.get(server)
        if found is None:
            found = self._servers[server] = Coalescer(partial(self._nodes.connection, server), self._replicas)
        return found

    def _look(self) -> None:
        """Ask who has which slots, unless that is under way, or has only just been asked."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        try:
            masters = await self._nodes.masters()
            there = set(masters.values())
            self._moved = {slot: to for slot, to in self._moved.items() if to in there and masters.get(slot) != to}
            self._masters = masters | self._moved
            gone = self._servers.keys() - there
            for server in gone:
                self._closing.start(self._servers.pop(server).close())
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("cluster out of reach", error=type(error).__name__, cause=str(error)[:200])
        finally:
            asyncio.get_running_loop().call_later(_LOOK_S, self._may_look_again)

    def _may_look_again(self) -> None:
        self._looking = None


class Nodes:
    """The nodes of a cluster, as redis-py finds them."""

    def __init__(self, client: RedisCluster) -> None:
        self._client = client
        self._given = {node.name: node for node in client.startup_nodes}

    async def masters(self) -> dict[int, Server]:
        """Return the master of each slot that has one now. Raises redis' errors, OSError and TimeoutError."""
        async with asyncio.timeout(TIMEOUT_S):
            manager = self._client.nodes_manager
            try:
                await manager.initialize()
            except RedisClusterException:
                if self._given.keys() <= manager.startup_nodes.keys():
                    raise
                # None of the nodes is left that were there; what the URL names may lead to their successors.
                manager.set_nodes(manager.startup_nodes, self._given)
                await manager.initialize()
        made: dict[int, Server] = {}  # the slots of a range share their list of nodes
        masters: dict[int, Server] = {}
        for slot, nodes in manager.slots_cache.items():
            server = made.get(id(nodes))
            if server is None:
                server = made[id(nodes)] = Server(nodes[0].host, int(nodes[0].port))
            masters[slot] = server
        return masters

    def connection(self, server: Server) -> AbstractConnection:
        """Return a connection to a server, which is not open yet."""
        node = ClusterNode(server.host, server.port, **self._client.connection_kwargs)
        return cast(AbstractConnection, node.connection_class(**node.connection_kwargs, retry=copy(self._client.retry)))


def slot_of(command: Command) -> int:
    """Return the slot of a command's first key; its others are in the same one."""
    key = command[3] if command[0] in SCRIPTS else command[1]
    return _slot(key if isinstance(key, str) else bytes(key).decode())


def _slot(key: str) -> int:
    begin = key.find("{")
    end = key.find("}", begin + 1)
    return _slot_of_name(key[begin + 1 : end] if 0 <= begin < end - 1 else key)


@lru_cache(maxsize=1024)
def _slot_of_name(name: str) -> int:
    slot: Callable[[bytes], int] = key_slot
    return slot(name.encode())


_ALONE = Server("", 0)
"""The only server there is, wherever it is."""


Servers: TypeAlias = Cluster | Coalescer
"""The sender of commands. Either raises Refused (UNAVAILABLE) while a server cannot be reached."""


def servers_of(client: AnyRedis, replicas: int) -> Servers:
    """Return what a client leads to. Answers come when so many replicas have what was written, or are away."""
    if isinstance(client, RedisCluster):
        return Cluster(client, replicas)
    return Coalescer(client.connection_pool.make_connection, replicas)


async def places_of(client: AnyRedis, keys: Sequence[str]) -> list[Server | None]:
    """Return the master of each key, None for one that has none now. Raises redis' errors, OSError and TimeoutError."""
    if not isinstance(client, RedisCluster):
        return [_ALONE] * len(keys)
    masters = await Nodes(client).masters()
    return [masters.get(_slot(key)) for key in keys]


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
        client = open_store(url, socket_timeout=_PROBE_S, socket_connect_timeout=_PROBE_S)
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
