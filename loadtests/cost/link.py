"""The cost of a message between services: a link against gRPC's own library, one call by one and as a stream of batches.

    python -m loadtests.cost.link --in-flight 1 10 100 --runs 5 --seconds 1

It starts an echo server, which answers 190 bytes with as many, and prints for each road and number of calls in flight the median
over the runs of: calls a second, and CPU time of a call at the server and at the caller. The roads take turns, all over Unix
sockets. CPU time is the figure to compare: it hardly depends on what else the machine does.

- unary: grpcio, one RPC a call.
- stream: grpcio, one stream of LinkService.Open, with a call in each message. What waits while a message is written goes along.
- link: services/runtime/link, by a generated stub, with all that belongs to it: deadlines, bounds, metrics, traces.
"""

import argparse
import asyncio
import itertools
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import grpc
import uvloop

from brettwerk.internal.v1 import link_pb2, link_pb2_grpc, rules_pb2, rules_pb2_grpc
from loadtests.cost.echo import calls, medians, serving
from services.runtime.inner_calls import by_all_names
from services.runtime.link import LinkChannel, LinkServer, Methods, at_once

Ask = Callable[[rules_pb2.FindGamesRequest], Awaitable[object]]

PATH = "/brettwerk.internal.v1.RulesService/FindGames"
TIMEOUT_S = 30.0


class Echo(rules_pb2_grpc.RulesServiceServicer):
    """Answers FindGames with what it was asked."""

    @at_once
    async def FindGames(self, request: rules_pb2.FindGamesRequest, context: object) -> rules_pb2.FindGamesResponse:
        """Say the same."""
        return rules_pb2.FindGamesResponse(next_page_token=request.page_token)


class EchoStream(link_pb2_grpc.LinkServiceServicer):
    """Answers batches, in grpcio."""

    async def Open(self, request_iterator: Any, context: object) -> AsyncIterator[link_pb2.OpenResponse]:
        """Answer each batch with one."""
        async for batch in request_iterator:
            response = link_pb2.OpenResponse()
            for call in batch.calls:
                request = rules_pb2.FindGamesRequest.FromString(call.request)
                answer = rules_pb2.FindGamesResponse(next_page_token=request.page_token)
                response.answers.add(id=call.id, response=answer.SerializeToString())
            yield response


class Stream:
    """Calls over one stream of grpcio."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stream: Any = link_pb2_grpc.LinkServiceStub(channel).Open()
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[object]] = {}
        self._send_queue: list[link_pb2.LinkCall] = []
        self._has_mail = asyncio.Event()
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._read())]

    async def ask(self, request: rules_pb2.FindGamesRequest) -> object:
        """Return the answer."""
        number = next(self._numbers)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._send_queue.append(link_pb2.LinkCall(id=number, method=PATH, request=request.SerializeToString()))
        self._has_mail.set()
        async with asyncio.timeout(TIMEOUT_S):
            return await future

    async def close(self) -> None:
        """End it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._stream.cancel()

    async def _write(self) -> None:
        while True:
            await self._has_mail.wait()
            self._has_mail.clear()
            calls, self._send_queue = self._send_queue, []
            await self._stream.write(link_pb2.OpenRequest(calls=calls))

    async def _read(self) -> None:
        async for response in self._stream:
            for answer in response.answers:
                self._waiting.pop(answer.id).set_result(rules_pb2.FindGamesResponse.FromString(answer.response))


async def serve(folder: Path) -> None:
    """Answer over all roads until killed."""
    servicer = Echo()  # type: ignore[abstract]
    server = grpc.aio.server()
    rules_pb2_grpc.add_RulesServiceServicer_to_server(servicer, by_all_names(server))
    link_pb2_grpc.add_LinkServiceServicer_to_server(EchoStream(), by_all_names(server))
    server.add_insecure_port(f"unix:{folder}/grpc")
    await server.start()
    methods = Methods("rules")
    rules_pb2_grpc.add_RulesServiceServicer_to_server(servicer, cast(Any, methods))
    await LinkServer(methods).listen(f"unix:{folder}/link")
    await asyncio.Event().wait()


async def main(options: argparse.Namespace) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="brettwerk-") as made, serving("loadtests.cost.link", "--serve", made) as server:
        async with (
            grpc.aio.insecure_channel(f"unix:{made}/grpc") as channel,
            LinkChannel(f"unix:{made}/link", "server") as link_channel,
        ):
            await link_channel.channel_ready()
            await channel.channel_ready()
            unary: Any = rules_pb2_grpc.RulesServiceStub(channel)
            link: Any = rules_pb2_grpc.RulesServiceStub(link_channel)
            stream = Stream(channel)
            roads: dict[str, Ask] = {
                "unary": lambda request: unary.FindGames(request, timeout=TIMEOUT_S),
                "stream": stream.ask,
                "link": lambda request: link.FindGames(request, timeout=TIMEOUT_S),
            }
            await _compare(roads, options, server.pid)
            await stream.close()


async def _compare(roads: dict[str, Ask], options: argparse.Namespace, server: int) -> None:
    request = rules_pb2.FindGamesRequest(page_token="x" * 190)
    print(f"{'road':6} {'in flight':>9} {'calls/s':>8} {'server us':>10} {'caller us':>10}")
    for in_flight in options.in_flight:
        runs: dict[str, list[tuple[float, float, float]]] = {name: [] for name in roads}
        for _ in range(options.runs):
            for name, ask in roads.items():
                runs[name].append(await calls(ask, request, in_flight, options.seconds, server))
        for name, measured in runs.items():
            per_s, server_us, caller_us = medians(measured)
            print(f"{name:6} {in_flight:9} {per_s:8.0f} {server_us:10.0f} {caller_us:10.0f}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare a link with gRPC's own library.")
    parser.add_argument("--in-flight", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    os.environ.setdefault("BRETTWERK_LOG_LEVEL", "error")
    given = _options()
    uvloop.run(main(given) if given.serve is None else serve(given.serve))
