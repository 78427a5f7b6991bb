"""The cost of a gRPC server's HTTP/2: grpc_http2 against grpcio's server, and against h2 for the messages of an open stream.

    python -m loadtests.cost.http2 --in-flight 1 20 --runs 5 --seconds 1

Each server is a process of its own that echoes messages as bytes, over TCP on this machine; a channel of grpcio calls both in
turns. It prints medians over the runs: calls a second with so many in flight, and CPU time of the server for a call, and for a
message of a stream that it sends. The second table is of one process and of no network: CPU time to take a message of an open
stream and to answer it with the same. CPU time is the figure to compare: it hardly depends on what else the machine does.
"""

import argparse
import asyncio
import contextlib
import os
import socket
import statistics
import subprocess
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc
import uvloop
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived

from grpc_http2 import Bounds, Connection, Server, Stream, Visitors, frames
from grpc_http2.status import ACCEPTED, Headers
from loadtests.cost.echo import calls, medians, serving
from loadtests.processes import cpu_s

KINDS = ("grpcio", "grpc_http2")
UNARY_BYTES, STREAM_BYTES = 190, 300
MESSAGES = 20_000
"""How many a stream has."""
_REQUEST = [
    (":method", "POST"),
    (":scheme", "http"),
    (":path", "/s/Echo"),
    (":authority", "x"),
    ("content-type", "application/grpc"),
]


class Echo(grpc.GenericRpcHandler):
    """Offers a unary echo, and a stream that says the request again and again."""

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        """Return the handler of a method."""
        if details.method == "/s/Repeat":
            return grpc.unary_stream_rpc_method_handler(self.repeat)
        return grpc.unary_unary_rpc_method_handler(self.echo)

    async def echo(self, request: bytes, _context: object) -> bytes:
        """Return the request."""
        return request

    async def repeat(self, request: bytes, _context: object) -> AsyncIterator[bytes]:
        """Yield the request."""
        for _ in range(MESSAGES):
            yield request


async def serve(kind: str) -> None:
    """Answer at a port, which is printed, until killed."""
    if kind == "grpcio":
        library = grpc.aio.server()
        library.add_generic_rpc_handlers((Echo(),))
        port = library.add_insecure_port("127.0.0.1:0")
        await library.start()
    else:
        server = Server(Visitors(100), calls=1000)
        server.add_generic_rpc_handlers((Echo(),))
        bound = socket.create_server(("127.0.0.1", 0))
        server.add_socket(bound)
        server.start()
        port = bound.getsockname()[1]
    print(port, flush=True)
    await asyncio.Event().wait()


async def compare_servers(options: argparse.Namespace) -> None:
    """Measure both servers and print what they cost."""
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(serving("loadtests.cost.http2", "--serve", kind)) for kind in KINDS]
        channels = [grpc.aio.insecure_channel(f"127.0.0.1:{_port(server)}") for server in servers]
        print(f"{'server':10} {'in flight':>9} {'calls/s':>8} {'us a call':>10} {'us a message':>13}")
        for in_flight in options.in_flight:
            runs: dict[str, list[tuple[float, ...]]] = {kind: [] for kind in KINDS}
            for _ in range(options.runs):
                for kind, channel, server in zip(KINDS, channels, servers, strict=True):
                    unary: Any = channel.unary_unary("/s/Echo")
                    per_s, call_us, _ = await calls(unary, bytes(UNARY_BYTES), in_flight, options.seconds, server.pid)
                    runs[kind].append((per_s, call_us, await _messages(channel, server.pid)))
            for kind, measured in runs.items():
                per_s, call_us, message_us = medians(measured)
                print(f"{kind:10} {in_flight:9} {per_s:8.0f} {call_us:10.0f} {message_us:13.1f}", flush=True)
        for channel in channels:
            await channel.close()


async def _messages(channel: grpc.aio.Channel, pid: int) -> float:
    """Return microseconds of the server's CPU for a message of a stream."""
    before = cpu_s(pid)
    stream: Any = channel.unary_stream("/s/Repeat")
    count = 0
    async for _ in stream(bytes(STREAM_BYTES)):
        count += 1
    return 1e6 * (cpu_s(pid) - before) / count


def _port(server: "subprocess.Popen[str]") -> int:
    assert server.stdout is not None
    return int(server.stdout.readline())


class _Nowhere(asyncio.Transport):
    """Takes what is written, and keeps nothing."""

    def write(self, data: object) -> None:
        pass

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass


class _Owner:
    """Of a connection and its streams: says again what comes."""

    def __init__(self) -> None:
        self.stream: Stream | None = None

    def requested(self, connection: Connection, number: int, headers: Headers) -> None:
        self.stream = connection.accept(number, ACCEPTED, self)

    def message(self, data: bytes) -> None:
        if self.stream is not None:
            self.stream.send(data)

    def made(self, connection: Connection) -> None:
        pass

    def ready(self, connection: Connection) -> None:
        pass

    def leaving(self, connection: Connection, code: int) -> None:
        pass

    def lost(self, connection: Connection, why: str) -> None:
        pass

    def flush_pending(self) -> None:
        pass

    def ended(self, headers: Headers | None) -> None:
        pass

    def broken(self, why: str) -> None:
        pass


async def compare_messages(runs: int) -> None:
    """Print what a message of an open stream costs here and through h2."""
    client = H2Connection(H2Configuration(client_side=True))
    client.initiate_connection()
    client.send_headers(1, _REQUEST)
    opening = client.data_to_send()
    size = STREAM_BYTES + frames.PREFIX_BYTES
    message = frames.head_and_prefix(1, STREAM_BYTES) + bytes(STREAM_BYTES)
    granted = [message + frames.window_update(1, size) + frames.window_update(0, size)] * MESSAGES

    def here() -> None:
        connection = Connection(_Owner(), Bounds(), is_client=False)
        connection.connection_made(_Nowhere())
        connection.data_received(opening)
        for data in granted:
            connection.data_received(data)
        connection.connection_lost(None)

    def through_h2() -> None:
        server = H2Connection(H2Configuration(client_side=False))
        server.initiate_connection()
        server.receive_data(opening)
        server.send_headers(1, ACCEPTED)
        for data in granted:
            for event in server.receive_data(data):
                if isinstance(event, DataReceived):
                    server.acknowledge_received_data(event.flow_controlled_length or 0, 1)
                    server.send_data(1, event.data)
            server.data_to_send()

    print(f"\n{'a message of an open stream':28} {'us':>6}")
    for name, run in (("h2", through_h2), ("grpc_http2", here)):
        taken = []
        for _ in range(runs):
            before = time.process_time()
            run()
            taken.append(1e6 * (time.process_time() - before) / MESSAGES)
        print(f"{name:28} {statistics.median(taken):6.1f}", flush=True)


async def main(options: argparse.Namespace) -> None:
    """Print both tables."""
    await compare_servers(options)
    await compare_messages(options.runs)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare grpc_http2 with grpcio's server, and with h2.")
    parser.add_argument("--in-flight", type=int, nargs="+", default=[1, 20])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--serve", choices=KINDS, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    given = _options()
    uvloop.run(main(given) if given.serve is None else serve(given.serve))
