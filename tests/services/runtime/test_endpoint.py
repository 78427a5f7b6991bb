"""A server of gRPC on its own: encryption, what it offers, what it refuses, and its end."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from brettwerk.v1 import errors_pb2
from services.runtime.endpoint import Context, GrpcServer
from services.runtime.inner_calls import HEADER, Callers, InnerKeys
from services.runtime.interceptor import CallInterceptor
from services.runtime.link import bounds
from grpc_http2.visitors import Visitors
from services.runtime.refusal import Refused
from tests.certificates import Authority
from tests.gateway.relay import Relay
from tests.services.runtime.link.test_callers import own_of

SERVING = health_pb2.HealthCheckResponse.SERVING


@contextlib.asynccontextmanager
async def served(visitors: Visitors, context: ssl.SSLContext | None = None, *more: Any) -> AsyncIterator[tuple[GrpcServer, int]]:
    """Yield a server that tells its health, and its port."""
    server = GrpcServer(visitors, calls=100)
    health_pb2_grpc.add_HealthServicer_to_server(health.aio.HealthServicer(), cast(grpc.aio.Server, server))
    server.add_generic_rpc_handlers(more)
    port = server.bind("127.0.0.1:0", context)
    server.start()
    try:
        yield server, port
    finally:
        await server.stop(0)


async def ask(channel: grpc.aio.Channel, path: str, **terms: Any) -> bytes:
    method: Any = channel.unary_unary(path)
    answer: bytes = await method(b"", timeout=20, **terms)
    return answer


async def is_well(channel: grpc.aio.Channel) -> bool:
    answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=20)
    return bool(answer.status == SERVING)


async def test_handshakes_that_nobody_ends_are_counted_and_cut_off_and_keep_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "HANDSHAKE_S", 1.0)
    authority, visitors = Authority(tmp_path), Visitors(100, per_address=10)
    async with served(visitors, own_of(authority, "server").endpoint_context()) as (_, port):
        silent = [await asyncio.open_connection("127.0.0.1", port, local_addr=("127.9.0.1", 0)) for _ in range(40)]
        credentials = grpc.ssl_channel_credentials(authority.file.read_bytes())
        async with grpc.aio.secure_channel(f"127.0.0.1:{port}", credentials) as channel:
            assert await is_well(channel)
            assert len(visitors) <= 11
            async with asyncio.timeout(20):
                for reader, writer in silent:
                    with contextlib.suppress(ConnectionError):
                        assert await reader.read(1) == b"", "it is cut off"
                    writer.close()
            assert await is_well(channel)


async def test_who_does_not_want_HTTP_2_is_cut_off(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with served(Visitors(100), own_of(authority, "server").endpoint_context()) as (_, port):
        context = ssl.create_default_context(cafile=str(authority.file))
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
        assert await reader.read(1) == b""
        writer.close()


class Waiting(grpc.GenericRpcHandler):
    """Offers /s/Wait, which never answers, /s/Fail, and /s/Tell, which says what came with the call."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.over: list[bool] = []

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        methods = {"/s/Wait": self.wait, "/s/Fail": self.fail, "/s/Tell": self.tell}
        method: Any = methods.get(details.method)
        return None if method is None else grpc.unary_unary_rpc_method_handler(method)

    async def wait(self, _request: bytes, context: Context) -> bytes:
        context.add_done_callback(lambda _: self.over.append(context.done()))
        self.begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def fail(self, _request: bytes, _context: Context) -> bytes:
        raise ValueError("a secret")

    async def tell(self, _request: bytes, context: Context) -> bytes:
        left = context.time_remaining()  # what is asked for as 20 s is written in tenths of a second, rounded up
        received = [(name, value) for name, value in context.invocation_metadata() if name in ("x-a", "x-a-bin")]
        return repr((context.peer().partition(":")[0], received, left is not None and 0 < left < 21)).encode()


async def test_a_handler_learns_what_came_with_the_call() -> None:
    async with served(Visitors(100), None, Waiting()) as (_, port), grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        metadata = (("x-a-bin", b"\xff\0"), ("x-a", "1"), ("x-a", "2"))
        received = await ask(channel, "/s/Tell", metadata=metadata)
        assert received == repr(("ipv4", list(metadata), True)).encode()


@pytest.mark.parametrize("how", ["deadline", "cancelled", "gone", "stopped"])
async def test_a_call_that_is_given_up_is_over(how: str) -> None:
    waiting = Waiting()
    async with served(Visitors(100), None, waiting) as (server, port):
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
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
            async with asyncio.timeout(20):
                while not waiting.over:  # noqa: ASYNC110 - what is waited for has no event
                    await asyncio.sleep(0.01)
        assert waiting.over == [True]


@pytest.mark.parametrize(("path", "code"), [("/s/Fail", grpc.StatusCode.INTERNAL), ("/s/Nothing", grpc.StatusCode.UNIMPLEMENTED)])
async def test_faults_and_unknown_methods_are_told_without_details(path: str, code: grpc.StatusCode) -> None:
    async with served(Visitors(100), None, Waiting()) as (_, port), grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(channel, path)
        assert caught.value.code() is code
        assert "secret" not in (caught.value.details() or "")


class Full(grpc.GenericRpcHandler):
    """Refuses every call: there is no room."""

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        return grpc.unary_unary_rpc_method_handler(self.refuse)

    async def refuse(self, _request: bytes, _context: Context) -> bytes:
        raise Refused(errors_pb2.REASON_FULL, "there is no room")


@pytest.mark.parametrize("is_known", [True, False], ids=["a service", "a stranger"])
async def test_only_services_may_be_refused_as_often_as_they_like(is_known: bool) -> None:
    keys = InnerKeys(["a key that is used in tests and nowhere else"])
    server = GrpcServer(Visitors(100), CallInterceptor("full", Callers(keys, are_required=False)), calls=100)
    server.add_generic_rpc_handlers([Full()])
    port = server.bind("127.0.0.1:0")
    server.start()
    metadata = ((HEADER, keys.token("caller", "s")),) if is_known else ()
    async with Relay(f"127.0.0.1:{port}").open() as relay, grpc.aio.insecure_channel(relay.address) as channel:
        codes = {await coded(channel, metadata) for _ in range(600)}
        # A call that a stranger makes while its connection is ended may not be answered.
        assert codes - (set() if is_known else {grpc.StatusCode.UNAVAILABLE}) == {grpc.StatusCode.RESOURCE_EXHAUSTED}
        assert (relay.connections == 1) is is_known
    await server.stop(0)


async def coded(channel: grpc.aio.Channel, metadata: Any) -> grpc.StatusCode:
    method: Any = channel.unary_unary("/s/Any")
    code: grpc.StatusCode = await method(b"", timeout=20, metadata=metadata).code()
    return code


async def test_the_last_word_to_an_open_call_at_the_end_is_that_it_may_be_tried_again() -> None:
    async with (
        served(Visitors(100), None, Waiting()) as (server, port),
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        assert await ask(channel, "/s/Tell")
        await server.stop(None)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ask(channel, "/s/Tell")
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
