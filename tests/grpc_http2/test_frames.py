"""Frames on the wire: cut anywhere, padded, with others in between; and frames that break the protocol."""

import asyncio
import random
import struct
from typing import Any

import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, StreamReset, TrailersReceived

from grpc_http2 import Bounds, Connection, Server, Visitors
from tests.grpc_http2.echo import Echo, ask, channel_to, served
from tests.night import by_day

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADERS = [
    (":method", "POST"),
    (":scheme", "http"),
    (":path", "/s/Echo"),
    (":authority", "x"),
    ("te", "trailers"),
    ("content-type", "application/grpc"),
]


class Pipe(asyncio.Transport):
    """Where a connection writes to."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()
        self.is_closed = False

    def write(self, data: Any) -> None:
        self.written += data

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        self.is_closed = True

    abort = close


def frame(kind: int, flags: int, number: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", number) + payload


def message(text: bytes) -> bytes:
    return struct.pack(">BI", 0, len(text)) + text


def connected() -> tuple[Pipe, Connection]:
    """Return a connection of a server that echoes, and where it writes to."""
    server = Server(Visitors(10), calls=10)
    server.add_generic_rpc_handlers([Echo()])
    pipe, connection = Pipe(), Connection(server, Bounds(), is_client=False)
    connection.connection_made(pipe)
    return pipe, connection


def other_frames(dice: random.Random) -> bytes:
    """Return a frame that may come between any two of a stream."""
    return dice.choice(
        [
            frame(6, 0, 0, b"pingpong"),
            frame(4, 0, 0, struct.pack(">HI", 4, dice.randrange(100, 70_000))),  # INITIAL_WINDOW_SIZE
            frame(4, 0, 0, struct.pack(">HI", 5, dice.randrange(16_384, 300_000))),  # MAX_FRAME_SIZE
            frame(8, 0, 0, struct.pack(">I", dice.randrange(1, 1000))),
            frame(8, 0, 1, struct.pack(">I", dice.randrange(1, 1000))),
            frame(99, 0, 1, b"of a kind that nobody knows"),
            b"",
        ]
    )


def cut(data: bytes, dice: random.Random, most: int) -> list[bytes]:
    pieces = []
    while data:
        size = dice.randint(1, most)
        pieces.append(data[:size])
        data = data[size:]
    return pieces


def data_frames(stream: bytes, dice: random.Random) -> list[bytes]:
    """Return DATA frames of stream 1 with these bytes: of any size, some with padding, some empty, others in between."""
    made = []
    for piece in cut(stream, dice, dice.choice([3, 40, 400, 4000])):
        if dice.random() < 0.3:
            padding = dice.randrange(256)
            made.append(frame(0, 8, 1, bytes([padding]) + piece + bytes(padding)))
        else:
            made.append(frame(0, 0, 1, piece))
        if dice.random() < 0.2:
            made.append(dice.choice([frame(0, 0, 1, b""), frame(0, 8, 1, b"\0"), other_frames(dice)]))
    return made


@pytest.mark.parametrize("first", by_day(range(0, 120, 15), 0, 60))
def test_however_the_bytes_are_cut_every_message_is_answered(first: int) -> None:
    for seed in range(first, first + 15):
        asyncio.run(play(random.Random(seed)))


async def play(dice: random.Random) -> None:
    texts = [b"x" * dice.choice([0, 1, 20, 200]) for _ in range(dice.randint(1, 60))]
    pipe, connection = connected()
    client = H2Connection(H2Configuration(client_side=True))
    client.initiate_connection()
    client.send_headers(1, HEADERS)
    said = client.data_to_send() + b"".join([*data_frames(b"".join(map(message, texts)), dice), frame(0, 1, 1, b"")])
    answered = bytearray()
    trailers: list[Any] = []
    for piece in cut(said, dice, dice.choice([1, 7, 100, 5000, 100_000])):
        connection.data_received(piece)
        listen(pipe, client, answered, trailers)
    for _ in range(10_000):
        if trailers:
            break
        connection.data_received(frame(8, 0, 0, struct.pack(">I", 10_000)) + frame(8, 0, 1, struct.pack(">I", 10_000)))
        await asyncio.sleep(0)
        listen(pipe, client, answered, trailers)
    assert not pipe.is_closed
    assert dict(trailers)[b"grpc-status"] == b"0"
    assert answered == b"".join(map(message, texts))
    connection.connection_lost(None)


def listen(pipe: Pipe, client: H2Connection, answered: bytearray, trailers: list[Any]) -> None:
    """Let the client hear what was written; it gives the windows back."""
    heard = bytes(pipe.written)
    pipe.written.clear()
    for event in client.receive_data(heard):
        if isinstance(event, DataReceived):
            answered += event.data
        elif isinstance(event, TrailersReceived):
            trailers += [(bytes(name), bytes(value)) for name, value in event.headers or ()]


OPENED = PREFACE + frame(4, 0, 0, b"")
BROKEN = {
    "no preface": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + bytes(20),
    "a frame that is too large": OPENED + struct.pack(">I", Bounds().frame_bytes + 1)[1:] + b"\0\0\0\0\0\1",
    "data of no stream": OPENED + frame(0, 0, 0, b"x"),
    "data of a stream that was not opened": OPENED + frame(0, 0, 5, b"x"),
    "a window that grows by nothing": OPENED + frame(8, 0, 0, bytes(4)),
    "a window of the wrong size": OPENED + frame(8, 0, 0, bytes(3)),
    "a window that grows too large": OPENED + frame(8, 0, 0, b"\x7f\xff\xff\xff") * 2,
    "headers that are none": OPENED + frame(1, 4, 1, b"\xff" * 50),
    "data between headers": OPENED + frame(1, 0, 1, b"\x83") + frame(0, 0, 1, b"x"),
    "settings of the wrong size": OPENED + frame(4, 0, 0, b"12345"),
}


def opening(path: str = "/s/Echo") -> bytes:
    client = H2Connection(H2Configuration(client_side=True))
    client.initiate_connection()
    client.send_headers(1, [(name, path if name == ":path" else value) for name, value in HEADERS])
    return client.data_to_send()


BROKEN |= {
    "more padding than frame": opening() + frame(0, 8, 1, b"\xff" + bytes(10)),
    "data after its end": opening() + frame(0, 1, 1, b"") + frame(0, 0, 1, b"x"),
    "more than the window": opening("/s/Wait") + frame(0, 0, 1, message(bytes(200_000))) * 6,  # nobody reads the second
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
async def test_a_client_that_breaks_the_protocol_is_cut_off_and_others_are_served(broken: bytes) -> None:
    visitors = Visitors(10)
    async with served(visitors) as (_, port), channel_to(port) as channel:
        assert await ask(channel, "/s/Say", b"before") == b"before"
        others = len(visitors)  # a stalled machine may have made the channel try a second time
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(broken)
        async with asyncio.timeout(20):
            try:
                while await reader.read(65536):
                    pass
            except ConnectionError:
                pass
            writer.close()
            while len(visitors) > others:  # noqa: ASYNC110 - what is waited for has no event
                await asyncio.sleep(0.005)
        assert await ask(channel, "/s/Say", b"after") == b"after"


@pytest.mark.parametrize(
    "between",
    [frame(0, 0, 1, b"x"), frame(8, 0, 0, struct.pack(">I", 1)), frame(8, 0, 1, struct.pack(">I", 1)), frame(7, 0, 0, bytes(8))],
    ids=["data", "a window", "a stream's window", "a farewell"],
)
async def test_other_frames_between_those_of_one_set_of_headers_are_refused(between: bytes) -> None:
    # Not over a socket: there a client that then says nothing is cut off for its silence, too.
    pipe, connection = connected()
    connection.data_received(OPENED + frame(1, 0, 1, b"\x83"))
    was_open = not pipe.is_closed
    connection.data_received(between)
    assert was_open and pipe.is_closed
    connection.connection_lost(None)


async def test_a_message_that_is_not_taken_ends_its_stream_only() -> None:
    async with served() as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        client = H2Connection(H2Configuration(client_side=True))
        client.initiate_connection()
        client.send_headers(1, HEADERS)
        client.send_data(1, b"\1" + bytes(4))  # compressed, which its headers do not say
        writer.write(client.data_to_send())
        events: list[Any] = []
        async with asyncio.timeout(20):
            while not any(isinstance(event, StreamReset | TrailersReceived) for event in events):
                events += client.receive_data(await reader.read(65536))
        writer.write(frame(6, 0, 0, b"pingpong"))
        async with asyncio.timeout(20):
            assert await reader.read(65536)
        writer.close()
        await writer.wait_closed()
