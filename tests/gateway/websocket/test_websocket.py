"""The WebSocket: binary frames only, of friends only, and never more waiting than the bound."""

import asyncio
import contextlib
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from brettwerk.v1 import play_pb2
from gateway.websocket import websocket
from gateway.websocket.websocket import MESSAGE_BYTES
from tests.gateway.conftest import OpenGateway
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway, call_of
from tests.gateway.watches.test_session_watches import publish_until_parted, watch

CALL = play_pb2.ConnectRequest(id=1, call=call_of("GetSession", session_id="x")).SerializeToString()


HANDSHAKE = (
    b"GET /v1/connect HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def closing(connection: ClientConnection) -> tuple[int, str]:
    """Read to the end and return the code and the reason of it."""

    async def read_all() -> None:
        while True:
            await connection.recv()

    with pytest.raises(ConnectionClosed):
        await asyncio.wait_for(read_all(), 20)
    return connection.close_code or 0, connection.close_reason or ""


async def test_text_is_refused(running: RunningGateway) -> None:
    async with connect(running.websocket) as connection:
        await connection.send("hello")
        assert await closing(connection) == (1003, "frames are binary: encoded ConnectRequests")


async def test_a_frame_beyond_the_bound_closes_the_connection(running: RunningGateway) -> None:
    async with connect(running.websocket) as connection:
        with contextlib.suppress(ConnectionClosed):
            await connection.send(b"x" * (MESSAGE_BYTES + 1))
        assert (await closing(connection))[0] == 1009
    async with connect(running.websocket) as connection:
        await connection.send(CALL)
        assert await connection.recv()


async def test_a_frame_in_pieces_is_one_request(running: RunningGateway) -> None:
    async with connect(running.websocket) as connection:
        await connection.send([CALL[:3], CALL[3:]])
        response = play_pb2.ConnectResponse.FromString(await connection.recv())  # type: ignore[arg-type]
        assert response.answer.WhichOneof("response") == "get_session"


async def test_websocket_messages_are_not_compressed(running: RunningGateway) -> None:
    async with connect(running.websocket, compression="deflate") as connection:
        assert connection.response is not None
        assert "sec-websocket-extensions" not in connection.response.headers


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1.evil.example", ""])
async def test_pages_of_other_origins_are_turned_away(running: RunningGateway, origin: Any) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(running.websocket, additional_headers={"origin": origin})
    response = refused.value.response
    assert response.status_code == 403
    assert response.headers["content-security-policy"].startswith("default-src 'self'")
    assert b"origin" in (response.body or b"")


async def test_our_own_pages_and_those_of_friends_are_let_in(open_gateway: OpenGateway) -> None:
    running = await open_gateway(allowed_origins="https://play.example/, http://other.example")
    for origin in (running.web, "https://play.example", "HTTP://other.example"):
        async with connect(running.websocket, origin=origin) as connection:  # type: ignore[arg-type]
            await connection.send(CALL)
            assert await connection.recv()


async def test_a_token_may_come_with_the_handshake(running: RunningGateway, peer: Peer, token: str) -> None:
    async with connect(running.websocket, additional_headers={"authorization": f"Bearer {token}"}) as connection:
        await connection.send(CALL)
        await connection.recv()
    assert peer.calls[0].caller.name == "Ada"
    with pytest.raises(InvalidStatus, match="401"):
        await connect(running.websocket, additional_headers={"authorization": "Bearer nonsense"})


async def test_there_is_one_websocket_only(running: RunningGateway) -> None:
    with pytest.raises(InvalidStatus, match="404") as refused:
        await connect(running.websocket.replace("connect", "other"))
    assert "content-security-policy" in refused.value.response.headers


async def test_an_invalid_handshake_harms_no_other_connection(running: RunningGateway) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    writer.write(b"GET /v1/connect HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
    assert b"400" in await asyncio.wait_for(reader.readline(), 20)
    writer.close()
    async with connect(running.websocket) as connection:
        await connection.send(CALL)
        assert await connection.recv()


async def test_handshakes_count_as_requests(open_gateway: OpenGateway) -> None:
    running = await open_gateway(address_rate_per_s=0.1, address_rate_burst=2)
    for _ in range(2):
        await (await connect(running.websocket)).close()
    with pytest.raises(InvalidStatus, match="429") as refused:
        await connect(running.websocket)
    assert int(refused.value.response.headers["retry-after"]) > 1


async def test_a_client_that_gives_no_sign_of_life_is_parted_from(
    open_gateway: OpenGateway, peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "PING_S", 0.2)
    running = await open_gateway()
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    writer.write(HANDSHAKE)
    await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    rest = await asyncio.wait_for(reader.read(), 20)
    ping, pong_missed = b"\x89", b"keepalive ping timeout"
    assert rest.startswith(ping)
    assert rest.endswith(pong_missed)
    writer.close()
    await peer.until(lambda: not running.gateway.streams._addresses)


async def test_a_client_that_does_not_read_is_parted_from(running: RunningGateway, peer: Peer) -> None:
    peer.publish("a")
    async with connect(running.websocket, compression=None, max_queue=1) as connection:
        await connection.send(watch(1, "a").SerializeToString())
        await connection.recv()
        await publish_until_parted(running, peer)
        code, reason = await closing(connection)
        # A client that begins to read again in time is told why; one that does not is cut off.
        assert (code, reason) in {(1013, "the messages of this stream are read too slowly"), (1006, "")}
    await peer.until(lambda: not running.gateway.streams._addresses)


async def test_a_client_that_never_reads_again_is_cut_off(running: RunningGateway, peer: Peer) -> None:
    peer.publish("a")
    async with connect(running.websocket, compression=None, max_queue=1) as connection:
        await connection.send(watch(1, "a").SerializeToString())
        await connection.recv()
        connection.transport.pause_reading()
        await publish_until_parted(running, peer)
        await peer.until(lambda: not running.gateway.streams._addresses)
        web = running.gateway.web
        await peer.until(lambda: not web._server.server_state.connections)
        connection.transport.abort()


def masked(opcode: Opcode, payload: bytes) -> bytes:
    return Frame(opcode, payload).serialize(mask=True)


async def said_until_the_end(running: RunningGateway, *said: bytes) -> bytes:
    """Send bytes at once and return all that comes back until the server hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    writer.write(b"".join(said))
    try:
        return await asyncio.wait_for(reader.read(), 20)
    finally:
        writer.close()


CLOSE = masked(Opcode.CLOSE, b"\x03\xe8")


async def test_frames_that_come_with_the_handshake_are_not_lost(running: RunningGateway, peer: Peer) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    writer.write(HANDSHAKE + masked(Opcode.BINARY, CALL))
    await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    assert (await asyncio.wait_for(reader.readexactly(1), 20)) == b"\x82"
    assert len(peer.calls) == 1
    writer.close()


async def test_of_many_pings_the_newest_is_answered_and_a_close_frame_is_returned(running: RunningGateway) -> None:
    pings = [masked(Opcode.PING, b"%d" % number) for number in range(50)]
    said = await said_until_the_end(running, HANDSHAKE, *pings, CLOSE)
    assert said.endswith(b"\x88\x02\x03\xe8")
    assert said.count(b"\x8a") <= 1


async def test_many_requests_in_one_write_are_all_answered(running: RunningGateway) -> None:
    async with connect(running.websocket) as connection:
        numbers = range(1, 301)
        asked = [play_pb2.ConnectRequest(id=n, unwatch=play_pb2.Unwatch(watch_id=n)).SerializeToString() for n in numbers]
        connection.transport.write(b"".join(masked(Opcode.BINARY, frame) for frame in asked))
        answers = [play_pb2.ConnectResponse.FromString(await connection.recv()) for _ in asked]  # type: ignore[arg-type]
        assert [answer.id for answer in answers] == list(numbers)


async def test_a_breach_of_the_protocol_ends_the_connection(running: RunningGateway, peer: Peer) -> None:
    said = await said_until_the_end(running, HANDSHAKE, b"\x82\x05plain")
    assert b"\x03\xeaincorrect masking" in said
    await peer.until(lambda: not running.gateway.streams._addresses)
