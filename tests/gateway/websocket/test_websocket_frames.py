"""Frames through a WebSocket that are no whole message are bounded, cost the client requests, and delay nobody else."""

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import CLIENT
from websockets.protocol import Protocol as ClientReader

from brettwerk.v1 import errors_pb2, play_pb2
from gateway.limits import concurrency
from gateway.websocket import websocket
from gateway.websocket.websocket import AT_ONCE, FRAGMENTS, MESSAGE_BYTES, WebSocket
from tests.gateway.conftest import OpenGateway
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway
from tests.gateway.sharing import shared_peer, shared_running
from tests.gateway.websocket.test_websocket import CALL, HANDSHAKE

peer, running = shared_peer, shared_running


def frame(opcode: Opcode, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """Return a frame of a client."""
    return Frame(opcode, payload, fin=fin).serialize(mask=True)


def in_fragments(pieces: Iterable[bytes], between: bytes = b"") -> bytes:
    """Return a message in as many fragments as there are pieces."""
    *first, last = pieces
    opcodes = [Opcode.BINARY, *[Opcode.CONT] * len(first)]
    said = [frame(opcode, piece, fin=False) + between for opcode, piece in zip(opcodes, first, strict=False)]
    return b"".join(said) + frame(opcodes[len(first)], last)


class Spoken:
    """A WebSocket by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self._reader = reader
        self._frames = ClientReader(CLIENT, max_size=2**24)
        self._found: list[Frame] = []

    async def next(self) -> Frame:
        """Return the next frame of the server. Raises EOFError."""
        while not self._found:
            data = await asyncio.wait_for(self._reader.read(2**16), 20)
            if not data:
                raise EOFError
            self._frames.receive_data(data)
            self._found += [one for one in self._frames.events_received() if isinstance(one, Frame)]
        return self._found.pop(0)

    async def answer(self) -> play_pb2.ConnectResponse:
        """Return the next response."""
        while (found := await self.next()).opcode is not Opcode.BINARY:
            pass
        return play_pb2.ConnectResponse.FromString(bytes(found.data))

    async def end(self) -> Close:
        """Return the close frame that the server sends."""
        while (found := await self.next()).opcode is not Opcode.CLOSE:
            pass
        return Close.parse(found.data)


@asynccontextmanager
async def spoken(running: RunningGateway) -> AsyncIterator[Spoken]:
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    writer.write(HANDSHAKE)
    await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    try:
        yield Spoken(reader, writer)
    finally:
        writer.close()


async def socket_of(running: RunningGateway, peer: Peer) -> WebSocket:
    """Return the gateway's side of the only WebSocket, once those of earlier tests are gone."""
    connections = running.gateway.web._server.server_state.connections
    await peer.until(lambda: len(connections) == 1)
    (socket,) = connections
    assert isinstance(socket, WebSocket)
    return socket


async def test_a_message_is_read_however_it_is_cut(running: RunningGateway) -> None:
    dice = random.Random(1)
    async with spoken(running) as socket:
        for _ in range(50):
            borders = sorted({0, len(CALL), *(dice.randrange(1, len(CALL)) for _ in range(dice.randrange(4)))})
            pieces = [CALL[begin:end] for begin, end in itertools.pairwise(borders)]
            said = in_fragments(pieces, dice.choice([b"", frame(Opcode.PING, b"?")])) + frame(Opcode.BINARY, CALL)
            cuts = sorted(dice.randrange(len(said)) for _ in range(dice.randrange(6)))
            for begin, end in zip([0, *cuts], [*cuts, len(said)], strict=True):
                socket.writer.write(said[begin:end])
                await asyncio.sleep(0)
            for _ in range(2):
                assert (await socket.answer()).answer.WhichOneof("response") == "get_session"


async def test_the_last_fragment_may_be_empty(running: RunningGateway) -> None:
    async with spoken(running) as socket:
        socket.writer.write(in_fragments([CALL, b""]))
        assert (await socket.answer()).answer.WhichOneof("response") == "get_session"


@pytest.mark.parametrize(
    "said",
    [
        frame(Opcode.BINARY, fin=False),
        frame(Opcode.BINARY, b"x", fin=False) + frame(Opcode.CONT, fin=False),
        frame(Opcode.CONT, b"x"),
        frame(Opcode.BINARY, b"x", fin=False) + frame(Opcode.BINARY, b"y"),
        b"\x82\x05plain",
        b"\xc2\x80\0\0\0\0",
        b"\x83\x80\0\0\0\0",
        b"\x09\x80\0\0\0\0",
        b"\x89\xfe\0\x7e\0\0\0\0" + b"x" * 126,
        frame(Opcode.CLOSE, b"\x03"),
    ],
    ids=[
        "an empty first fragment",
        "an empty fragment",
        "a fragment of nothing",
        "a message within a message",
        "no mask",
        "a reserved bit, as of compression",
        "a reserved opcode",
        "a ping in fragments",
        "a long ping",
        "half a close code",
    ],
)
async def test_a_breach_of_the_protocol_ends_the_connection(running: RunningGateway, said: bytes) -> None:
    async with spoken(running) as socket:
        socket.writer.write(said)
        assert (await socket.end()).code == 1002


@pytest.mark.parametrize(
    "said",
    [
        in_fragments([b"x"] * (FRAGMENTS + 1)),
        in_fragments([b"x"] * (FRAGMENTS // 2 + 1), frame(Opcode.PONG)),
        in_fragments([b"x" * (MESSAGE_BYTES - 1), b"yy"]),
        b"\x82\xff" + (MESSAGE_BYTES + 1).to_bytes(8, "big"),
    ],
    ids=["fragments", "control frames between fragments", "bytes of fragments", "bytes"],
)
async def test_a_message_has_so_many_fragments_and_bytes(running: RunningGateway, said: bytes) -> None:
    async with spoken(running) as socket:
        socket.writer.write(said)
        assert (await socket.end()).code == 1009


@pytest.mark.parametrize(
    "said",
    [frame(Opcode.BINARY, b"x", fin=False) + frame(Opcode.CONT, b"x", fin=False) * 1000, frame(Opcode.PING) * 1000],
    ids=["fragments", "pings"],
)
async def test_others_have_their_turn_after_so_many_frames_of_any_kind(
    running: RunningGateway, peer: Peer, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    async with spoken(running):
        socket = await socket_of(running, peer)
        handled = 0

        def handle(one: Frame) -> "asyncio.Future[None] | None":
            nonlocal handled
            handled += 1
            return WebSocket._handle(socket, one)

        monkeypatch.setattr(socket, "_handle", handle)
        socket.data_received(said)
        assert handled == AT_ONCE


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        (frame(Opcode.PING, b"?") * 20 * AT_ONCE, 0),
        (frame(Opcode.PONG, b"?") * 20 * AT_ONCE, 0),
        (in_fragments([b"x"] * 20 * AT_ONCE), 1),
        (frame(Opcode.BINARY, b"x") * 20, 20),
    ],
    ids=["pings", "pongs", "fragments", "messages of a byte"],
)
async def test_malformed_frames_count_as_requests(open_gateway: OpenGateway, said: bytes, answers: int) -> None:
    running = await open_gateway(address_rate_per_s=1, address_rate_burst=15)
    async with spoken(running) as socket:
        socket.writer.write(said + frame(Opcode.BINARY, CALL))
        for _ in range(answers):
            assert (await socket.answer()).HasField("refusal")
        assert (await socket.answer()).answer.refusal.reason == errors_pb2.REASON_TOO_MANY_REQUESTS


async def test_a_client_that_sends_too_much_of_that_is_kept_waiting(open_gateway: OpenGateway) -> None:
    running = await open_gateway(address_rate_per_s=1, address_rate_burst=2)
    async with spoken(running) as socket:
        socket.writer.write(frame(Opcode.BINARY, b"x") * 10)
        began = asyncio.get_running_loop().time()
        for _ in range(4):
            await socket.answer()
        assert asyncio.get_running_loop().time() - began >= 0.2


async def test_unfinished_messages_are_bounded_for_all_together(
    running: RunningGateway, peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(concurrency, "MAX_BYTES_IN_ALL", 1_000_000)
    kept = frame(Opcode.BINARY, b"x" * 600_000, fin=False)
    begun = b"\x82\xff" + (600_000).to_bytes(8, "big") + bytes(4) + b"x" * 500_000
    async with spoken(running) as patient:
        patient.writer.write(kept)
        await peer.until(lambda: concurrency.Arrival.in_all >= 600_000)
        for too_much in (kept, begun):
            async with spoken(running) as socket:
                socket.writer.write(too_much)
                assert await socket.end() == Close(1013, "too many large requests are arriving at once")
            async with spoken(running) as other:
                other.writer.write(frame(Opcode.BINARY, CALL))
                assert (await other.answer()).answer.WhichOneof("response") == "get_session"
        patient.writer.write(frame(Opcode.CONT, b"x"))
        assert (await patient.answer()).refusal.reason == errors_pb2.REASON_MALFORMED
    await peer.until(lambda: not concurrency.Arrival.in_all)


async def test_any_bytes_are_read_or_refused(running: RunningGateway, caplog: pytest.LogCaptureFixture) -> None:
    dice = random.Random(2)
    for _ in range(100):
        async with spoken(running) as socket:
            socket.writer.write(dice.randbytes(dice.randrange(1, 200)))
            await asyncio.sleep(0)
    async with spoken(running) as socket:
        socket.writer.write(frame(Opcode.BINARY, CALL))
        await socket.answer()
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize(("code", "reason"), [(1000, ""), (1013, "ö" * 100), (3000, "x" * 200)])
async def test_a_close_frame_keeps_its_bound(running: RunningGateway, peer: Peer, code: int, reason: str) -> None:
    async with spoken(running) as socket:
        (await socket_of(running, peer))._disconnect(code, reason, websocket.LAST_WORD_S)
        close = await socket.end()
        assert close.code == code
        assert reason.startswith(close.reason)
        assert len(close.reason.encode()) in (websocket.REASON_BYTES, websocket.REASON_BYTES - 1, 0)
