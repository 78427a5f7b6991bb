"""A link takes and keeps only so much, and lets nobody wait longer than they want."""

import asyncio
import socket
from typing import Any

import grpc
import pytest

from brettwerk.internal.v1 import link_pb2, link_pb2_grpc, rules_pb2
from brettwerk.v1 import errors_pb2
from services.runtime.link import bounds
from services.runtime.refusal import Refused, of_rpc_error
from tests.services.runtime.link.ends import (
    AtOnce,
    Awaited,
    Handle,
    Request,
    Response,
    both_ways,
    channel_to,
    echo,
    linked,
    never,
    reason_of,
    said,
    say,
    served,
    servicer_of,
    slow_echo,
    until,
)

FIND_GAMES = "/brettwerk.internal.v1.RulesService/FindGames"


async def test_large_calls_and_answers_go_side_by_side() -> None:
    async with linked(Awaited(slow_echo)) as (stub, _):  # type: ignore[abstract]
        request = rules_pb2.VerifyRecordRequest(packed_record=bytes(7 * 1024 * 1024))
        sizes = await asyncio.gather(*(stub.VerifyRecord(request, timeout=60) for _ in range(8)))
        assert [answer.cpu_us for answer in sizes] == [7 * 1024 * 1024] * 8
        pages = await asyncio.gather(
            *(stub.FindGame(rules_pb2.FindGameRequest(game=str(n * 1_000_000)), timeout=60) for n in range(8))
        )
        assert [len(page.rules_page) for page in pages] == [n * 1_000_000 for n in range(8)]


async def test_a_call_or_an_answer_that_is_too_large_is_refused_and_the_link_lives() -> None:
    def handle(request: Request) -> Response:
        return said("x" * bounds.CALL_BYTES) if request.page_token == "huge" else echo(request)

    async with linked(AtOnce(handle)) as (stub, _):  # type: ignore[abstract]
        assert (await reason_of(stub.FindGames(say("x" * bounds.CALL_BYTES)))).reason == errors_pb2.REASON_MALFORMED
        assert (await reason_of(stub.FindGames(say("huge"), timeout=20))).reason == errors_pb2.REASON_INTERNAL
        assert (await stub.FindGames(say("still here"), timeout=20)).next_page_token == "still here"


@both_ways
async def test_a_call_out_of_bounds_is_refused_and_its_neighbours_are_answered(handle: Handle) -> None:
    servicer = servicer_of(handle)
    async with linked(servicer) as (stub, _):
        bad = stub.FindGames(Request(page_size=101), timeout=20)
        good = [stub.FindGames(say(str(n)), timeout=20) for n in range(3)]
        refusal = await reason_of(bad)
        assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, "page_size")
        answers = await asyncio.gather(*good)
        assert [answer.next_page_token for answer in answers] == ["0", "1", "2"]
        assert servicer.handled == 3


async def refusal_of_batch(batch: bytes) -> Refused:
    async with served(Awaited(slow_echo)) as (_, where), grpc.aio.insecure_channel(where) as channel:  # type: ignore[abstract]
        stream: Any = channel.stream_stream("/brettwerk.internal.v1.LinkService/Open")()
        await stream.write(batch)
        with pytest.raises(grpc.RpcError) as caught:
            async for _ in stream:
                pass
        return of_rpc_error(caught.value, "link")


async def test_a_batch_out_of_bounds_ends_the_stream_and_says_why() -> None:
    refused = await refusal_of_batch(
        link_pb2.OpenRequest(calls=[link_pb2.LinkCall(id=n) for n in range(1025)]).SerializeToString()
    )
    assert (refused.reason, refused.refusal.field) == (errors_pb2.REASON_MALFORMED, "calls")
    refused = await refusal_of_batch(b"\x0a\x00" * 20_000)  # counted, not parsed
    assert (refused.reason, refused.refusal.field) == (errors_pb2.REASON_MALFORMED, "calls")
    assert (await refusal_of_batch(b"\xff\xff")).reason == errors_pb2.REASON_MALFORMED


async def test_a_call_ends_at_its_deadline_and_its_server_gives_it_up() -> None:
    cancelled = asyncio.Event()

    async def handle(request: Request) -> Response:
        if request.page_token == "late":
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.set()
                raise
        return echo(request)

    async with linked(Awaited(handle)) as (stub, _):  # type: ignore[abstract]
        assert (await stub.FindGames(say("first"), timeout=20)).next_page_token == "first"
        assert (await reason_of(stub.FindGames(say("late"), timeout=0.05))).reason == errors_pb2.REASON_DEADLINE
        await asyncio.wait_for(cancelled.wait(), 20)
        assert (await stub.FindGames(say("now"), timeout=20)).next_page_token == "now"
        assert len(stub.channel._calls) == 0


