"""Commands over a few lines to a real Redis: each gets its own answer, and a line that breaks is mended."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError

from brettwerk.v1 import errors_pb2
from services.runtime.redis_client.coalescer import BATCH, CONNECTIONS, Coalescer
from services.runtime.refusal import Refused
from services.runtime.tasks import EagerCall


@pytest.fixture
async def coalescer(redis_url: str) -> AsyncIterator[Coalescer]:
    client = redis.asyncio.Redis.from_url(redis_url, retry=Retry(NoBackoff(), 1))
    made = Coalescer(client.connection_pool.make_connection)
    yield made
    await made.close()
    await client.aclose()


async def test_every_command_gets_its_own_answer(coalescer: Coalescer) -> None:
    texts = [b"%d\xff" % number for number in range(3 * BATCH)]
    assert await asyncio.gather(*(coalescer.send("ECHO", text) for text in texts)) == texts


async def test_a_wrong_command_spoils_no_other(coalescer: Coalescer) -> None:
    commands: tuple[tuple[str | int, ...], ...] = (("ECHO", "1"), ("HGET", "key"), ("ECHO", 2))
    answers = await asyncio.gather(*(coalescer.send(*command) for command in commands), return_exceptions=True)
    before, wrong, after = answers
    assert (before, after) == (b"1", b"2")
    assert isinstance(wrong, ResponseError)


async def test_commands_of_one_tick_and_those_while_all_connections_are_busy_share_pipelines(coalescer: Coalescer) -> None:
    ids = await asyncio.gather(*(coalescer.send("CLIENT", "ID") for _ in range(50)))
    assert len(set(ids)) == 1

    async def later(ticks: int) -> int:
        for _ in range(ticks):
            await asyncio.sleep(0)
        number: int = await coalescer.send("CLIENT", "ID")
        return number

    assert len(set(await asyncio.gather(*(later(ticks) for ticks in range(200))))) <= CONNECTIONS


async def test_a_connection_that_was_cut_is_mended_unseen(coalescer: Coalescer, redis_url: str) -> None:
    number = await coalescer.send("CLIENT", "ID")
    async with redis.asyncio.Redis.from_url(redis_url) as other:
        await other.client_kill_filter(_id=str(number))
    assert await coalescer.send("ECHO", "still here") == b"still here"


async def test_an_eager_call_goes_on_with_its_answers_without_a_task(coalescer: Coalescer) -> None:
    await coalescer.send("PING")  # the connection is open
    over: asyncio.Future[list[object]] = asyncio.get_running_loop().create_future()

    async def ask() -> None:
        answers = [await coalescer.send("ECHO", text) for text in "ab"]
        over.set_result([*answers, asyncio.current_task()])

    EagerCall(ask())
    assert await over == [b"a", b"b", None]


async def test_a_caller_that_gave_up_waiting_leaves_the_others_their_answers(coalescer: Coalescer) -> None:
    impatient, patient = coalescer.send("ECHO", "1"), coalescer.send("ECHO", "2")
    await asyncio.sleep(0)
    impatient.cancel()
    assert await patient == b"2"
    assert await coalescer.send("ECHO", "3") == b"3"


async def test_without_a_store_commands_are_refused(unused_tcp_port: int) -> None:
    client = redis.asyncio.Redis.from_url(f"redis://127.0.0.1:{unused_tcp_port}", retry=Retry(NoBackoff(), 1))
    alone = Coalescer(client.connection_pool.make_connection)
    answers = await asyncio.gather(*(alone.send("PING") for _ in range(3)), return_exceptions=True)
    assert all(isinstance(answer, Refused) for answer in answers)
    await alone.close()


async def test_a_store_that_takes_no_writes_now_says_when_to_come_again(coalescer: Coalescer, redis_url: str) -> None:
    async with redis.asyncio.Redis.from_url(redis_url) as other:
        await other.config_set("min-replicas-to-write", 1)
        try:
            answers = await asyncio.gather(
                coalescer.send("ECHO", "read"), coalescer.send("SET", "key", 1), return_exceptions=True
            )
        finally:
            await other.config_set("min-replicas-to-write", 0)
    read, refused = answers
    assert read == b"read"
    assert isinstance(refused, Refused)
    assert errors_pb2.Reason.Name(refused.reason) == "REASON_UNAVAILABLE"
    assert refused.refusal.retry_after_ms > 0
    await coalescer.send("SET", "key", 1)


async def test_a_server_that_is_no_master_any_more_is_left(coalescer: Coalescer, redis_url: str) -> None:
    number = await coalescer.send("CLIENT", "ID")
    async with redis.asyncio.Redis.from_url(redis_url) as server:
        await server.replicaof("127.0.0.1", "1")
        try:
            with pytest.raises(Refused):
                await coalescer.send("SET", "key", "1")
            assert await coalescer.send("CLIENT", "ID") != number
        finally:
            await server.replicaof("NO", "ONE")
    await coalescer.send("SET", "key", "1")
