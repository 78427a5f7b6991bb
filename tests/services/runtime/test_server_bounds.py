import asyncio
from typing import Any

import grpc
import pytest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from services.rules.service import RulesProcess
from services.runtime import server
from services.runtime.channel import open_channel
from services.runtime.settings import Settings
from tests.ports import free_port


async def test_a_process_serves_a_bounded_number_of_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "OPEN_RPCS", 2)
    address, stopping = f"127.0.0.1:{free_port()}", asyncio.Event()
    serving = asyncio.create_task(server.serve(RulesProcess(), address, Settings(drain_s=0, grace_s=0), stopping))
    async with open_channel(address) as channel:
        stub: Any = rules_pb2_grpc.RulesServiceStub(channel)
        reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
        held = [reflection.ServerReflectionInfo(wait_for_ready=True) for _ in range(2)]
        for stream in held:
            await stream.write(reflection_pb2.ServerReflectionRequest(list_services=""))
            assert (await stream.read()).list_services_response.service
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.FindGames(rules_pb2.FindGamesRequest(), timeout=20)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        for stream in held:
            stream.cancel()
    stopping.set()
    await serving
