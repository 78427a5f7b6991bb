"""The interceptor around a real server: RulesService with answers of the test's own."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.rpc import status_pb2
from prometheus_client import REGISTRY

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc, session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime import trace
from services.runtime.channel import open_channel
from services.runtime.endpoint import CallInterceptor
from services.runtime.inner_calls import by_all_names
from services.runtime.limits import LARGE_BYTES
from services.runtime.refusal import Refused, of_rpc_error

KNOWN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Servicer(rules_pb2_grpc.RulesServiceServicer, session_pb2_grpc.SessionServiceServicer):
    """FindGames does what `page_token` says; TailSessions fails after as many answers as the first request has numbers."""

    def __init__(self) -> None:
        self.held = asyncio.Event()
        self.calls = 0
        self.stream_ended = asyncio.Event()

    async def FindGames(self, request: rules_pb2.FindGamesRequest, context: Any) -> rules_pb2.FindGamesResponse:
        match request.page_token:
            case "fail":
                raise RuntimeError("the secret is 42")
            case "refuse":
                raise Refused(errors_pb2.REASON_ILLEGAL, "no", rule="X-1", details={"a": "b"})
            case "refuse at length":
                raise Refused(
                    errors_pb2.REASON_MALFORMED,
                    "€" * 2000,
                    rule="€" * 100,
                    field="€" * 500,
                    details={f"{n}" + "€" * 100: "€" * 500 for n in range(20)},
                )
            case "refuse for long" | "refuse for a moment":
                self.calls += 1
                wait_ms = 30_000 if request.page_token == "refuse for long" else 1000
                raise Refused(errors_pb2.REASON_UNAVAILABLE, "not now", retry_after_ms=wait_ms)
            case "hang":
                self.held.set()
                await asyncio.Event().wait()
            case "trace":
                return rules_pb2.FindGamesResponse(next_page_token=trace.trace_id())
        return rules_pb2.FindGamesResponse()

    async def VerifyRecord(self, request: rules_pb2.VerifyRecordRequest, context: Any) -> rules_pb2.VerifyRecordResponse:
        return rules_pb2.VerifyRecordResponse(verification=record_pb2.Verification(good=True))

    async def TailSessions(self, request_iterator: Any, context: Any) -> AsyncIterator[session_pb2.TailSessionsResponse]:
        try:
            first = await anext(request_iterator)
            for _ in first.unfollow:
                yield session_pb2.TailSessionsResponse()
            if first.unfollow:
                raise RuntimeError("the secret is 42")
            while True:
                yield session_pb2.TailSessionsResponse()
                await asyncio.sleep(0.01)  # the pace of the stream
        finally:
            self.stream_ended.set()


@contextlib.asynccontextmanager
async def running() -> AsyncIterator[tuple[Any, Servicer, grpc.aio.Channel]]:
    server = grpc.aio.server(interceptors=[CallInterceptor("intercepted")])
    servicer = Servicer()  # type: ignore[abstract]
    rules_pb2_grpc.add_RulesServiceServicer_to_server(servicer, by_all_names(server))
    session_pb2_grpc.add_SessionServiceServicer_to_server(servicer, by_all_names(server))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with open_channel(f"127.0.0.1:{port}") as channel:
        yield rules_pb2_grpc.RulesServiceStub(channel), servicer, channel
    await server.stop(None)


async def error_of(call: Any) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value


def ask(text: str) -> rules_pb2.FindGamesRequest:
    return rules_pb2.FindGamesRequest(page_token=text)


def counted(code: str, method: str = "FindGames") -> float:
    labels = {"service": "intercepted", "method": method, "code": code}
    return REGISTRY.get_sample_value("brettwerk_calls_total", labels) or 0.0


async def test_a_fault_tells_nothing_but_its_trace(capsys: pytest.CaptureFixture[str]) -> None:
    async with running() as (stub, _, _):
        error = await error_of(stub.FindGames(ask("fail"), timeout=10))
        assert error.code() is grpc.StatusCode.INTERNAL
        refusal = of_rpc_error(error, "rules").refusal
        assert refusal.reason == errors_pb2.REASON_INTERNAL
        assert "secret" not in f"{error}{refusal}{error.trailing_metadata()!r}"
        logged = capsys.readouterr().out
        assert "the secret is 42" in logged, "the logs know"
        assert refusal.trace_id


async def test_a_refusal_travels_as_status_and_details() -> None:
    async with running() as (stub, _, _):
        error = await error_of(stub.FindGames(ask("refuse"), timeout=10))
        assert (error.code(), error.details()) == (grpc.StatusCode.FAILED_PRECONDITION, "no")
        refusal = of_rpc_error(error, "rules").refusal
        assert (refusal.rule, dict(refusal.details)) == ("X-1", {"a": "b"})
        trailer = dict(error.trailing_metadata() or ())["grpc-status-details-bin"]
        assert status_pb2.Status.FromString(trailer).code == grpc.StatusCode.FAILED_PRECONDITION.value[0]


@pytest.mark.parametrize(("asked", "calls"), [("refuse for a moment", 4), ("refuse for long", 1)])
async def test_channels_send_again_what_may_succeed_soon_and_nothing_else(asked: str, calls: int) -> None:
    async with running() as (stub, servicer, _):
        error = await error_of(stub.FindGames(ask(asked), timeout=30))
        assert error.code() is grpc.StatusCode.UNAVAILABLE
        assert servicer.calls == calls


async def test_the_longest_refusal_reaches_a_client_with_the_usual_bounds() -> None:
    """A client refuses metadata of more than 8 KB: then nobody would learn why."""
    async with running() as (stub, _, _):
        error = await error_of(stub.FindGames(ask("refuse at length"), timeout=10))
        assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert of_rpc_error(error, "rules").refusal.field.startswith("€")
        assert len((error.details() or "").encode()) <= 300, "beside the details, it travels percent-encoded"


async def test_a_request_out_of_bounds_does_not_reach_the_handler() -> None:
    async with running() as (stub, _, _):
        error = await error_of(stub.FindGames(rules_pb2.FindGamesRequest(page_size=101, page_token="fail"), timeout=10))
        assert of_rpc_error(error, "rules").refusal.field == "page_size"


async def test_large_requests_are_checked_like_small_ones() -> None:
    large = rules_pb2.VerifyRecordRequest()
    large.record.sealed = bytes(LARGE_BYTES)
    async with running() as (stub, _, _):
        assert (await stub.VerifyRecord(large, timeout=10)).verification.good
        large.record.session_id = "x" * 41
        error = await error_of(stub.VerifyRecord(large, timeout=10))
        assert of_rpc_error(error, "rules").refusal.field == "record.session_id"


async def test_a_method_that_there_is_not_says_so() -> None:
    before = counted("UNIMPLEMENTED", "unknown")
    async with running() as (_, _, channel):
        for path in ("/brettwerk.internal.v1.RulesService/Cheat", "/nonsense"):
            call = channel.unary_unary(path, request_serializer=bytes, response_deserializer=bytes)
            error = await error_of(call(b"", timeout=10))
            assert error.code() is grpc.StatusCode.UNIMPLEMENTED
            assert of_rpc_error(error, "rules").reason == errors_pb2.REASON_NO_SUCH_METHOD
        while counted("UNIMPLEMENTED", "unknown") < before + 2:  # noqa: ASYNC110 - it counts after it has answered
            await asyncio.sleep(0.01)


async def test_the_trace_of_the_caller_goes_on() -> None:
    async with running() as (stub, _, _):
        response = await stub.FindGames(ask("trace"), timeout=10, metadata=((trace.HEADER, KNOWN),))
        assert response.next_page_token == "0af7651916cd43dd8448eb211c80319c"
        error = await error_of(stub.FindGames(ask("refuse"), timeout=10, metadata=((trace.HEADER, KNOWN),)))
        assert of_rpc_error(error, "rules").refusal.trace_id == "0af7651916cd43dd8448eb211c80319c"
        others = [(await stub.FindGames(ask("trace"), timeout=10)).next_page_token for _ in range(3)]
        assert len(set(others)) == 3


async def test_calls_are_counted_by_what_became_of_them() -> None:
    async with running() as (stub, servicer, _):
        before = {code: counted(code) for code in ("OK", "INTERNAL", "FAILED_PRECONDITION", "CANCELLED")}
        await stub.FindGames(ask(""), timeout=10)
        await error_of(stub.FindGames(ask("fail"), timeout=10))
        await error_of(stub.FindGames(ask("refuse"), timeout=10))
        hanging = asyncio.create_task(_hang(stub))
        await servicer.held.wait()
        hanging.cancel()
        await asyncio.gather(hanging, return_exceptions=True)
        while counted("CANCELLED") == before["CANCELLED"]:  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(0.005)
        assert {code: counted(code) - count for code, count in before.items()} == dict.fromkeys(before, 1.0)


async def _hang(stub: Any) -> None:
    await stub.FindGames(ask("hang"), timeout=60)


async def test_a_stream_that_fails_has_sent_what_it_had_and_then_explains_itself() -> None:
    async with running() as (_, servicer, channel):
        stream = session_pb2_grpc.SessionServiceStub(channel).TailSessions()
        await stream.write(session_pb2.TailSessionsRequest(unfollow=[1, 2, 3]))
        got = 0
        with pytest.raises(grpc.aio.AioRpcError) as caught:  # noqa: PT012 - it fails in the middle
            async for _ in stream:
                got += 1
        assert got == 3
        assert of_rpc_error(caught.value, "rules").reason == errors_pb2.REASON_INTERNAL
        assert "secret" not in str(caught.value)
        assert servicer.stream_ended.is_set()


async def test_a_stream_whose_client_goes_is_cleaned_up_at_once() -> None:
    async with running() as (_, servicer, channel):
        before = counted("CANCELLED", "TailSessions")
        stream = session_pb2_grpc.SessionServiceStub(channel).TailSessions()
        await stream.write(session_pb2.TailSessionsRequest())
        await stream.read()
        stream.cancel()
        await asyncio.wait_for(servicer.stream_ended.wait(), 20)
        while counted("CANCELLED", "TailSessions") == before:  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(0.005)
