"""Both ends of a link with methods of the test's own. A call is FindGames, whose `page_token` is what is said."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from brettwerk.internal.v1 import rules_pb2, rules_pb2_grpc, session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime.identity import Identity
from services.runtime.inner_calls import Callers, InnerKeys
from services.runtime.link import LinkChannel, LinkServer, Methods, at_once
from services.runtime.refusal import Refused

Request = rules_pb2.FindGamesRequest
Response = rules_pb2.FindGamesResponse
Handle = Callable[[Request], Response | Awaitable[Response]]


def say(text: str) -> Request:
    return Request(page_token=text)


def said(text: str) -> Response:
    return Response(next_page_token=text)


def echo(request: Request) -> Response:
    return said(request.page_token)


async def slow_echo(request: Request) -> Response:
    await asyncio.sleep(0)
    return echo(request)


async def never(_: Request) -> Response:
    await asyncio.Event().wait()
    raise AssertionError


class AtOnce(rules_pb2_grpc.RulesServiceServicer):
    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self.handled = 0

    @at_once
    async def FindGames(self, request: Request, context: Any) -> Response:
        self.handled += 1
        return self.handle(request)  # type: ignore[return-value]


class Awaited(rules_pb2_grpc.RulesServiceServicer):
    """FindGames does what the test says, and so VerifyRecord, whose requests and responses may be large."""

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self.handled = 0

    async def FindGames(self, request: Request, context: Any) -> Response:
        self.handled += 1
        answer = self.handle(request)
        return answer if isinstance(answer, Response) else await answer

    async def FindGame(self, request: rules_pb2.FindGameRequest, context: Any) -> rules_pb2.FindGameResponse:
        return rules_pb2.FindGameResponse(rules_page="x" * int(request.game))

    async def VerifyRecord(self, request: rules_pb2.VerifyRecordRequest, context: Any) -> rules_pb2.VerifyRecordResponse:
        self.handled += 1
        return rules_pb2.VerifyRecordResponse(cpu_us=len(request.packed_record))


class Tails(session_pb2_grpc.SessionServiceServicer):
    """TailSessions does what the test says."""

    def __init__(self, tail: Callable[[AsyncIterator[session_pb2.TailSessionsRequest]], Any]) -> None:
        self._tail = tail

    def TailSessions(self, request_iterator: Any, context: Any) -> Any:
        return self._tail(request_iterator)


def servicer_of(handle: Handle) -> AtOnce | Awaited:
    return AtOnce(handle) if handle is echo else Awaited(handle)  # type: ignore[abstract]


def methods_of(servicer: Any) -> Methods:
    methods = Methods("linked")
    if isinstance(servicer, Tails):
        session_pb2_grpc.add_SessionServiceServicer_to_server(servicer, methods)  # type: ignore[arg-type]
    else:
        rules_pb2_grpc.add_RulesServiceServicer_to_server(servicer, methods)  # type: ignore[arg-type]
    return methods


@contextlib.asynccontextmanager
async def served(
    servicer: Any, address: str = "127.0.0.1:0", keys: InnerKeys | None = None, own: Identity | None = None
) -> AsyncIterator[tuple[LinkServer, str]]:
    """Yield a server and its address."""
    server = LinkServer(methods_of(servicer), None if keys is None else Callers(keys))
    where = await server.listen(address, own)
    try:
        yield server, where
    finally:
        await server.stop(0)


@contextlib.asynccontextmanager
async def channel_to(address: str, **terms: Any) -> AsyncIterator[Any]:
    """Yield a RulesServiceStub of a channel to an address."""
    channel = LinkChannel(address, "other side", **terms)
    stub: Any = rules_pb2_grpc.RulesServiceStub(channel)
    stub.channel = channel
    try:
        yield stub
    finally:
        await channel.close()


@contextlib.asynccontextmanager
async def linked(servicer: Any, address: str = "127.0.0.1:0") -> AsyncIterator[tuple[Any, LinkServer]]:
    """Yield a stub and the server that it calls."""
    async with served(servicer, address) as (server, where), channel_to(where) as stub:
        yield stub, server


def socket_in(folder: Path) -> str:
    """Return the address of a Unix socket in a test's folder."""
    return f"unix:{folder}/s"


both_ways = pytest.mark.parametrize("handle", [echo, slow_echo], ids=["at once", "awaited"])


async def until(condition: Any) -> None:
    """Wait until something is so; the test's own time limit is the end of it."""
    while not condition():  # noqa: ASYNC110 - what is waited for has no event
        await asyncio.sleep(0.005)


async def reason_of(awaitable: Any) -> errors_pb2.Refusal:
    with pytest.raises(Refused) as caught:
        await awaitable
    return caught.value.refusal
