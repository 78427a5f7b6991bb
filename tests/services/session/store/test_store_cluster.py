"""The store in a real Redis Cluster: every command finds its master, also while slots move and after a master died."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from services.runtime.redis_client.servers import Nodes, Server, close_client, fault_of
from services.runtime.redis_url import open_store, replicas_of
from services.runtime.refusal import Refused
from services.session.domain.ids import session_key
from services.session.store.commits import Head, Write, head_of
from services.session.store.store import Store
from services.sharding.leases import CHANNEL, Token
from services.sharding.shard_channel import ShardChannel
from services.sharding.shards import lease_key
from tests.redis_cluster import RunningCluster, running_cluster
from tests.services.session.store.test_commits import after, check_admissions, found, session
from tests.services.sharding.all_leases import look

pytestmark = pytest.mark.timeout(300)
PASSWORD = "s3cret/@:"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster"), password=PASSWORD) as made:
        yield made


@pytest.fixture
def url(cluster: RunningCluster) -> str:
    return cluster.url.replace(PASSWORD, "s3cret%2F%40%3A")


@pytest.fixture
async def store(cluster: RunningCluster, url: str) -> AsyncIterator[Store]:
    for port in cluster.masters():
        with cluster.node(port) as node:
            node.flushall()
    client = open_store(url, socket_timeout=None, socket_connect_timeout=2, retry=Retry(NoBackoff(), 1))
    made = Store(client, replicas_of(url, -1), lambda shard: tokens.get(shard))
    leases = made.leases("here", 1)
    tokens = {shard: Token(*(await leases.claim(shard, 0))[:2]) for shard in range(16)}
    yield made
    await made.close()


async def test_sessions_of_all_shards_are_written_read_and_counted(store: Store, cluster: RunningCluster) -> None:
    names = [session(number) for number in range(64)]
    writes = [found(name, players={"ada": True}, place="open", score=7) for name in names]
    assert await asyncio.gather(*map(store.commit, writes)) == [head_of(1, b"first")] * 64
    assert await store.unfinished("ada") == 64
    assert await store.count_sessions() == 64
    assert {cluster.master_of(session_key(name, "log")) for name in names} == set(cluster.masters())
    stored = [await store.read(name) for name in names]
    assert [one and list(one.elements) for one in stored] == [[b"first"]] * 64


async def test_a_cluster_says_whether_there_is_room(store: Store) -> None:
    await check_admissions(store)


async def test_it_is_ready_and_its_servers_tell_of_themselves(store: Store, cluster: RunningCluster) -> None:
    assert await store.is_ready()
    facts = await store.info()
    assert sorted(int(one["tcp_port"]) for one in facts) == sorted(cluster.masters())
    used, most = await store.memory()
    assert (used > 0, most) == (True, 0)


async def test_a_slot_moves_while_its_sessions_are_written_and_no_write_fails(store: Store, cluster: RunningCluster) -> None:
    name = session(3)
    key = session_key(name, "log")
    await store.commit(found(name))
    moving = asyncio.create_task(asyncio.to_thread(_move_twice, cluster, key))
    written = [b"first"]
    head = head_of(1, b"first")
    while not moving.done():
        element = b"%d" % len(written)
        result = await _patiently(store, after(name, head, element))
        assert isinstance(result, Head)
        head = result
        written.append(element)
        await asyncio.sleep(0.005)  # the mover is a thread of this process
    await moving
    stored = await store.read(name)
    assert stored is not None
    assert list(stored.elements)[-3:] == written[-3:]
    assert stored.version == len(written)


def _move_twice(cluster: RunningCluster, key: str) -> None:
    home = cluster.master_of(key)
    cluster.move(key, next(port for port in cluster.masters() if port != home))
    cluster.move(key, home)


async def _patiently(store: Store, write: Write) -> Any:
    """Return what becomes of a write that is tried again when it was refused for now, as callers do."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(Refused):
                return await store.commit(write)
            await asyncio.sleep(0.05)


async def test_leases_and_talk_go_to_the_shards_own_server(store: Store, cluster: RunningCluster) -> None:
    leases = store.leases("there", 1)
    found_ones = await look(leases)
    assert len({lease.owner for lease in found_ones}) == 1
    assert all(cluster.master_of(lease_key(shard)) for shard in range(16))


