"""Servers behind a name come and go, as pods behind a headless service: callers find those that came later."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import grpc
import pytest

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc
from services.runtime import server
from services.runtime.channel import open_channel
from services.runtime.settings import Settings
from tests.chaos.names import Names
from tests.ports import free_port

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="servers have addresses of their own on the loopback device")

HERE = 201 + os.getpid() % 50


class Counting(rules_pb2_grpc.RulesServiceServicer):
    """A whole service that counts its calls."""

    name = "counting"
    full_names: Sequence[str] = ("brettwerk.internal.v1.RulesService",)

    def __init__(self) -> None:
        self.calls = 0

    async def FindGames(self, request: rules_pb2.FindGamesRequest, context: Any) -> rules_pb2.FindGamesResponse:
        self.calls += 1
        return rules_pb2.FindGamesResponse()

    async def start(self, server: grpc.aio.Server) -> None:
        rules_pb2_grpc.add_RulesServiceServicer_to_server(self, server)

    async def is_ready(self) -> bool:
        return True

    async def drain(self) -> None:
        """There is nothing that would have to end."""

    async def stop(self) -> None:
        """There is nothing to let go of."""


@contextlib.asynccontextmanager
async def serving(number: int, port: int) -> AsyncIterator[tuple[Counting, asyncio.Event]]:
    """Yield a service at an address of its own and what ends it."""
    service, stopping = Counting(), asyncio.Event()  # type: ignore[abstract]
    running = asyncio.create_task(
        server.serve(service, f"127.{HERE}.0.{number}:{port}", Settings(drain_s=0, grace_s=1), stopping)
    )
    try:
        yield service, stopping
    finally:
        stopping.set()
        await running


async def until(condition: Callable[[], bool], stub: Any) -> None:
    """Call until the condition holds. What a server cancels as it leaves is asked again, as callers do (refusal.py)."""
    async with asyncio.timeout(60):
        while not condition():
            try:
                await stub.FindGames(rules_pb2.FindGamesRequest(), timeout=20, wait_for_ready=True)
            except grpc.aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.CANCELLED:
                    raise
            await asyncio.sleep(0.05)


async def test_a_server_that_came_later_gets_its_share_though_nobody_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_TURN_S", 1)
    port = free_port()
    with Names() as names:
        names.addresses["rules"] = (f"127.{HERE}.0.1",)
        async with serving(1, port) as (first, _), open_channel(names.target("rules", port)) as channel:
            stub = rules_pb2_grpc.RulesServiceStub(channel)
            await until(lambda: first.calls > 0, stub)
            async with serving(2, port) as (second, _):
                names.addresses["rules"] += (f"127.{HERE}.0.2",)
                await until(lambda: second.calls > 0, stub)


async def test_calls_go_on_though_all_servers_that_a_caller_knew_are_replaced_soon_after_each_other() -> None:
    port = free_port()
    with Names() as names:
        async with contextlib.AsyncExitStack() as stack:
            first, ends_first = await stack.enter_async_context(serving(1, port))
            second, ends_second = await stack.enter_async_context(serving(2, port))
            names.addresses["rules"] = (f"127.{HERE}.0.1", f"127.{HERE}.0.2")
            channel = await stack.enter_async_context(open_channel(names.target("rules", port)))
            stub = rules_pb2_grpc.RulesServiceStub(channel)
            await until(lambda: first.calls > 0 and second.calls > 0, stub)
            third, _ = await stack.enter_async_context(serving(3, port))
            names.addresses["rules"] = (f"127.{HERE}.0.3",)
            ends_first.set()
            ends_second.set()
            await until(lambda: third.calls > 0, stub)