async def test_a_deadline_holds_at_the_server_for_callers_that_give_nothing_up() -> None:
    cancelled = asyncio.Event()

    async def handle(request: Request) -> Response:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        raise AssertionError

    async with served(Awaited(handle)) as (_, where), grpc.aio.insecure_channel(where) as channel:  # type: ignore[abstract]
        stream: Any = link_pb2_grpc.LinkServiceStub(channel).Open()
        await stream.write(link_pb2.OpenRequest(calls=[link_pb2.LinkCall(id=1, method=FIND_GAMES, timeout_ms=100)]))
        await asyncio.wait_for(cancelled.wait(), 20)
        stream.cancel()


async def test_calls_that_ended_before_they_were_sent_leave_nothing_behind() -> None:
    """Somebody listens and never answers: calls come and time out for ever, and nothing may pile up."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        async with channel_to(f"127.0.0.1:{deaf.getsockname()[1]}") as stub:
            for _ in range(3):
                calls = [stub.FindGames(say("x"), timeout=0.01) for _ in range(100)]
                assert {(await reason_of(call)).reason for call in calls} == {errors_pb2.REASON_UNAVAILABLE}
            assert len(stub.channel._calls) == 0
            assert stub.channel._calls.unsent == 0


async def test_too_many_open_calls_are_refused_until_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "OPEN_CALLS", 10)
    gate = asyncio.Event()

    async def handle(request: Request) -> Response:
        await gate.wait()
        return echo(request)

    async with linked(Awaited(handle)) as (stub, _):  # type: ignore[abstract]
        calls = [stub.FindGames(say(str(n)), timeout=20) for n in range(10)]
        refusal = await reason_of(stub.FindGames(say("one more"), timeout=20))
        assert refusal.reason == errors_pb2.REASON_FULL
        assert refusal.retry_after_ms
        gate.set()
        await asyncio.gather(*calls)
        assert (await stub.FindGames(say("now"), timeout=20)).next_page_token == "now"


async def test_requests_that_wait_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "UNSENT_BYTES", 1_000_000)
    monkeypatch.setattr(bounds, "HOMELESS_S", 20.0)
    async with channel_to("127.0.0.1:1") as stub:  # nobody is there
        large = rules_pb2.VerifyRecordRequest(packed_record=bytes(600_000))
        first, second = stub.VerifyRecord(large, timeout=60), stub.VerifyRecord(large, timeout=60)
        assert (await reason_of(stub.VerifyRecord(large, timeout=60))).reason == errors_pb2.REASON_FULL
        first.cancel()
        third = stub.VerifyRecord(large, timeout=60)
        assert not third.done()
        for call in (second, third):
            call.cancel()
        assert stub.channel._calls.unsent == 0


@both_ways
async def test_a_caller_that_does_not_read_is_not_answered_without_bounds(
    handle: Handle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "OPEN_CALLS", 64)
    servicer = servicer_of(handle)
    async with served(servicer) as (_, where), grpc.aio.insecure_channel(where) as channel:
        stream: Any = link_pb2_grpc.LinkServiceStub(channel).Open()
        request = say("x" * 190).SerializeToString()

        async def write() -> None:
            for n in range(0, 64000, 16):
                calls = [link_pb2.LinkCall(id=n + k, method=FIND_GAMES, request=request) for k in range(16)]
                await stream.write(link_pb2.OpenRequest(calls=calls))

        writer = asyncio.create_task(write())
        await until(lambda: servicer.handled)
        before = -1
        while servicer.handled != before:
            before = servicer.handled
            await asyncio.sleep(0.3)
        assert 0 < servicer.handled < 64000, "it goes on answering into nothing"
        writer.cancel()
        stream.cancel()


async def test_calls_that_are_answered_at_once_leave_the_event_loop_to_others_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SLICE_S", 0.0)
    servicer = AtOnce(echo)  # type: ignore[abstract]
    async with linked(servicer) as (stub, _):
        calls = [stub.FindGames(say(str(n)), timeout=20) for n in range(200)]
        seen: set[int] = set()
        while servicer.handled < 200:
            await asyncio.sleep(0)
            seen.add(servicer.handled)
        assert len(seen) > 100, "all were answered in one go"
        await asyncio.gather(*calls)


async def test_a_cancelled_call_frees_its_place_at_both_ends() -> None:
    servicer = Awaited(never)  # type: ignore[abstract]
    async with linked(servicer) as (stub, server):

        async def call() -> None:
            await stub.FindGames(say("x"), timeout=60)

        waiting = asyncio.create_task(call())
        await until(lambda: servicer.handled)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert len(stub.channel._calls) == 0
        await until(server._is_idle)
