"""Long streams of the contract: in order, with flow control both ways, and with an end that is told."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime import metrics
from services.runtime.link import LinkChannel, bounds
from services.runtime.refusal import Refused, malformed, of_rpc_error
from tests.services.runtime.link.ends import Tails, reason_of, served, socket_in, until

Request, Response = session_pb2.TailSessionsRequest, session_pb2.TailSessionsResponse


def received(number: int, padding: int = 0) -> session_pb2.TailSessionsResponse:
    return Response(tails=[session_pb2.Tail(ids=[number], message=bytes(padding))])


async def echo(requests: AsyncIterator[session_pb2.TailSessionsRequest]) -> AsyncIterator[session_pb2.TailSessionsResponse]:
    async for request in requests:
        for number in request.unfollow:
            yield received(number)


@contextlib.asynccontextmanager
async def tailing(tail: Any, where: str) -> AsyncIterator[Any]:
    async with served(Tails(tail), where), LinkChannel(where, "other side") as channel:  # type: ignore[abstract]
        yield session_pb2_grpc.SessionServiceStub(channel)


async def test_messages_are_answered_in_order_until_both_sides_have_ended(short_path: Path) -> None:
    async with tailing(echo, socket_in(short_path)) as stub:
        stream = stub.TailSessions(timeout=60)
        for number in range(100):
            await stream.write(Request(unfollow=[number] * 10))
        await stream.done_writing()
        got = [response.tails[0].ids[0] for response in [response async for response in stream]]
        assert got == [number for number in range(100) for _ in range(10)]
        assert await stream.read() is grpc.aio.EOF


async def test_a_refusal_ends_a_stream_and_is_sent_after_what_was_said(short_path: Path) -> None:
    async def refuse(requests: Any) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        yield received(1)
        raise malformed("x", "no, not here: €")

    async def fail(requests: Any) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        yield received(1)
        raise RuntimeError("the secret is 42")

    for tail, reason in ((refuse, errors_pb2.REASON_MALFORMED), (fail, errors_pb2.REASON_INTERNAL)):
        async with tailing(tail, socket_in(short_path)) as stub:
            stream = stub.TailSessions()
            assert (await stream.read()).tails[0].ids == [1]
            refusal = await reason_of(stream.read())
            assert refusal.reason == reason
            assert "secret" not in str(refusal)


async def test_responses_that_are_encoded_already_are_sent_as_they_are(short_path: Path) -> None:
    async def encoded(requests: Any) -> AsyncIterator[bytes]:
        for number in range(3):
            yield received(number).SerializeToString()

    async with tailing(encoded, socket_in(short_path)) as stub:
        assert [response.tails[0].ids[0] async for response in stub.TailSessions()] == [0, 1, 2]


async def test_a_stream_is_counted_by_its_outcome(short_path: Path) -> None:
    async def answer(requests: Any) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        request = await anext(requests)
        if not request.unfollow:
            await asyncio.Event().wait()
        if request.unfollow[0]:
            raise malformed("x", "no")
        yield received(1)

    counters = [metrics.CALLS.of("linked", "TailSessions", code) for code in ("OK", "INVALID_ARGUMENT", "CANCELLED")]
    before = [counter.count for counter in counters]
    async with tailing(answer, socket_in(short_path)) as stub:
        for number in range(2):
            stream = stub.TailSessions()
            await stream.write(Request(unfollow=[number]))
            with contextlib.suppress(Refused):
                await stream.read()
                assert await stream.read() is grpc.aio.EOF
        left = stub.TailSessions()
        await left.write(Request())
        left.cancel()
        await until(lambda: [counter.count - old for counter, old in zip(counters, before, strict=True)] == [1, 1, 1])


async def test_a_request_that_cannot_be_read_ends_the_stream(short_path: Path) -> None:
    async with tailing(echo, socket_in(short_path)), LinkChannel(socket_in(short_path), "other side") as channel:
        path = f"/{session_pb2.DESCRIPTOR.services_by_name['SessionService'].full_name}/TailSessions"
        method: Any = channel.stream_stream(path, request_serializer=bytes, response_deserializer=Response.FromString)
        stream = method()
        await stream.write(b"\xff")
        assert (await reason_of(stream.read())).reason == errors_pb2.REASON_MALFORMED


async def test_a_receiver_of_each_message_has_them_in_order_and_hears_of_the_end(short_path: Path) -> None:
    async def count(requests: Any) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        for number in range(1000):
            yield received(number)
            if number in (3, 500):
                await asyncio.sleep(0.01)  # messages come one by one, too
        raise malformed("x", "no more")

    async with tailing(count, socket_in(short_path)) as stub:
        stream, got = stub.TailSessions(), []
        await stream.read()
        refusal = await reason_of(stream.each(lambda response: got.append(response.tails[0].ids[0])))
        assert (refusal.reason, got) == (errors_pb2.REASON_MALFORMED, list(range(1, 1000)))


@pytest.mark.parametrize("early", [False, True])
async def test_a_receiver_that_fails_hears_of_it_and_other_calls_do_not(early: bool, short_path: Path) -> None:
    async def one(requests: Any) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        for number in range(3):
            yield received(number)
            if not early:
                await asyncio.sleep(0.01)  # messages come one by one, too
        await asyncio.Event().wait()

    def fail(response: session_pb2.TailSessionsResponse) -> None:
        got.append(response.tails[0].ids[0])
        raise ZeroDivisionError

    got: list[int] = []
    async with tailing(one, socket_in(short_path)) as stub:
        stream, other = stub.TailSessions(), stub.TailSessions()
        with pytest.raises(ZeroDivisionError):
            await stream.each(fail)
        stream.cancel()
        assert [(await other.read()).tails[0].ids[0] for _ in range(3)] == [0, 1, 2]
        assert got == [0]


async def test_a_cancelled_stream_ends_for_a_receiver_of_each_message(short_path: Path) -> None:
    async with tailing(echo, socket_in(short_path)) as stub:
        stream = stub.TailSessions()
        await stream.write(Request(unfollow=[1]))
        await stream.each(lambda _: stream.cancel())
        assert stream.cancelled()


async def test_a_reader_that_stops_stops_the_sender(short_path: Path) -> None:
    sent = 0

    async def flood(requests: Any) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        nonlocal sent
        for number in range(4000):
            sent += 1
            yield received(number, 10_000)

    async with tailing(flood, socket_in(short_path)) as stub:
        stream = stub.TailSessions()
        await stream.read()
        before = -1
        while sent != before:
            before = sent
            await asyncio.sleep(0.3)
        held = bounds.HTTP2.stream_window + bounds.HTTP2.inbox_bytes + bounds.HTTP2.stream_bytes
        assert sent * 10_000 < 2 * held, "it goes on sending to somebody who does not read"
        numbers = [response.tails[0].ids[0] async for response in stream]
        assert numbers == list(range(1, 4000))


async def test_a_server_that_does_not_read_stops_the_writer(short_path: Path) -> None:
    gate = asyncio.Event()
    got = 0

    async def deaf(requests: Any) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        nonlocal got
        await gate.wait()
        async for _ in requests:
            got += 1
            if got == 300:
                yield received(got)

    async with tailing(deaf, socket_in(short_path)) as stub:
        stream = stub.TailSessions()
        written = 0

        async def write() -> None:
            nonlocal written
            for _ in range(300):
                await stream.write(Request(follow=[session_pb2.Follow(caller=session_pb2.Caller(name="x" * 20_000))]))
                written += 1

        writing = asyncio.create_task(write())
        before = -1
        while written != before:
            before = written
            await asyncio.sleep(0.3)
        assert written < 300, "it goes on writing to somebody who does not read"
        gate.set()
        assert (await stream.read()).tails[0].ids == [300]
        await writing
        stream.cancel()


async def test_a_stream_that_is_left_is_cleaned_up_at_its_server(short_path: Path) -> None:
    ended = asyncio.Event()

    async def wait(requests: Any) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        try:
            yield received(1)
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with tailing(wait, socket_in(short_path)) as stub:
        stream = stub.TailSessions()
        await stream.read()
        assert stream.cancel()
        await asyncio.wait_for(ended.wait(), 20)
        assert [response async for response in stream] == []
        ended.clear()
        late = stub.TailSessions(timeout=0.2)
        await late.read()
        assert (await reason_of(late.read())).reason == errors_pb2.REASON_DEADLINE
        await asyncio.wait_for(ended.wait(), 20)


async def test_a_stream_for_which_there_is_no_server_is_refused(short_path: Path) -> None:
    async with LinkChannel(socket_in(short_path), "other side") as channel:
        stream: Any = session_pb2_grpc.SessionServiceStub(channel).TailSessions()
        with pytest.raises(Refused):
            await stream.write(Request())
        assert (await reason_of(stream.read())).reason == errors_pb2.REASON_UNAVAILABLE


async def test_a_stream_breaks_with_its_server(short_path: Path) -> None:
    async with LinkChannel(socket_in(short_path), "other side") as channel:
        stub: Any = session_pb2_grpc.SessionServiceStub(channel)
        async with served(Tails(echo), socket_in(short_path)):  # type: ignore[abstract]
            stream = stub.TailSessions()
            await stream.write(Request(unfollow=[1]))
            await stream.read()
        assert (await reason_of(stream.read())).reason == errors_pb2.REASON_UNAVAILABLE


async def test_grpcio_is_served_and_stopped_by_flow_control_as_we_are() -> None:
    sent = 0

    async def flood(requests: AsyncIterator[Any]) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        nonlocal sent
        request = await anext(requests)
        for number in range(request.unfollow[0]):
            sent += 1
            yield received(number, 5_000)
        raise malformed("x", "that is all")

    async with served(Tails(flood)) as (_, where), grpc.aio.insecure_channel(where) as channel:  # type: ignore[abstract]
        stub: Any = session_pb2_grpc.SessionServiceStub(channel)
        stream = stub.TailSessions()
        await stream.write(Request(unfollow=[4000]))
        await until(lambda: sent)
        before = -1
        while sent != before:
            before = sent
            await asyncio.sleep(0.3)
        assert sent < 4000
        got = []
        with pytest.raises(grpc.aio.AioRpcError) as caught:  # noqa: PT012 - it ends with the refusal
            async for response in stream:
                got.append(response.tails[0].ids[0])  # noqa: PERF401
        assert got == list(range(4000))
        assert of_rpc_error(caught.value, "x").refusal.field == "x"
        assert caught.value.details() == "that is all"
