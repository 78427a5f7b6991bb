"""Features of gRPC alone: metadata, deadlines, health, reflection."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib import resources
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

import brettwerk
from brettwerk.v1 import errors_pb2, play_pb2, play_pb2_grpc
from gateway.endpoints.contract_files import DESCRIPTORS
from gateway.messages.contract import SERVICE
from services.runtime.refusal import of_rpc_error
from tests.gateway.conftest import OpenGateway
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway

Channel = grpc.aio.Channel
INNER = Path(__file__).parents[3] / "protos" / "brettwerk" / "internal" / "v1"


@pytest_asyncio.fixture(loop_scope="session")
async def channel(running: RunningGateway) -> Any:
    async with grpc.aio.insecure_channel(running.grpc_address) as one:
        yield one


async def refusal_of(call: Any) -> errors_pb2.Refusal:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    refusal = of_rpc_error(error.value, "gateway").refusal
    assert error.value.code().value[0] == refusal.code
    return refusal


async def test_health_follows_the_session_service(running: RunningGateway, peer: Peer, channel: Channel) -> None:
    health: Any = health_pb2_grpc.HealthStub(channel)

    async def status(service: str) -> int:
        found: int = (await health.Check(health_pb2.HealthCheckRequest(service=service))).status
        return found

    serving, not_serving = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
    updates = health.Watch(health_pb2.HealthCheckRequest(service=SERVICE))
    while (await updates.read()).status != serving:
        pass
    await peer.stop()
    while (await updates.read()).status != not_serving:
        pass
    assert await status("live") == serving
    await peer.start()
    while (await updates.read()).status != serving:
        pass
    updates.cancel()


VERSIONS = pytest.mark.parametrize("version", ["v1", "v1alpha"])
Ask = Callable[..., Awaitable[reflection_pb2.ServerReflectionResponse]]


@pytest_asyncio.fixture(loop_scope="session")
async def ask(channel: Channel, version: str) -> AsyncIterator[Ask]:
    """Asks the reflection of a version."""
    kind: Any = channel.stream_stream
    stream = kind(
        f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )()

    async def asked(**request: str) -> reflection_pb2.ServerReflectionResponse:
        await stream.write(reflection_pb2.ServerReflectionRequest(**request))
        response: reflection_pb2.ServerReflectionResponse = await stream.read()
        return response

    yield asked
    stream.cancel()


@VERSIONS
async def test_reflection_describes_all_services_that_it_lists(ask: Ask) -> None:
    names = {service.name for service in (await ask(list_services="")).list_services_response.service}
    assert SERVICE in names
    for name in names:
        assert (await ask(file_containing_symbol=name)).file_descriptor_response.file_descriptor_proto, name


@VERSIONS
async def test_reflection_describes_what_is_published_and_nothing_that_services_tell_each_other(ask: Ask) -> None:
    published = descriptor_pb2.FileDescriptorSet.FromString((resources.files(brettwerk) / "published" / DESCRIPTORS).read_bytes())
    for file in published.file:
        found = (await ask(file_by_filename=file.name)).file_descriptor_response.file_descriptor_proto
        assert file.name in {descriptor_pb2.FileDescriptorProto.FromString(data).name for data in found}
        for message in file.message_type:
            found = (await ask(file_containing_symbol=f"{file.package}.{message.name}")).file_descriptor_response
            assert found.file_descriptor_proto, message.name
    internal = sorted(INNER.glob("*.proto"))
    assert "session.proto" in {path.name for path in internal}
    for path in internal:
        assert (await ask(file_by_filename=f"brettwerk/internal/v1/{path.name}")).error_response.error_code == 5, path
        for name in re.findall(r"^(?:message|enum|service) (\w+)", path.read_text(), re.MULTILINE):
            assert (await ask(file_containing_symbol=f"brettwerk.internal.v1.{name}")).error_response.error_code == 5, name


@pytest.mark.parametrize("method", ["Act", "Watch"])
async def test_bytes_that_are_no_request_are_malformed(channel: Channel, method: str) -> None:
    kind: Any = channel.unary_unary if method == "Act" else channel.unary_stream
    call = kind(f"/{SERVICE}/{method}")(b"\xff\xff\xff")
    refusal = await refusal_of(call if method == "Act" else call.read())
    assert (refusal.reason, refusal.message) == (errors_pb2.REASON_MALFORMED, f"the message is not a {method}Request")


@pytest.mark.parametrize("authorization", ["Bearer x", "Basic eDp5"])
@pytest.mark.parametrize("method", ["ListGames", "Watch", "Connect"])
async def test_a_token_that_is_not_good_is_refused(channel: Channel, method: str, authorization: str) -> None:
    stub: Any = play_pb2_grpc.PlayServiceStub(channel)
    metadata = (("authorization", authorization),)
    if method == "ListGames":
        call = stub.ListGames(play_pb2.ListGamesRequest(), metadata=metadata)
    elif method == "Watch":
        call = stub.Watch(play_pb2.WatchRequest(session_id="x"), metadata=metadata).read()
    else:
        call = stub.Connect(metadata=metadata).read()
    assert (await refusal_of(call)).reason == errors_pb2.REASON_NO_TOKEN


async def test_a_token_in_the_metadata_is_good_for_the_whole_stream(peer: Peer, channel: Channel, token: str) -> None:
    stub: Any = play_pb2_grpc.PlayServiceStub(channel)
    stream = stub.Connect(metadata=(("authorization", f"Bearer {token}"),))
    await stream.write(play_pb2.ConnectRequest(id=1, call=play_pb2.Call(list_games=play_pb2.ListGamesRequest())))
    await stream.read()
    assert peer.calls[0].caller.name == "Ada"


async def test_the_callers_deadline_is_the_deadline(peer: Peer, channel: Channel) -> None:
    stub: Any = play_pb2_grpc.PlayServiceStub(channel)
    peer.hold.clear()
    refusal = await refusal_of(stub.ListGames(play_pb2.ListGamesRequest(), timeout=0.3))
    assert refusal.reason == errors_pb2.REASON_DEADLINE
    peer.hold.set()


async def test_a_stream_ends_when_nothing_more_is_asked_and_all_is_answered(peer: Peer, channel: Channel) -> None:
    stub: Any = play_pb2_grpc.PlayServiceStub(channel)
    peer.hold.clear()
    stream = stub.Connect()
    for number in (1, 2):
        await stream.write(play_pb2.ConnectRequest(id=number, call=play_pb2.Call(list_games=play_pb2.ListGamesRequest())))
    await stream.done_writing()
    await peer.until(lambda: len(peer.calls) == 2)
    peer.hold.set()
    assert {(await stream.read()).id, (await stream.read()).id} == {1, 2}
    assert await stream.read() is grpc.aio.EOF
    assert await stream.code() is grpc.StatusCode.OK


async def test_rates_count_clients_behind_a_trusted_proxy_each_alone(open_gateway: OpenGateway) -> None:
    running = await open_gateway(address_rate_per_s=0.5, address_rate_burst=1, trusted_proxies="127.0.0.0/8")
    async with grpc.aio.insecure_channel(running.grpc_address) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)

        async def ask(address: str) -> None:
            await stub.ListGames(play_pb2.ListGamesRequest(), metadata=(("x-forwarded-for", address),))

        await ask("192.0.2.1")
        await ask("192.0.2.2")
        assert (await refusal_of(ask("192.0.2.1"))).reason == errors_pb2.REASON_TOO_MANY_REQUESTS
