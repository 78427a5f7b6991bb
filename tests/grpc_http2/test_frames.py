"""Frames on the wire: cut anywhere, padded, with others in between; and frames that break the protocol."""

import asyncio
import random
import struct
from typing import Any

import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, StreamReset, TrailersReceived
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk.internal.v1 import link_pb2
from services.runtime.channel import MESSAGE_BYTES
from services.runtime.link import LinkServer, bounds
from grpc_http2.connection import Connection
from tests.night import examples
from tests.services.runtime.link.ends import AtOnce, channel_to, echo, methods_of, say, served, until

PATH = "/brettwerk.internal.v1.RulesService/FindGames"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADERS = [
    (":method", "POST"),
    (":scheme", "http"),
    (":path", "/brettwerk.internal.v1.LinkService/Open"),
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


def call(number: int, text: str) -> bytes:
    request = link_pb2.OpenRequest(calls=[link_pb2.LinkCall(id=number, method=PATH, request=say(text).SerializeToString())])
    data = request.SerializeToString()
    return struct.pack(">BI", 0, len(data)) + data


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


@settings(max_examples=examples(60))
@given(st.integers(0, 2**32), st.integers(1, 60))
def test_however_the_bytes_are_cut_every_call_is_answered(seed: int, calls: int) -> None:
    dice = random.Random(seed)
    texts = ["x" * dice.choice([0, 1, 20, 200]) for _ in range(calls)]

    async def play() -> None:
        server = LinkServer(methods_of(AtOnce(echo)))  # type: ignore[abstract]
        pipe, connection = Pipe(), Connection(server, is_client=False)
        connection.connection_made(pipe)
        client = H2Connection(H2Configuration(client_side=True))
        client.initiate_connection()
        client.send_headers(1, HEADERS)
        said = client.data_to_send() + b"".join(
            [*data_frames(b"".join(call(number, text) for number, text in enumerate(texts)), dice), frame(0, 1, 1, b"")]
        )
        answered = bytearray()
        trailers: list[Any] = []
        for piece in cut(said, dice, dice.choice([1, 7, 100, 5000, 100_000])):
            connection.data_received(piece)
            listen(pipe, connection, client, answered, trailers)
        for _ in range(10_000):
            if trailers:
                break
            connection.data_received(frame(8, 0, 0, struct.pack(">I", 10_000)) + frame(8, 0, 1, struct.pack(">I", 10_000)))
            await asyncio.sleep(0)
            listen(pipe, connection, client, answered, trailers)
        assert not pipe.is_closed
        assert dict(trailers)[b"grpc-status"] == b"0"
        found = {}
        while answered:
            _, size = struct.unpack(">BI", answered[:5])
            for answer in link_pb2.OpenResponse.FromString(bytes(answered[5 : 5 + size])).answers:
                found[answer.id] = answer.response[2:] if len(answer.response) < 130 else answer.response[3:]
            del answered[: 5 + size]
        assert [bytes(found[number]) for number in range(calls)] == [text.encode() for text in texts]
        connection.connection_lost(None)

    asyncio.run(play())


def listen(pipe: Pipe, connection: Connection, client: H2Connection, answered: bytearray, trailers: list[Any]) -> None:
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
    "a frame that is too large": OPENED + struct.pack(">I", bounds.FRAME_BYTES + 1)[1:] + b"\0\0\0\0\0\1",
    "data of no stream": OPENED + frame(0, 0, 0, b"x"),
    "data of a stream that was not opened": OPENED + frame(0, 0, 5, b"x"),
    "a window that grows by nothing": OPENED + frame(8, 0, 0, bytes(4)),
    "a window of the wrong size": OPENED + frame(8, 0, 0, bytes(3)),
    "a window that grows too large": OPENED + frame(8, 0, 0, b"\x7f\xff\xff\xff") * 2,
    "headers that are none": OPENED + frame(1, 4, 1, b"\xff" * 50),
    "data between headers": OPENED + frame(1, 0, 1, b"\x83") + frame(0, 0, 1, b"x"),
    "settings of the wrong size": OPENED + frame(4, 0, 0, b"12345"),
}


def opening() -> bytes:
    client = H2Connection(H2Configuration(client_side=True))
    client.initiate_connection()
    client.send_headers(1, HEADERS)
    return client.data_to_send()


BROKEN |= {
    "more padding than frame": opening() + frame(0, 8, 1, b"\xff" + bytes(10)),
    "data after its end": opening() + frame(0, 1, 1, b"") + frame(0, 0, 1, b"x"),
    "more than the window": opening() + frame(0, 0, 1, bytes(200_000)) * 6,
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
async def test_who_breaks_the_protocol_is_cut_off_and_others_are_served(broken: bytes) -> None:
    async with served(AtOnce(echo)) as (server, where), channel_to(where) as stub:  # type: ignore[abstract]
        assert (await stub.FindGames(say("before"), timeout=20)).next_page_token == "before"
        host, _, port = where.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(broken)
        async with asyncio.timeout(20):
            try:
                while await reader.read(65536):
                    pass
            except ConnectionError:
                pass
        writer.close()
        await until(lambda: len(server._connections) == 1)
        assert (await stub.FindGames(say("after"), timeout=20)).next_page_token == "after"


@pytest.mark.parametrize(
    "between",
    [frame(0, 0, 1, b"x"), frame(8, 0, 0, struct.pack(">I", 1)), frame(8, 0, 1, struct.pack(">I", 1)), frame(7, 0, 0, bytes(8))],
    ids=["data", "a window", "a stream's window", "a farewell"],
)
async def test_nothing_may_come_between_the_frames_of_one_set_of_headers(between: bytes) -> None:
    # Not over a socket: there a client that then says nothing is cut off for its silence, too.
    server = LinkServer(methods_of(AtOnce(echo)))  # type: ignore[abstract]
    pipe, connection = Pipe(), Connection(server, is_client=False)
    connection.connection_made(pipe)
    connection.data_received(OPENED + frame(1, 0, 1, b"\x83"))
    was_open = not pipe.is_closed
    connection.data_received(between)
    assert was_open and pipe.is_closed
    connection.connection_lost(None)


@pytest.mark.parametrize("prefix", [b"\1" + bytes(4), struct.pack(">BI", 0, MESSAGE_BYTES + 1)], ids=["compressed", "too large"])
async def test_a_message_that_is_not_taken_ends_its_stream_only(prefix: bytes) -> None:
    async with served(AtOnce(echo)) as (_, where):  # type: ignore[abstract]
        host, _, port = where.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        client = H2Connection(H2Configuration(client_side=True))
        client.initiate_connection()
        client.send_headers(1, HEADERS)
        client.send_data(1, prefix)
        writer.write(client.data_to_send())
        events: list[Any] = []
        async with asyncio.timeout(20):
            while not any(isinstance(event, StreamReset) for event in events):
                events += client.receive_data(await reader.read(65536))
        writer.write(frame(6, 0, 0, b"pingpong"))
        async with asyncio.timeout(20):
            assert await reader.read(65536)
        writer.close()
        await writer.wait_closed()
