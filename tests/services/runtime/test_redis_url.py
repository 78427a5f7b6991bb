"""Clients by URL: what a Sentinel URL says, and a real failover behind real Sentinels."""

import asyncio
import contextlib
import subprocess
import time
from pathlib import Path

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from services.runtime.redis_url import Watched, for_celery, open_redis, replicas_of
from services.runtime.refusal import Refused
from services.session.store.coalescer import Coalescer
from tests.ports import free_port
from tests.redis_server import server

names = st.text("abcdefghijk0123456789.-", min_size=1, max_size=12)


@given(st.lists(st.tuples(names, st.integers(1, 65535)), min_size=1, max_size=4), names, st.integers(0, 15))
def test_a_sentinel_url_says_where_the_sentinels_are_and_what_they_watch(hosts, name, database):
    url = "sentinel://" + ",".join(f"{host}:{port}" for host, port in hosts) + f"/{name}/{database}"
    watched = Watched.of(url)
    assert (list(watched.sentinels), watched.name, watched.database) == (hosts, name, database)
    broker, options = for_celery(url)
    assert broker.split(";") == [f"sentinel://{host}:{port}/{database}" for host, port in hosts]
    assert options["master_name"] == name


def test_a_password_with_special_characters_comes_through():
    watched = Watched.of("sentinel://me:p%40ss%2Fword@a,b:1/brettwerk")
    assert (watched.user, watched.password, watched.database) == ("me", "p@ss/word", 0)
    assert watched.sentinels == (("a", 26379), ("b", 1))


@pytest.mark.parametrize("url", ["sentinel://", "sentinel://host", "sentinel://host:1/", "sentinel://host/name/x"])
def test_what_is_no_sentinel_url_is_refused(url):
    with pytest.raises(ValueError, match="Sentinel URL"):
        open_redis(url)


def test_other_urls_go_to_celery_as_they_are():
    assert for_celery("rediss://x:1/2?ssl_cert_reqs=required") == ("rediss://x:1/2?ssl_cert_reqs=required", {})


def test_writes_wait_for_a_replica_where_sentinels_watch_unless_told_otherwise():
    assert replicas_of("sentinel://a/brettwerk", -1) == 1
    assert replicas_of("sentinel://a/brettwerk", 0) == 0
    assert replicas_of("rediss://a", -1) == 0
    assert replicas_of("rediss://a", 2) == 2


@pytest.mark.slow
async def test_a_store_behind_sentinels_is_found_again_after_its_master_died(tmp_path: Path):
    ports = [free_port() for _ in range(3)]
    started = contextlib.ExitStack()

    def start(port: int, name: str, *arguments: str) -> "subprocess.Popen[bytes]":
        return started.enter_context(server(tmp_path / name, port, *arguments))

    master = start(ports[0], "master", "--save", "")
    start(ports[1], "replica", "--save", "", "--replicaof", "127.0.0.1", str(ports[0]))
    guard = tmp_path / "sentinel.conf"
    guard.write_text(
        f"sentinel monitor brettwerk 127.0.0.1 {ports[0]} 1\nsentinel down-after-milliseconds brettwerk 500\n"
        "sentinel failover-timeout brettwerk 2000\n"
    )
    start(ports[2], "sentinel", str(guard), "--sentinel")
    url = f"sentinel://127.0.0.1:{ports[2]}/brettwerk/0"
    client = store = None
    try:
        until = time.monotonic() + 30
        with redis.Redis(port=ports[2]) as asked:
            while time.monotonic() < until:  # the Sentinel has to find the replica first
                try:
                    if asked.sentinel_slaves("brettwerk"):
                        break
                except redis.RedisError:
                    pass
                await asyncio.sleep(0.1)
        client = open_redis(url, socket_timeout=None, socket_connect_timeout=2)
        store = Coalescer(client, replicas_of(url, -1))
        assert await store.send("SET", "key", "value")
        while not store.replicas.are_here:  # it has only just begun to follow
            assert time.monotonic() < until
            await store.send("SET", "key", "value")
        master.kill()
        until = time.monotonic() + 60
        found = None
        while found != b"value" and time.monotonic() < until:
            try:
                found = await store.send("GET", "key")
            except Refused:  # while there is no master
                await asyncio.sleep(0.2)
        assert found == b"value"
    finally:
        if store is not None:
            await store.close()
        if client is not None:
            for guard_client in client.connection_pool.sentinel_manager.sentinels:  # type: ignore[attr-defined]
                await guard_client.aclose()
            await client.aclose()
        started.close()
