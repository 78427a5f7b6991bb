"""The gRPC server of a process: encryption, its callers, and what it refuses by itself."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from brettwerk.v1 import errors_pb2
from grpc_http2 import Context, Visitors
from services.runtime.endpoint import BOUNDS, CallInterceptor, GrpcServer
from services.runtime.inner_calls import HEADER, Callers, InnerKeys
from services.runtime.refusal import Refused, of_rpc_error
from tests.certificates import Authority
from tests.gateway.relay import Relay
from tests.services.runtime.link.test_callers import own_of

SERVING = health_pb2.HealthCheckResponse.SERVING


@contextlib.asynccontextmanager
async def served(visitors: Visitors, context: ssl.SSLContext | None = None) -> AsyncIterator[tuple[GrpcServer, int]]:
    """Yield a server that tells its health, and its port."""
    server = GrpcServer(visitors, calls=100)
    health_pb2_grpc.add_HealthServicer_to_server(health.aio.HealthServicer(), cast(grpc.aio.Server, server))
    port = server.bind("127.0.0.1:0", context)
    server.start()
    try:
        yield server, port
    finally:
        await server.stop(0)


async def is_well(channel: grpc.aio.Channel) -> bool:
    answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=20)
    return bool(answer.status == SERVING)


async def test_unfinished_handshakes_are_counted_and_cut_off_and_keep_no_caller_out(
    tmp_path: Path,
) -> None:
    authority, visitors = Authority(tmp_path), Visitors(100, per_address=10, bounds=replace(BOUNDS, handshake_s=1.0))
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


async def test_a_client_without_http_2_is_cut_off(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with served(Visitors(100), own_of(authority, "server").endpoint_context()) as (_, port):
        context = ssl.create_default_context(cafile=str(authority.file))
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
        assert await reader.read(1) == b""
        writer.close()


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


class Waiting(grpc.GenericRpcHandler):
    """Answers no call."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        return grpc.unary_unary_rpc_method_handler(self.wait)

    async def wait(self, _request: bytes, _context: Context) -> bytes:
        self.begun.set()
        await asyncio.Event().wait()
        raise AssertionError


async def test_refusals_by_the_server_itself_have_a_reason_of_the_catalogue() -> None:
    waiting = Waiting()
    server = GrpcServer(Visitors(100), CallInterceptor("waiting"), calls=1)
    server.add_generic_rpc_handlers([waiting])
    port = server.bind("127.0.0.1:0")
    server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        method: Any = channel.unary_unary("/s/Any")
        open_call = method(b"", timeout=20)
        await waiting.begun.wait()
        with pytest.raises(grpc.aio.AioRpcError) as full:
            await method(b"", timeout=20)
        await server.stop(0)
        with pytest.raises(grpc.aio.AioRpcError) as stopped:
            await open_call
        refused = [of_rpc_error(caught.value, "service").refusal for caught in (full, stopped)]
    assert [each.reason for each in refused] == [errors_pb2.REASON_FULL, errors_pb2.REASON_UNAVAILABLE]
    assert [each.retry_after_ms for each in refused] == [1000, 1000]


class Reading(grpc.GenericRpcHandler):
    """Reads messages of the contract, of a stream or one."""

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        read = health_pb2.HealthCheckRequest.FromString
        if details.method == "/s/Stream":
            return grpc.stream_stream_rpc_method_handler(self.read, read)
        return grpc.unary_unary_rpc_method_handler(self.take, read)

    async def read(self, requests: AsyncIterator[Any], _context: Context) -> AsyncIterator[bytes]:
        async for request in requests:
            yield request.SerializeToString()

    async def take(self, request: Any, _context: Context) -> bytes:
        raise AssertionError


@pytest.mark.parametrize("path", ["/s/Stream", "/s/One"])
async def test_a_message_that_cannot_be_read_is_malformed(path: str) -> None:
    server = GrpcServer(Visitors(100), CallInterceptor("reading"), calls=10)
    server.add_generic_rpc_handlers([Reading()])
    port = server.bind("127.0.0.1:0")
    server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        method: Any = channel.stream_stream(path)
        call = method(iter([b"\xff\xff"]), timeout=20)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            assert await call.read()
    assert of_rpc_error(caught.value, "service").refusal.reason == errors_pb2.REASON_MALFORMED
    await server.stop(0)
