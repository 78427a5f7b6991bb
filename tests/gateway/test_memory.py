"""Memory of a refused request is free at once: it is not kept until the garbage collector comes by, which it seldom does."""

import asyncio
import contextlib
import gc
import itertools
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import grpc
import pytest

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from tests.gateway.conftest import OpenGateway
from tests.gateway.running_gateway import RunningGateway, open_talk
from tests.night import by_day
from tests.web_client import web_client

SIZE = 500_000
CALLS = 2
PLIES = record_pb2.Entry(loaded=record_pb2.Loaded(variation=[record_pb2.Ply()] * (SIZE // 2)))
CHECK = play_pb2.CheckRecordRequest(record=record_pb2.Record(format=1, game="einstein", entries=[PLIES]))
"""More plies than a request may hold."""

Ask = Callable[[], Awaitable[str]]
"""Makes the call once and returns how it was refused."""


@contextlib.asynccontextmanager
async def asking(endpoint: str, running: RunningGateway) -> AsyncIterator[Ask]:
    """Open an endpoint; the request is encoded once, so that the client takes no memory for it."""
    async with contextlib.AsyncExitStack() as held:
        if endpoint == "unary":
            data = CHECK.SerializeToString()
            channel = await held.enter_async_context(grpc.aio.insecure_channel(running.grpc_address))
            check: Any = channel.unary_unary("/brettwerk.v1.PlayService/CheckRecord")

            async def ask() -> str:
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await check(data, timeout=60)
                return str(caught.value.code())

        elif endpoint == "json":
            body = b'{"record": {"entries": [{"loaded": {"line": [' + b"{}," * (SIZE // 3) + b"{}]}}]}}"
            client = await held.enter_async_context(web_client(base_url=running.web, timeout=60))

            async def ask() -> str:
                headers = {"content-type": "application/json"}
                return str((await client.post("/v1/CheckRecord", content=body, headers=headers)).status_code)

        else:
            talk = await open_talk(endpoint, running)
            held.push_async_callback(talk.close)
            frame = play_pb2.ConnectRequest(id=1, call=play_pb2.Call(check_record=CHECK)).SerializeToString()

            async def ask() -> str:
                await talk.send_bytes(frame)
                return str((await talk.receive()).answer.refusal.reason)

        yield ask


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()
        gc.enable()


REFUSALS = {
    True: {"StatusCode.INVALID_ARGUMENT", "400", str(errors_pb2.REASON_MALFORMED)},
    False: {"StatusCode.RESOURCE_EXHAUSTED", "429", str(errors_pb2.REASON_TOO_MANY_REQUESTS)},
}


WAYS = list(itertools.product(["unary", "connect", "websocket", "json"], [False, True]))


@pytest.mark.parametrize(("endpoint", "is_patient"), by_day(WAYS, ("websocket", False)))
async def test_refused_calls_leave_nothing_for_the_garbage_collector(
    open_gateway: OpenGateway, endpoint: str, is_patient: bool
) -> None:
    rates = {} if is_patient else {"address_rate_burst": 2 * SIZE // 16_384, "address_rate_per_s": 0.01}
    running = await open_gateway(**rates)
    async with asking(endpoint, running) as ask:
        while await ask() not in REFUSALS[is_patient]:
            pass
        with without_collector():
            before, _ = tracemalloc.get_traced_memory()
            refusals = {await ask() for _ in range(CALLS)}
            assert refusals <= REFUSALS[is_patient], refusals
            async with asyncio.timeout(60):  # a stream that asked too fast is read on a little later
                while tracemalloc.get_traced_memory()[0] - before > SIZE:  # noqa: ASYNC110 - memory sets no event
                    await asyncio.sleep(0.01)
