"""A bell that wakes processes at rest, at a real Redis."""

import threading

import pytest
import redis.asyncio

from services.runtime.bell import Bell, ring
from services.runtime.redis_url import open_blocking_redis
from tests.redis_server import running_redis

NAME = "tested"


def waiting(bell: Bell) -> threading.Thread:
    thread = threading.Thread(target=bell.wait)
    thread.start()
    return thread


def blocked(url: str) -> int:
    with open_blocking_redis(url) as client:
        return int(client.info("clients")["blocked_clients"])


@pytest.fixture
def url():
    with running_redis() as url:
        yield url


def until_it_waits(url: str) -> None:
    for _ in range(3000):
        if blocked(url):
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never waited")


async def test_whoever_waits_is_woken_by_one_ring(url: str) -> None:
    listener = waiting(Bell(url, NAME))
    until_it_waits(url)
    async with redis.asyncio.Redis.from_url(url) as client:
        await ring(client, NAME)
    listener.join(30)
    assert not listener.is_alive()


def test_rings_of_before_are_heard_by_nobody_and_do_not_pile_up(url: str) -> None:
    with open_blocking_redis(url) as client:
        for _ in range(100):
            ring(client, NAME)
        assert client.llen(f"bw:bell:{NAME}") == 1
        assert 0 < client.ttl(f"bw:bell:{NAME}") <= 60
        bell = Bell(url, NAME)
        listener = waiting(bell)
        until_it_waits(url)
        assert listener.is_alive()
        bell.close()
        listener.join(30)
        assert not listener.is_alive()


def test_a_broker_that_goes_away_does_not_wake_and_is_listened_to_again(url: str) -> None:
    listener = waiting(Bell(url, NAME))
    until_it_waits(url)
    with open_blocking_redis(url) as client:
        client.client_kill_filter(_type="normal", skipme=True)
        until_it_waits(url)
        assert listener.is_alive()
        ring(client, NAME)
    listener.join(30)
    assert not listener.is_alive()
