import asyncio
import socket
from typing import Any

import grpc
import pytest

from brettwerk.v1 import errors_pb2, rules_pb2, rules_pb2_grpc
from services.runtime import link as link_module
from services.runtime import trace
from services.runtime.channel import open_channel
from services.runtime.refusal import Refused, malformed, of_rpc_error
from tests.services.runtime.links import (
    Answer,
    Call,
    Handle,
    client_of,
    echo,
    linked,
    said,
    say,
    served,
    slow_echo,
)

both_ways = pytest.mark.parametrize("handle", [echo, slow_echo], ids=["at once", "awaited"])


async def until(condition: Any) -> None:
    """Wait until something is so; the test's own time limit is the end of it."""
    while not condition():  # noqa: ASYNC110 - what is waited for has no event
        await asyncio.sleep(0.005)


async def reason_of(awaitable: Any) -> errors_pb2.Refusal:
    with pytest.raises(Refused) as caught:
        await awaitable
    return caught.value.refusal


@both_ways
async def test_every_caller_gets_its_own_answer(handle: Handle) -> None:
    async with linked(handle) as (client, server):
        texts = [str(n) for n in range(3000)]
        answers = await asyncio.gather(*(client.call(say(text), 20) for text in texts))
        assert [answer.find_games.next_page_token for answer in answers] == texts
        assert server.streams == 1
        assert max(server.batches) <= link_module.BATCH
        assert len(server.batches) < len(texts) / 10, "what waits goes out together"


async def test_a_call_that_is_alone_does_not_wait_for_company() -> None:
    async with linked(echo) as (client, server):
        for n in range(5):
            assert (await client.call(say(str(n)), 20)).find_games.next_page_token == str(n)
        assert server.batches == [1] * 5


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
        return said("x" * link_module.CALL_BYTES) if call.find_games.page_token == "huge" else echo(call)

    async with linked(handle) as (client, server):
        refusal = await reason_of(client.call(say("x" * link_module.CALL_BYTES), 20))
        assert refusal.reason == errors_pb2.REASON_MALFORMED
        refusal = await reason_of(client.call(say("huge"), 20))
        assert refusal.reason == errors_pb2.REASON_INTERNAL
        assert (await client.call(say("still here"), 20)).find_games.next_page_token == "still here"
        assert server.streams == 1


@pytest.mark.parametrize("is_awaited", [False, True])
async def test_a_refusal_arrives_as_it_was_raised(is_awaited: bool) -> None:
    def refuse(_: Call) -> Answer:
        raise Refused(
            errors_pb2.REASON_STALE_VERSION, "too late", rule="X-1", details={"a": "b"}, retry_after_ms=5, head_version=9
        )

    async def refuse_later(call: Call) -> Answer:
        return refuse(call)

    async with linked(refuse_later if is_awaited else refuse) as (client, _):
        refusal = await reason_of(client.call(say(""), 20))
        assert (refusal.reason, refusal.message, refusal.rule, dict(refusal.details)) == (
            errors_pb2.REASON_STALE_VERSION,
            "too late",
            "X-1",
            {"a": "b"},
        )
        assert (refusal.code, refusal.retry_after_ms, refusal.head_version) == (10, 5, 9)


@pytest.mark.parametrize("is_awaited", [False, True])
async def test_a_fault_tells_nothing_and_the_link_lives(is_awaited: bool) -> None:
    def fail(call: Call) -> Answer:
        if call.find_games.page_token:
            return echo(call)
        raise RuntimeError("the secret is 42")

    async def fail_later(call: Call) -> Answer:
        return fail(call)

    async with linked(fail_later if is_awaited else fail) as (client, server):
        refusal = await reason_of(client.call(say(""), 20))
        assert refusal.reason == errors_pb2.REASON_INTERNAL
        assert "secret" not in str(refusal)
        assert refusal.trace_id
        assert (await client.call(say("on"), 20)).find_games.next_page_token == "on"
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
    monkeypatch.setattr(link_module, "OPEN_CALLS", 10)
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
    monkeypatch.setattr(link_module, "OPEN_CALLS", 64)
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
        before = -1
        while handled != before:
            before = handled
            await asyncio.sleep(0.3)
        assert 0 < handled < 64000, "it goes on answering into nothing"
        writer.cancel()
        stream.cancel()


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

        client: Any = link_module.LinkClient("other side", stub.LinkRules, fail, lambda response: response.answers)
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
    monkeypatch.setattr(link_module, "RENEW_S", 0.0)
    async with linked(slow_echo) as (client, server):
        texts = [str(n) for n in range(50)]
        for part in (texts[:20], texts[20:]):
            answers = await asyncio.gather(*(client.call(say(text), 20) for text in part))
            assert [answer.find_games.next_page_token for answer in answers] == part
        assert server.streams > 1
        await until(lambda: server.ended >= server.streams - 1)
        await until(lambda: len(client._streams) <= 1)


@both_ways
async def test_each_call_runs_in_the_trace_of_its_caller(handle: Handle) -> None:
    async def traced(call: Call) -> Answer:
        await asyncio.sleep(0)
        return said(trace.trace_id())

    def traced_at_once(_: Call) -> Answer:
        return said(trace.trace_id())

    async with linked(traced_at_once if handle is echo else traced) as (client, _):

        async def call() -> tuple[str, str]:
            trace.begin()
            answer = await client.call(say("x"), 20)
            return trace.trace_id(), answer.find_games.next_page_token

        pairs = await asyncio.gather(*(asyncio.create_task(call()) for _ in range(20)))
        assert all(mine == theirs for mine, theirs in pairs)
        assert len({mine for mine, _ in pairs}) == 20


async def test_a_refusal_of_the_server_names_the_callers_trace() -> None:
    def refuse(_: Call) -> Answer:
        raise malformed("x", "no")

    async with linked(refuse) as (client, _):
        trace.begin()
        assert (await reason_of(client.call(say("x"), 20))).trace_id == trace.trace_id()
