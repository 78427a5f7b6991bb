"""Clients by URL, and a real failover behind real Sentinels."""

import asyncio
import contextlib
import subprocess
import time
from pathlib import Path

import pytest
import redis

from services.runtime.redis_client.coalescer import Coalescer
from services.runtime.redis_url import for_celery, open_blocking_redis, open_redis, open_store, replicas_of
from services.runtime.refusal import Refused
from tests.ports import free_port
from tests.redis_server import server


def test_other_urls_go_to_celery_as_they_are():
    url = "rediss://x:1/2?ssl_cert_reqs=required"
    assert for_celery(url) == ({"broker_url": url}, {})


def test_celery_asks_sentinels_with_the_passwords_and_certificates_of_the_url(tmp_path: Path):
    (tmp_path / "ca.crt").touch()
    url = f"rediss+sentinel://me:p%40ss@a,b:1/brettwerk/3?ssl_ca_certs={tmp_path}/ca.crt&sentinel_password=guard"
    broker, transport = for_celery(url)
    assert broker["broker_url"] == "sentinel://me:p%40ss@a:26379/3;sentinel://me:p%40ss@b:1/3"
    assert broker["broker_use_ssl"] == {"ssl_cert_reqs": "required", "ssl_ca_certs": f"{tmp_path}/ca.crt"}
    assert for_celery("rediss+sentinel://a/brettwerk")[0]["broker_use_ssl"], "without any option it would speak no TLS"
    guards = transport["sentinel_kwargs"]
    assert (guards["password"], guards["ssl"], guards["ssl_ca_certs"]) == ("guard", True, f"{tmp_path}/ca.crt")
    assert transport["master_name"] == "brettwerk"


def test_celery_and_single_servers_refuse_a_cluster():
    for refused in (for_celery, open_redis, open_blocking_redis):
        with pytest.raises(ValueError, match="only live sessions"):
            refused("redis+cluster://a:1")


def test_a_file_that_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str]):
    for url in ("rediss://a", "rediss+sentinel://a/brettwerk", "rediss+cluster://a"):
        with pytest.raises(SystemExit):
            open_store(f"{url}?ssl_ca_certs=/nowhere/ca.crt")
        assert "ssl_ca_certs=/nowhere/ca.crt" in capsys.readouterr().err


def test_writes_wait_for_a_replica_where_one_takes_over_unless_told_otherwise():
    assert replicas_of("sentinel://a/brettwerk", -1) == 1
    assert replicas_of("redis+cluster://a", -1) == 1
    assert replicas_of("sentinel://a/brettwerk", 0) == 0
    assert replicas_of("rediss://a", -1) == 0
    assert replicas_of("rediss://a", 2) == 2


async def _sent(store: Coalescer, *command: str) -> object:
    """Return the answer to a command, sent again while there is no master: a loaded Sentinel misses one that lives."""
    while True:
        try:
            return await store.send(*command)
        except Refused:
            await asyncio.sleep(0.2)


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
        store = Coalescer(client.connection_pool.make_connection, replicas_of(url, -1))
        assert await _sent(store, "SET", "key", "value")
        while not store.replicas.are_here:  # it has only just begun to follow
            await _sent(store, "SET", "key", "value")
        master.kill()
        assert await _sent(store, "GET", "key") == b"value"
    finally:
        if store is not None:
            await store.close()
        if client is not None:
            for guard_client in client.connection_pool.sentinel_manager.sentinels:  # type: ignore[attr-defined]
                await guard_client.aclose()
            await client.aclose()
        started.close()
