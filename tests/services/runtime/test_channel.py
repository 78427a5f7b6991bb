import contextlib
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime.channel import MESSAGE_BYTES, open_channel
from services.runtime.endpoint import CallInterceptor
from services.runtime.inner_calls import by_all_names
from services.runtime.refusal import Refused, of_rpc_error


class Shaky(rules_pb2_grpc.RulesServiceServicer):
    """Refuses the first calls, then answers."""

    def __init__(self, reason: errors_pb2.Reason.ValueType, refusals: int) -> None:
        self.reason = reason
        self.refusals = refusals
        self.calls = 0

    async def FindGames(self, request: rules_pb2.FindGamesRequest, context: Any) -> rules_pb2.FindGamesResponse:
        self.calls += 1
        if self.calls <= self.refusals:
            raise Refused(self.reason, "not now")
        return rules_pb2.FindGamesResponse()

    async def FindGame(self, request: rules_pb2.FindGameRequest, context: Any) -> rules_pb2.FindGameResponse:
        return rules_pb2.FindGameResponse(rules_page="x" * (5 * 1024 * 1024))


@contextlib.asynccontextmanager
async def shaky(reason: errors_pb2.Reason.ValueType, refusals: int) -> AsyncIterator[tuple[Shaky, Any]]:
    server = grpc.aio.server(interceptors=[CallInterceptor("shaky")])
    servicer = Shaky(reason, refusals)  # type: ignore[abstract]
    rules_pb2_grpc.add_RulesServiceServicer_to_server(servicer, by_all_names(server))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with open_channel(f"127.0.0.1:{port}") as channel:
        yield servicer, rules_pb2_grpc.RulesServiceStub(channel)
    await server.stop(None)


async def test_a_call_is_tried_again_while_the_other_side_is_unavailable() -> None:
    async with shaky(errors_pb2.REASON_UNAVAILABLE, 2) as (servicer, stub):
        await stub.FindGames(rules_pb2.FindGamesRequest(), timeout=20)
        assert servicer.calls == 3


@pytest.mark.parametrize("reason", [errors_pb2.REASON_INTERNAL, errors_pb2.REASON_STALE_VERSION, errors_pb2.REASON_FULL])
async def test_no_other_failure_is_tried_again(reason: errors_pb2.Reason.ValueType) -> None:
    async with shaky(reason, 1) as (servicer, stub):
        with pytest.raises(grpc.RpcError) as caught:
            await stub.FindGames(rules_pb2.FindGamesRequest(), timeout=20)
        assert of_rpc_error(caught.value, "x").reason == reason
        assert servicer.calls == 1


async def test_messages_may_be_large_and_are_bounded_all_the_same() -> None:
    async with shaky(errors_pb2.REASON_FULL, 0) as (_, stub):
        response = await stub.FindGame(rules_pb2.FindGameRequest(), timeout=20)
        assert 4 * 1024 * 1024 < response.ByteSize() < MESSAGE_BYTES
        huge = rules_pb2.VerifyRecordRequest()
        huge.record.sealed = bytes(MESSAGE_BYTES + 1)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.VerifyRecord(huge, timeout=20)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
