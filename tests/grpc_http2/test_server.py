"""A server, called by grpcio: what handlers learn and say, what ends a call, and its own end."""

import asyncio
from typing import Any

import grpc
import pytest

from grpc_http2 import Bounds, Visitors
from tests.grpc_http2.echo import Echo, ask, channel_to, served


async def test_a_handler_learns_what_came_with_the_call() -> None:
    async with served() as (_, port), channel_to(port) as channel:
        metadata = (("x-a-bin", b"\xff\0"), ("x-a", "1"), ("x-a", "2"), ("tenant", "3"))
        assert await ask(channel, "/s/Tell", metadata=metadata) == repr(("ipv4", list(metadata), True)).encode()


@pytest.mark.parametrize("compression", [None, grpc.Compression.Gzip, grpc.Compression.Deflate])
async def test_messages_of_any_size_come_back_however_they_are_compressed(compression: Any) -> None:
    async with served() as (_, port), channel_to(port, compression=compression) as channel:
        for size in (0, 1, 70_000, 3_000_000):
            assert await ask(channel, "/s/Say", bytes(size)) == bytes(size)


async def test_a_stream_in_both_directions_answers_each_message() -> None:
    async with served() as (_, port), channel_to(port) as channel:
        method: Any = channel.stream_stream("/s/Echo")
        stream = method(timeout=20)
        for text in (b"a", b"b" * 100_000):
            await stream.write(text)
            assert await stream.read() == text
        await stream.done_writing()
        assert await stream.read() is grpc.aio.EOF
        assert await stream.code() is grpc.StatusCode.OK


async def test_a_message_of_a_stream_that_cannot_be_read_ends_the_call_whichever_task_reads_it() -> None:
    adding = Echo()
    async with served(offered=adding) as (_, port), channel_to(port) as channel:
        method: Any = channel.stream_stream("/s/Add")
        stream = method(timeout=20)
        for number, total in ((b"7", b"7"), (b"8", b"15")):
            await stream.write(number)
            assert await stream.read() == total
        await stream.write(b"seven")
        assert await stream.code() is grpc.StatusCode.INVALID_ARGUMENT
        async with asyncio.timeout(60):
            while not adding.over:  # noqa: ASYNC110 - what is waited for has no event
                await asyncio.sleep(0.01)
    assert adding.over == [True]


async def test_a_client_that_reads_slowly_gets_all_and_lets_others_be_answered() -> None:
    async with served() as (_, port), channel_to(port) as channel:
        method: Any = channel.unary_stream("/s/Count")
        stream = method((400).to_bytes(4) + (10_000).to_bytes(4), timeout=60)
        for number in range(400):
            assert int.from_bytes((await stream.read())[:4]) == number
            if number % 40 == 0:
                assert await ask(channel, "/s/Say", b"x") == b"x"
        assert await stream.read() is grpc.aio.EOF


@pytest.mark.parametrize("how", ["deadline", "cancelled", "gone", "stopped"])
async def test_a_call_that_is_given_up_is_over(how: str) -> None:
    waiting = Echo()
    async with served(offered=waiting) as (server, port), channel_to(port) as channel:
        method: Any = channel.unary_unary("/s/Wait")
        call = method(b"", timeout=0.5 if how == "deadline" else 20)
        await waiting.begun.wait()
        if how == "cancelled":
            call.cancel()
        elif how == "gone":
            await channel.close(None)
        elif how == "stopped":
            await server.stop(0.1)
        code = await call.code()
        expected = {"deadline": grpc.StatusCode.DEADLINE_EXCEEDED, "stopped": grpc.StatusCode.UNAVAILABLE}
        assert code is expected.get(how, grpc.StatusCode.CANCELLED)
        async with asyncio.timeout(60):
            while not waiting.over:  # noqa: ASYNC110 - what is waited for has no event
                await asyncio.sleep(0.01)
    assert waiting.over == [True]


@pytest.mark.parametrize(("path", "code"), [("/s/Fail", grpc.StatusCode.INTERNAL), ("/s/Nothing", grpc.StatusCode.UNIMPLEMENTED)])
async def test_faults_and_unknown_methods_are_told_without_details(
    path: str, code: grpc.StatusCode, caplog: pytest.LogCaptureFixture
) -> None:
    async with served() as (_, port), channel_to(port) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(channel, path)
        assert caught.value.code() is code
        assert "secret" not in (caught.value.details() or "")
        assert ("a secret" in caplog.text) is (path == "/s/Fail"), "it is in the logs"


async def test_calls_that_exceed_what_may_be_open_are_refused_until_there_is_room() -> None:
    waiting = Echo()
    async with served(offered=waiting, calls=1) as (_, port), channel_to(port) as channel:
        method: Any = channel.unary_unary("/s/Wait")
        call = method(b"", timeout=20)
        await waiting.begun.wait()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(channel, "/s/Say")
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        call.cancel()
        async with asyncio.timeout(60):
            while not waiting.over:  # noqa: ASYNC110 - what is waited for has no event
                await asyncio.sleep(0.01)
        assert await ask(channel, "/s/Say", b"now") == b"now"


@pytest.mark.parametrize("compression", [None, grpc.Compression.Gzip])
async def test_a_message_that_is_too_large_is_refused_and_its_connection_goes_on(compression: Any) -> None:
    visitors = Visitors(10, bounds=Bounds(message_bytes=100_000))
    async with served(visitors) as (_, port), channel_to(port, compression=compression) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(channel, "/s/Say", bytes(100_001))
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert await ask(channel, "/s/Say", bytes(100_000)) == bytes(100_000)
        assert len(visitors) == 1


async def test_the_last_word_to_an_open_call_at_the_end_is_that_it_may_be_tried_again() -> None:
    async with served() as (server, port), channel_to(port) as channel:
        assert await ask(channel, "/s/Tell")
        await server.stop(None)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(channel, "/s/Tell")
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
