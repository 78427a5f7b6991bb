"""A server whose methods are the tests' own, and its client: messages are bytes, which nobody parses."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Any

import grpc

from grpc_http2 import Context, Server, Visitors


class Echo(grpc.GenericRpcHandler):
    """Offers what a test needs of calls: answers, streams, faults, and calls that never end."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.over: list[bool] = []

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        match details.method:
            case "/s/Echo":
                return grpc.stream_stream_rpc_method_handler(self.echo)
            case "/s/Add":
                return grpc.stream_stream_rpc_method_handler(self.add, int)
            case "/s/Count":
                return grpc.unary_stream_rpc_method_handler(self.count)
            case "/s/Say" | "/s/Wait" | "/s/Fail" | "/s/Tell":
                method: Any = getattr(self, details.method[3:].lower())
                return grpc.unary_unary_rpc_method_handler(method)
        return None

    async def echo(self, requests: AsyncIterator[bytes], _context: Context) -> AsyncIterator[bytes]:
        async for request in requests:
            yield request

    async def add(self, numbers: AsyncIterator[int], _context: Context) -> AsyncIterator[bytes]:
        """Answer with the sum so far; another task than the one that answers reads the numbers."""
        sums: asyncio.Queue[int] = asyncio.Queue()

        async def read() -> None:
            total = 0
            async for number in numbers:
                total += number
                sums.put_nowait(total)

        reading = asyncio.create_task(read())
        try:
            while True:
                yield b"%d" % await sums.get()
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            self.over.append(True)

    async def count(self, request: bytes, _context: Context) -> AsyncIterator[bytes]:
        """Answer with so many messages of so many bytes as the request says."""
        for number in range(int.from_bytes(request[:4])):
            yield number.to_bytes(4).ljust(int.from_bytes(request[4:]), b"x")

    async def say(self, request: bytes, _context: Context) -> bytes:
        return request

    async def wait(self, _request: bytes, context: Context) -> bytes:
        context.add_done_callback(lambda _: self.over.append(context.done()))
        self.begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def fail(self, _request: bytes, _context: Context) -> bytes:
        raise ValueError("a secret")

    async def tell(self, _request: bytes, context: Context) -> bytes:
        """Say what came with the call."""
        left = context.time_remaining()  # what is asked for as 20 s is written in tenths of a second, rounded up
        received = [(name, value) for name, value in context.invocation_metadata() if name != "user-agent"]
        return repr((context.peer().partition(":")[0], received, left is not None and 0 < left < 21)).encode()


@contextlib.asynccontextmanager
async def served(
    visitors: Visitors | None = None, offered: grpc.GenericRpcHandler | None = None, calls: int = 100
) -> AsyncIterator[tuple[Server, int]]:
    """Yield a server that offers something, by default an Echo, and its port."""
    server = Server(Visitors(100) if visitors is None else visitors, calls=calls)
    server.add_generic_rpc_handlers([offered or Echo()])
    bound = socket.create_server(("127.0.0.1", 0))
    server.add_socket(bound)
    server.start()
    try:
        yield server, bound.getsockname()[1]
    finally:
        await server.stop(0)


@contextlib.asynccontextmanager
async def channel_to(port: int, **terms: Any) -> AsyncIterator[grpc.aio.Channel]:
    """Yield a channel of grpcio."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", **terms) as channel:
        yield channel


async def ask(channel: grpc.aio.Channel, path: str, request: bytes = b"", **terms: Any) -> bytes:
    method: Any = channel.unary_unary(path)
    answer: bytes = await method(request, timeout=20, **terms)
    return answer
