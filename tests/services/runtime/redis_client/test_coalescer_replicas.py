"""Writes over lines that wait for a replica are there when the answer comes; without one things go on, and it is told."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import redis
import redis.asyncio
from prometheus_client import REGISTRY
from redis.exceptions import ResponseError

from services.runtime.redis_client.coalescer import AWAY_MS, HERE_MS, REPLICA_LOOK_S, Coalescer, Replicas
from tests.ports import free_port
from tests.redis_server import server

Pair = tuple[int, int, int]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """A master and a replica that is in step: their ports, and the replica's process."""
    ports = free_port(), free_port()
    with ExitStack() as started:
        master, replica = (tmp_path_factory.mktemp(name) for name in ("master", "replica"))
        started.enter_context(server(master, ports[0], "--save", ""))
        follower = started.enter_context(server(replica, ports[1], "--save", "", "--replicaof", "127.0.0.1", str(ports[0])))
        in_step(ports[0])
        yield *ports, follower.pid


def in_step(port: int) -> None:
    """Return when the server at a port has a replica that keeps up."""
    until = time.monotonic() + 60
    while True:
        try:
            with redis.Redis(port=port) as master:
                master.incr("asked")
                if master.wait(1, 100):
                    return
        except redis.ConnectionError:
            time.sleep(0.05)
        assert time.monotonic() < until, "the replica does not follow"


def unreplicated() -> float:
    return REGISTRY.get_sample_value("brettwerk_store_unreplicated_total") or 0.0


async def test_an_answer_comes_when_the_replica_has_what_was_written(pair: Pair) -> None:
    master, replica, _ = pair
    client, copy = redis.asyncio.Redis(port=master), redis.asyncio.Redis(port=replica)
    coalescer, missed = Coalescer(client.connection_pool.make_connection, 1), unreplicated()
    for number in range(300):
        await asyncio.gather(*(coalescer.send("SET", f"key{each}", number) for each in range(3)))
        assert await copy.mget("key0", "key1", "key2") == [str(number).encode()] * 3
    assert (coalescer.replicas.are_here, unreplicated()) == (True, missed)
    await coalescer.close()
    await client.aclose()
    await copy.aclose()


async def test_while_the_replica_is_away_answers_come_soon_and_it_is_counted_until_it_is_back(pair: Pair) -> None:
    master, _, process = pair
    client = redis.asyncio.Redis(port=master)
    coalescer, missed = Coalescer(client.connection_pool.make_connection, 1), unreplicated()
    os.kill(process, signal.SIGSTOP)
    try:
        assert await coalescer.send("SET", "key", "first") == b"OK"
        assert (coalescer.replicas.are_here, unreplicated()) == (False, missed + 1)
        assert await asyncio.wait_for(coalescer.send("SET", "key", "second"), 5) == b"OK"
        assert unreplicated() == missed + 2
    finally:
        os.kill(process, signal.SIGCONT)
    until = time.monotonic() + 30
    while not coalescer.replicas.are_here:
        assert time.monotonic() < until
        await coalescer.send("SET", "key", "third")
    await coalescer.close()
    await client.aclose()


async def test_a_wrong_command_does_not_take_the_place_of_the_replicas_answer(pair: Pair) -> None:
    client = redis.asyncio.Redis(port=pair[0])
    coalescer = Coalescer(client.connection_pool.make_connection, 1)
    answers = await asyncio.gather(coalescer.send("HGET", "key"), coalescer.send("ECHO", "1"), return_exceptions=True)
    assert isinstance(answers[0], ResponseError)
    assert (answers[1], coalescer.replicas.are_here) == (b"1", True)
    await coalescer.close()
    await client.aclose()


def test_with_no_replica_wanted_there_is_no_question() -> None:
    assert Replicas(0).question is None


def test_the_longer_wait_is_for_replicas_that_kept_up_and_a_forbidden_wait_counts_as_none() -> None:
    now_s = 100.0
    replicas = Replicas(2, lambda: now_s)
    assert replicas.question == ("WAIT", 2, HERE_MS)
    replicas.hear(1)
    assert replicas.question == ("WAIT", 2, AWAY_MS)
    replicas.hear(3)
    assert replicas.question == ("WAIT", 2, HERE_MS)
    now_s += HERE_MS / 1000
    replicas.hear(ResponseError("NOPERM"))
    assert replicas.question == ("WAIT", 2, AWAY_MS)


def test_now_and_then_replicas_are_waited_for_that_are_too_far_away_to_be_found_in_a_moment() -> None:
    now_s = 100.0
    replicas = Replicas(1, lambda: now_s)
    replicas.hear(0)
    assert replicas.question == ("WAIT", 1, AWAY_MS)
    now_s += REPLICA_LOOK_S
    assert replicas.question == ("WAIT", 1, HERE_MS)
    assert replicas.question == ("WAIT", 1, AWAY_MS), "the others wait only a moment meanwhile"
    now_s += 2 * AWAY_MS / 1000
    replicas.hear(1)
    replicas.hear(0)  # the answer to the other question, which was asked before
    assert replicas.question == ("WAIT", 1, HERE_MS)
    now_s += HERE_MS / 1000
    replicas.hear(0)
    assert replicas.question == ("WAIT", 1, AWAY_MS)
