"""A link takes and keeps only so much."""

import asyncio
import socket
from typing import Any

import grpc
import pytest

from brettwerk.v1 import errors_pb2, rules_pb2, rules_pb2_grpc
from services.runtime.channel import open_channel
from services.runtime.link import bounds
from services.runtime.refusal import Refused, of_rpc_error
from tests.services.runtime.links import (
    Answer,
    Call,
    Handle,
    both_ways,
    client_of,
    echo,
    linked,
    reason_of,
    said,
    say,
    served,
    until,
)


async def test_large_calls_and_answers_share_no_batch_that_would_be_too_large() -> None:
    large = rules_pb2.VerifyRecordRequest()
    large.record.sealed = bytes(3 * 1024 * 1024)

    arrived = 0
    all_there = asyncio.Event()

    async def back(call: Call) -> Answer:
        nonlocal arrived
        arrived += 1
        if arrived == 8:
            all_there.set()
        await all_there.wait()
        answer = Answer()
        answer.find_game.rules_page = "x" * len(call.verify_record.record.sealed)
        return answer

    async with linked(back) as (client, server):
        answers = await asyncio.gather(*(client.call(Call(verify_record=large), 60) for _ in range(8)))
        assert all(len(answer.find_game.rules_page) == 3 * 1024 * 1024 for answer in answers)
        assert max(server.batches) == 1
        assert server.streams == 1


async def test_a_call_or_an_answer_that_is_too_large_is_refused_and_the_link_lives() -> None:
    def handle(call: Call) -> Answer:
        return said("x" * bounds.CALL_BYTES) if call.find_games.page_token == "huge" else echo(call)

    async with linked(handle) as (client, server):
        refusal = await reason_of(client.call(say("x" * bounds.CALL_BYTES), 20))
        assert refusal.reason == errors_pb2.REASON_MALFORMED
        refusal = await reason_of(client.call(say("huge"), 20))
        assert refusal.reason == errors_pb2.REASON_INTERNAL
        assert (await client.call(say("still here"), 20)).find_games.next_page_token == "still here"
        assert server.streams == 1


async def test_a_call_out_of_bounds_is_refused_and_its_neighbours_are_answered() -> None:
    async with linked(echo) as (client, server):
        bad = client.call(Call(find_games=rules_pb2.FindGamesRequest(page_size=101)), 20)
        good = [client.call(say(str(n)), 20) for n in range(3)]
        refused, *answers = await asyncio.gather(bad, *good, return_exceptions=True)
        assert isinstance(refused, Refused)
        assert (refused.reason, refused.refusal.field) == (errors_pb2.REASON_MALFORMED, "page_size")
        assert [answer.find_games.next_page_token for answer in answers] == ["0", "1", "2"]  # type: ignore[union-attr]
        assert server.batches == [4]


async def test_a_batch_out_of_bounds_ends_the_stream_and_says_why() -> None:
    async with served(echo) as server, open_channel(f"127.0.0.1:{server.port}") as channel:
        stream = rules_pb2_grpc.RulesServiceStub(channel).LinkRules()
        await stream.write(rules_pb2.LinkRulesRequest(calls=[Call(id=n) for n in range(1025)]))
        with pytest.raises(grpc.RpcError) as caught:
            async for _ in stream:
                pass
        refused = of_rpc_error(caught.value, "link")
        assert (refused.reason, refused.refusal.field) == (errors_pb2.REASON_MALFORMED, "calls")


async def test_a_call_ends_at_its_deadline_and_its_late_answer_is_dropped() -> None:
    gate = asyncio.Event()

    async def handle(call: Call) -> Answer:
        if call.find_games.page_token == "late":
            await gate.wait()
        return echo(call)

    async with linked(handle) as (client, server):
        refusal = await reason_of(client.call(say("late"), 0.05))
        assert refusal.reason == errors_pb2.REASON_DEADLINE
        gate.set()
        assert (await client.call(say("now"), 20)).find_games.next_page_token == "now"
        assert server.streams == 1
        assert client._open == 0
        assert client._stream is not None
        assert not client._stream._waiting


async def test_calls_that_ended_before_they_were_sent_leave_nothing_behind() -> None:
    """Somebody listens and never answers: calls come and time out for ever, and nothing may pile up."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        async with open_channel(f"127.0.0.1:{deaf.getsockname()[1]}") as channel:
            client = client_of(rules_pb2_grpc.RulesServiceStub(channel).LinkRules)
            for _ in range(5):
                gone = await asyncio.gather(*(client.call(say("x"), 0.01) for _ in range(100)), return_exceptions=True)
                assert all(isinstance(refused, Refused) for refused in gone)
            assert client._stream is None or not (client._stream._outbox or client._stream._waiting)
            await client.close()


async def test_too_many_open_calls_are_refused_until_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "OPEN_CALLS", 10)
    gate = asyncio.Event()

    async def handle(call: Call) -> Answer:
        await gate.wait()
        return echo(call)

    async with linked(handle) as (client, _):
        calls = [asyncio.create_task(client.call(say(str(n)), 20)) for n in range(10)]
        await asyncio.sleep(0)
        refusal = await reason_of(client.call(say("one more"), 20))
        assert refusal.reason == errors_pb2.REASON_FULL
        assert refusal.retry_after_ms
        gate.set()
        await asyncio.gather(*calls)
        assert (await client.call(say("now"), 20)).find_games.next_page_token == "now"


@both_ways
async def test_a_caller_that_does_not_read_is_not_answered_without_bounds(
    handle: Handle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "OPEN_CALLS", 64)
    handled = 0

    def count(call: Call) -> Any:
        nonlocal handled
        handled += 1
        return handle(call)

    async with served(count) as server, open_channel(f"127.0.0.1:{server.port}") as channel:
        stream = rules_pb2_grpc.RulesServiceStub(channel).LinkRules()
        text = "x" * 190

        async def write() -> None:
            for n in range(0, 64000, 16):
                batch = [Call(id=n + k, find_games=say(text).find_games) for k in range(16)]
                await stream.write(rules_pb2.LinkRulesRequest(calls=batch))

        writer = asyncio.create_task(write())
        await until(lambda: handled)
        before = -1
        while handled != before:
            before = handled
            await asyncio.sleep(0.3)
        assert 0 < handled < 64000, "it goes on answering into nothing"
        writer.cancel()
        stream.cancel()
