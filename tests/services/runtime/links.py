"""Both ends of a link over real gRPC, with handlers of the test's own. Calls are FindGames; `page_token` is what is said."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
import pytest

from brettwerk.v1 import errors_pb2, rules_pb2, rules_pb2_grpc
from services.runtime.channel import open_channel
from services.runtime.interceptor import CallInterceptor
from services.runtime.link import LinkClient, answer_link
from services.runtime.refusal import Refused

Call = rules_pb2.RulesCall
Answer = rules_pb2.RulesAnswer
Handle = Callable[[Call], Answer | Awaitable[Answer]]
Client = LinkClient[Call, Answer, rules_pb2.LinkRulesRequest, rules_pb2.LinkRulesResponse]


def said(text: str) -> Answer:
    return Answer(find_games=rules_pb2.FindGamesResponse(next_page_token=text))


def say(text: str) -> Call:
    return Call(find_games=rules_pb2.FindGamesRequest(page_token=text))


def echo(call: Call) -> Answer:
    return said(call.find_games.page_token)


async def slow_echo(call: Call) -> Answer:
    await asyncio.sleep(0)
    return echo(call)


class Server(rules_pb2_grpc.RulesServiceServicer):
    """Answers LinkRules, and notes what came."""

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self.leaving = asyncio.Event()
        self.batches: list[int] = []
        self.streams = 0
        self.ended = 0
        self.port = 0
        self._server: grpc.aio.Server | None = None

    async def start(self, port: int = 0) -> None:
        self._server = grpc.aio.server(
            interceptors=[CallInterceptor("test")],
            options=(("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", 8 * 1024 * 1024)),
        )
        rules_pb2_grpc.add_RulesServiceServicer_to_server(self, self._server)
        self.port = self._server.add_insecure_port(f"127.0.0.1:{port}")
        await self._server.start()

    async def stop(self, grace: float | None = None) -> None:
        assert self._server is not None
        await self._server.stop(grace)

    async def LinkRules(self, request_iterator: Any, context: Any) -> AsyncIterator[Any]:
        self.streams += 1
        try:
            batches = answer_link(
                request_iterator,
                self._calls,
                lambda call: self.handle(call),
                lambda refusal: Answer(refusal=refusal),
                lambda answers: rules_pb2.LinkRulesResponse(answers=answers),
                self.leaving,
            )
            async with contextlib.aclosing(batches):  # type: ignore[type-var]
                async for batch in batches:
                    yield batch
        finally:
            self.ended += 1

    def _calls(self, request: rules_pb2.LinkRulesRequest) -> Any:
        self.batches.append(len(request.calls))
        return request.calls


@contextlib.asynccontextmanager
async def served(handle: Handle) -> AsyncIterator[Server]:
    server = Server(handle)  # type: ignore[abstract]
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def client_of(method: Any) -> Client:
    return LinkClient(
        "other side", method, lambda calls: rules_pb2.LinkRulesRequest(calls=calls), lambda response: response.answers
    )


@contextlib.asynccontextmanager
async def linked(handle: Handle) -> AsyncIterator[tuple[Client, Server]]:
    """Yield a client and the server that it calls."""
    async with served(handle) as server, open_channel(f"127.0.0.1:{server.port}") as channel:
        client = client_of(rules_pb2_grpc.RulesServiceStub(channel).LinkRules)
        try:
            yield client, server
        finally:
            await client.close()


both_ways = pytest.mark.parametrize("handle", [echo, slow_echo], ids=["at once", "awaited"])


async def until(condition: Any) -> None:
    """Wait until something is so; the test's own time limit is the end of it."""
    while not condition():  # noqa: ASYNC110 - what is waited for has no event
        await asyncio.sleep(0.005)


async def reason_of(awaitable: Any) -> errors_pb2.Refusal:
    with pytest.raises(Refused) as caught:
        await awaitable
    return caught.value.refusal
