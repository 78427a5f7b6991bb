"""So many connections of an address, and of all, are let in, and those that do not get ready are cut."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from gateway.identity.caller import Addresses
from gateway.limits import entrance
from gateway.limits.entrance import FEW, Entrance, Leave, Newcomer
from tests.certificates import Authority
from tests.gateway.conftest import OpenGateway
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway
from tests.given_settings import GivenSettings

KEY = "a key that is used in tests and nowhere else"


def entrance_of(trusted: str = "", **changes: int) -> Entrance:
    return Entrance(GivenSettings(secret_key=KEY, **changes), Addresses(trusted))


def test_an_address_has_so_many_connections_at_a_time() -> None:
    bounded = entrance_of(web_connections_per_address=8)
    first, *_ = [bounded.enter("192.0.2.1") for _ in range(8)]
    assert bounded.enter("192.0.2.1") is None
    assert bounded.enter("192.0.2.2") is not None
    assert first is not None
    first()
    assert bounded.enter("192.0.2.1") is not None


def test_the_network_of_an_ipv6_address_counts_as_one() -> None:
    bounded = entrance_of(web_connections_per_address=8)
    assert all(bounded.enter(f"2001:db8::{number:x}") for number in range(8))
    assert bounded.enter("2001:db8::ffff") is None


def test_an_address_begins_so_many_connections_in_a_row() -> None:
    bounded = entrance_of(web_connections_per_address=8, address_rate_per_s=1)
    for _ in range(16):
        leave = bounded.enter("192.0.2.1")
        assert leave is not None
        leave()
    assert bounded.enter("192.0.2.1") is None


def test_a_trusted_proxy_has_as_many_as_there_are() -> None:
    bounded = entrance_of("10.0.0.0/8", web_connections=100, web_connections_per_address=8)
    assert all(bounded.enter("10.1.2.3") for _ in range(100))
    assert bounded.enter("10.1.2.3") is None


def test_the_last_quarter_is_for_addresses_with_few_connections() -> None:
    bounded = entrance_of(web_connections=100)
    assert all(bounded.enter(f"192.0.2.{number % 3}") for number in range(75))
    assert bounded.enter("192.0.2.1") is None
    assert all(bounded.enter("198.51.100.1") for _ in range(FEW))
    assert bounded.enter("198.51.100.1") is None
    assert all(bounded.enter("198.51.100.2") for _ in range(FEW))


async def hangs_up(reader: asyncio.StreamReader) -> bool:
    try:
        return await asyncio.wait_for(reader.read(), 20) == b""
    except ConnectionError:
        return True


async def test_one_more_connection_is_cut_before_it_says_anything(open_gateway: OpenGateway) -> None:
    running = await open_gateway(web_connections_per_address=8)
    open_ones = [await asyncio.open_connection("127.0.0.1", running.gateway.web.port) for _ in range(8)]
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    assert await hangs_up(reader)
    for _, one in [*open_ones, (reader, writer)]:
        one.close()


async def test_every_connection_that_has_ended_leaves_its_place(open_gateway: OpenGateway, peer: Peer) -> None:
    running: RunningGateway = await open_gateway(web_connections_per_address=8, address_rate_per_s=1e6)
    for _ in range(20):
        async with connect(running.websocket):
            pass
        with pytest.raises(InvalidStatus, match="401"):
            await connect(running.websocket, additional_headers={"authorization": "Bearer nonsense"})
        reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
        writer.write(b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        assert (await asyncio.wait_for(reader.read(), 20)).startswith(b"HTTP/1.1 200 OK")
        writer.close()
    await peer.until(lambda: not running.gateway.web._server.server_state.connections)


class Echo(asyncio.Protocol):
    """Says what it hears."""

    def __init__(self, leave: Leave) -> None:
        self._leave = leave

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._transport.write(data)  # type: ignore[attr-defined] # it is that of a socket

    def connection_lost(self, _: Exception | None) -> None:
        self._leave()


async def at_an_entrance(folder: Path, ask: Callable[[int, ssl.SSLContext], Awaitable[None]], per_address: int = 8) -> None:
    """Ask at a port that wants TLS and lets so many of an address in; in the end all have left."""
    authority = Authority(folder)
    files = authority.issue("gateway")
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(files["BRETTWERK_TLS_CERTIFICATE"], files["BRETTWERK_TLS_KEY"])
    bounded = entrance_of(web_connections_per_address=per_address)
    loop = asyncio.get_running_loop()
    async with await loop.create_server(lambda: Newcomer(bounded, tls, Echo), "127.0.0.1", 0) as server:
        await ask(server.sockets[0].getsockname()[1], ssl.create_default_context(cafile=str(authority.file)))
        async with asyncio.timeout(20):
            while bounded._by_address or bounded._handshakes:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)


@pytest.fixture(params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Callable[[object], None]:
    """Both event loops: that of these tests, and that of the gateway."""
    found: Callable[[object], None] = request.param
    return found


def test_an_encrypted_connection_is_let_in(tmp_path: Path, run: Callable[[object], None]) -> None:
    async def ask(port: int, trusting: ssl.SSLContext) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting)
        writer.write(b"hello")
        assert await reader.readexactly(5) == b"hello"
        writer.close()

    run(at_an_entrance(tmp_path, ask))


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n"], ids=["nothing", "half a hello", "no TLS"])
def test_handshakes_that_do_not_end_are_counted_and_cut(
    tmp_path: Path, run: Callable[[object], None], monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(entrance, "HANDSHAKE_S", 0.5)

    async def ask(port: int, trusting: ssl.SSLContext) -> None:
        begun = [await asyncio.open_connection("127.0.0.1", port) for _ in range(9)]
        for _, writer in begun:
            writer.write(said)
        ended = await asyncio.gather(*(hangs_up(reader) for reader, _ in begun))
        assert all(ended) or said.startswith(b"GET")  # who speaks no TLS may be told so
        for _, writer in begun:
            writer.close()
        _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting)
        writer.close()

    run(at_an_entrance(tmp_path, ask))


@pytest.mark.parametrize(("bound", "size"), [("HANDSHAKES", 4), ("HANDSHAKES_PER_ADDRESS", 4)])
def test_the_oldest_handshake_makes_room(
    tmp_path: Path, run: Callable[[object], None], monkeypatch: pytest.MonkeyPatch, bound: str, size: int
) -> None:
    monkeypatch.setattr(entrance, bound, size)

    async def ask(port: int, trusting: ssl.SSLContext) -> None:
        first, *others = [await asyncio.open_connection("127.0.0.1", port) for _ in range(size)]
        for _ in range(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting)
            writer.write(b"hello")
            assert await reader.readexactly(5) == b"hello"
            writer.close()
        assert await hangs_up(first[0])
        for _, writer in [first, *others]:
            writer.close()

    run(at_an_entrance(tmp_path, ask, 20))