async def test_a_message_is_heard_from_every_server_and_a_lost_master_is_noticed(url: str, store: Store) -> None:
    client = open_store(url, socket_timeout=None, socket_connect_timeout=2)
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    back: list[int] = []
    listening = ShardChannel(client, heard.put_nowait, back.extend)
    running = asyncio.create_task(listening.run())
    try:
        async with asyncio.timeout(60):
            await listening.ready()
            await store._servers.send("PUBLISH", CHANNEL, b"word")
            assert [await heard.get() for _ in range(3)] == [b"word"] * 3
            assert sorted(back) == list(range(16))
            listening._ready.clear()
            await store._servers.everywhere("CLIENT", "KILL", "TYPE", "pubsub")
            await listening.ready()
            assert sorted(back) == sorted([*range(16), *range(16)])
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        await close_client(client)


async def test_a_shard_whose_slot_has_moved_is_in_doubt_and_no_other_one(cluster: RunningCluster, url: str, store: Store) -> None:
    client = open_store(url, socket_timeout=None, socket_connect_timeout=2)
    back: list[int] = []
    listening = ShardChannel(client, lambda _: None, back.extend, store.place_of)
    running = asyncio.create_task(listening.run())
    try:
        async with asyncio.timeout(60):
            await listening.ready()
            back.clear()
            key = lease_key(5)
            home = cluster.master_of(key)
            for target in (next(port for port in cluster.masters() if port != home), home):
                await asyncio.to_thread(cluster.move, key, target)
                await store.version(session(5))  # this finds out
                assert back or not listening.hears(5), "it was doubted until it was heard anew, perhaps already"
                while not back:
                    assert [shard for shard in range(16) if listening.hears(shard)] == [n for n in range(16) if n != 5]
                    await asyncio.sleep(0.01)
                assert back == [5]
                assert listening.hears(5)
                back.clear()
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        await close_client(client)


async def test_a_node_that_has_not_heard_of_a_move_does_not_undo_what_the_server_said(
    cluster: RunningCluster, url: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = open_store(url, socket_timeout=None, socket_connect_timeout=2)
    try:
        key, looked = lease_key(5), asyncio.Event()
        before = await Nodes(cast(RedisCluster, client)).masters()

        async def as_before(_: Nodes) -> dict[int, Server]:
            looked.set()
            return dict(before)

        home, target = cluster.master_of(key), 0
        monkeypatch.setattr(Nodes, "masters", as_before)
        for target in itertools.cycle(port for port in cluster.masters() if port != home):
            await asyncio.to_thread(cluster.move, key, target)
            await store.version(session(5))
            with contextlib.suppress(TimeoutError):  # it looks again only so often
                async with asyncio.timeout(0.1):
                    await looked.wait()
            if looked.is_set():
                break
        assert store.place_of(5) == Server("127.0.0.1", target)
    finally:
        await close_client(client)


async def test_the_wrong_kind_of_url_is_explained_in_a_sentence(url: str, redis_url: str, cluster: RunningCluster) -> None:
    plain = url.replace("redis+cluster", "redis").rpartition(",")[0]
    assert "redis+cluster://" in await fault_of(plain)
    assert "say redis://" in await fault_of(redis_url.replace("redis://", "redis+cluster://").rpartition("/")[0])
    assert "nonsense" in await fault_of(f"{url}?nonsense=1")
    assert await fault_of(url) == ""
    assert await fault_of(redis_url) == ""
    assert await fault_of("redis://127.0.0.1:1/0") == ""


@pytest.mark.nightly
async def test_a_master_dies_and_nothing_that_was_acknowledged_is_lost(tmp_path: Path) -> None:
    with running_cluster(tmp_path) as own:
        client = open_store(own.url, socket_timeout=None, socket_connect_timeout=2, retry=Retry(NoBackoff(), 1))
        tokens: dict[int, Token] = {}
        store = Store(client, 1, lambda shard: tokens.get(shard))
        leases = store.leases("here", 1)
        tokens |= {shard: Token(*(await leases.claim(shard, 0))[:2]) for shard in range(16)}
        names = [session(number) for number in range(16)]
        heads: dict[str, Head] = {}
        for name in names:
            result = await _patiently(store, found(name))
            heads[name] = result
        home = own.master_of(session_key(names[0], "log"))
        own.kill(home)
        for number, name in itertools.product(range(3), names):
            result = await _patiently(store, after(name, heads[name], b"%d" % number))
            assert isinstance(result, Head)
            heads[name] = result
        assert own.master_of(session_key(names[0], "log")) not in (0, home)
        for name in names:
            stored = await store.read(name)
            assert stored is not None
            assert list(stored.elements) == [b"first", b"0", b"1", b"2"]
        await store.close()
