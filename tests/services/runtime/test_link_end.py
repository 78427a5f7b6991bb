"""How links break, close, are renewed, and are left by their servers."""

import asyncio
from typing import Any

import pytest

from brettwerk.v1 import errors_pb2, rules_pb2_grpc
from services.runtime.channel import open_channel
from services.runtime.link import LinkClient, bounds
from services.runtime.refusal import Refused
from tests.services.runtime.links import (
    Answer,
    Call,
    Handle,
    both_ways,
    client_of,
    echo,
    linked,
    reason_of,
    say,
    served,
    slow_echo,
    until,
)


async def test_open_calls_are_refused_when_the_stream_breaks_and_the_next_opens_it_anew() -> None:
    gate = asyncio.Event()

    async def handle(call: Call) -> Answer:
        if call.find_games.page_token == "hang":
            await gate.wait()
        return echo(call)

    async with linked(handle) as (client, server):
        hanging = [asyncio.create_task(client.call(say("hang"), 60)) for _ in range(3)]
        assert (await client.call(say("on"), 20)).find_games.next_page_token == "on"
        await server.stop()
        for call in hanging:
            refusal = await reason_of(call)
            assert refusal.reason == errors_pb2.REASON_UNAVAILABLE
            assert refusal.retry_after_ms
        refusal = await reason_of(client.call(say("nobody there"), 20))
        assert refusal.reason == errors_pb2.REASON_UNAVAILABLE
        await server.start(server.port)
        while True:
            try:
                answer = await client.call(say("again"), 20)
                break
            except Refused as refused:
                assert refused.reason == errors_pb2.REASON_UNAVAILABLE  # noqa: PT017 - until it is back
        assert answer.find_games.next_page_token == "again"
        assert server.streams == 2


async def test_a_stream_that_cannot_be_opened_refuses_at_once() -> None:
    def broken(**_: object) -> Any:
        raise RuntimeError("the channel is closed")

    client = client_of(broken)
    refusal = await reason_of(client.call(say("x"), 60))
    assert refusal.reason == errors_pb2.REASON_UNAVAILABLE
    await client.close()


async def test_a_stream_that_cannot_be_written_refuses_at_once() -> None:
    async with served(echo) as server, open_channel(f"127.0.0.1:{server.port}") as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)

        def fail(_: object) -> Any:
            raise RuntimeError("cannot be packed")

        client: Any = LinkClient("other side", stub.LinkRules, fail, lambda response: response.answers)
        refusal = await reason_of(client.call(say("x"), 60))
        assert refusal.reason == errors_pb2.REASON_UNAVAILABLE
        await client.close()


async def test_a_closed_link_refuses_what_is_open_and_what_comes() -> None:
    async def never(_: Call) -> Answer:
        await asyncio.Event().wait()
        raise AssertionError

    async with linked(never) as (client, server):
        hanging = asyncio.create_task(client.call(say("hang"), 60))
        await until(lambda: server.batches)
        await client.close()
        assert (await reason_of(hanging)).reason == errors_pb2.REASON_UNAVAILABLE
        assert (await reason_of(client.call(say("late"), 60))).reason == errors_pb2.REASON_UNAVAILABLE
        assert server.streams == 1


async def test_what_the_server_works_at_is_cancelled_when_the_caller_goes() -> None:
    cancelled = asyncio.Event()

    async def never(_: Call) -> Answer:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        raise AssertionError

    async with linked(never) as (client, server):
        hanging = asyncio.create_task(client.call(say("hang"), 60))
        await until(lambda: server.batches)
        await client.close()
        await asyncio.wait_for(cancelled.wait(), 20)
        await asyncio.gather(hanging, return_exceptions=True)
        await until(lambda: server.ended == server.streams)


async def test_a_cancelled_call_frees_its_place() -> None:
    async def never(_: Call) -> Answer:
        await asyncio.Event().wait()
        raise AssertionError

    async with linked(never) as (client, server):
        call = asyncio.create_task(client.call(say("x"), 60))
        await until(lambda: server.batches)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        assert client._open == 0
        assert client._stream is not None
        assert not client._stream._waiting


@both_ways
async def test_a_server_that_leaves_answers_what_is_open_and_sends_the_rest_elsewhere(handle: Handle) -> None:
    gate = asyncio.Event()

    async def held(call: Call) -> Answer:
        if call.find_games.page_token == "open":
            await gate.wait()
        answer = handle(call)
        return answer if isinstance(answer, Answer) else await answer

    async with served(held) as old, served(handle) as other:
        addresses = iter([old.port, other.port])
        async with open_channel(f"127.0.0.1:{old.port}") as first, open_channel(f"127.0.0.1:{other.port}") as second:
            channels = {old.port: first, other.port: second}
            client = client_of(lambda **kept: rules_pb2_grpc.RulesServiceStub(channels[next(addresses)]).LinkRules(**kept))
            calls = [asyncio.create_task(client.call(say("open"), 60)) for _ in range(5)]
            await until(lambda: sum(old.batches) == 5)
            old.leaving.set()
            await until(lambda: not client._stream.is_usable)  # type: ignore[union-attr]
            assert (await client.call(say("new"), 60)).find_games.next_page_token == "new"
            assert other.batches == [1]
            gate.set()
            answers = await asyncio.gather(*calls)
            assert [answer.find_games.next_page_token for answer in answers] == ["open"] * 5
            await until(lambda: old.ended == 1)
            assert sum(old.batches) == 5
            await client.close()


async def test_a_server_that_leaves_takes_no_more_links() -> None:
    async with linked(echo) as (client, server):
        server.leaving.set()
        assert (await reason_of(client.call(say("x"), 20))).reason == errors_pb2.REASON_UNAVAILABLE


async def test_a_link_is_renewed_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "RENEW_S", 0.0)
    async with linked(slow_echo) as (client, server):
        texts = [str(n) for n in range(50)]
        for part in (texts[:20], texts[20:]):
            answers = await asyncio.gather(*(client.call(say(text), 20) for text in part))
            assert [answer.find_games.next_page_token for answer in answers] == part
        assert server.streams > 1
        await until(lambda: server.ended >= server.streams - 1)
        await until(lambda: len(client._streams) <= 1)
