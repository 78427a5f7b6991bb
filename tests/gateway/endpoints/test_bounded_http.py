"""A client that does not say what it wants, or has no end, is parted from; one that does is served however long it takes."""

import asyncio
import itertools
from collections.abc import Iterable

import pytest

from brettwerk.v1 import games_pb2, play_pb2, sessions_pb2
from gateway.endpoints import bounded_http
from gateway.endpoints.bounded_http import FIELDS, HEAD_BYTES, PIPELINED
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway
from tests.gateway.sharing import shared_peer, shared_running

peer, running = shared_peer, shared_running


async def closed(reader: asyncio.StreamReader) -> bytes:
    try:
        return await asyncio.wait_for(reader.read(), 20)
    except ConnectionError:
        return b""


@pytest.mark.parametrize("said", [b"", b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\n", b"GET /v1/hea"])
async def test_a_connection_without_whole_headers_is_cut(
    running: RunningGateway, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(bounded_http, "HEADERS_S", 0.2)
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    writer.write(said)
    assert await closed(reader) == b""
    writer.close()


async def test_a_request_whose_headers_are_there_has_its_answer(running: RunningGateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_http, "HEADERS_S", 1)
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    body = b'{"name":"Ada","requestId":"request 1"}'
    head = b"POST /v1/CreatePlayer HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\n"
    writer.write(head + b"content-length: %d\r\n\r\n" % len(body))
    silent, other = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    assert await closed(silent) == b""  # it came later and is cut, so the time is over
    other.close()
    writer.write(body)
    assert (await closed(reader)).startswith(b"HTTP/1.1 200 OK")
    writer.close()


OFFER = b"connection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAAAAIAAAABAAMAAABk\r\n"
"""The headers of Java's HTTP client in each request without TLS."""
TO_CREATE = b"POST /v1/CreatePlayer HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
ADA = b'{"name":"Ada","requestId":"request of Ada"}'


@pytest.mark.parametrize(
    "body",
    [
        b"content-length: %d\r\n\r\n%s" % (len(ADA), ADA),
        b"transfer-encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(ADA), ADA),
    ],
    ids=["with its length", "in chunks"],
)
@pytest.mark.parametrize("first", [40, 250, 1000])
async def test_a_request_that_offers_another_protocol_is_answered_in_this_one(
    running: RunningGateway, body: bytes, first: int
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    said = TO_CREATE + OFFER + body
    writer.write(said[:first])
    await writer.drain()
    writer.write(said[first:])
    answer = await closed(reader)
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b'"playerToken"' in answer
    writer.close()


async def test_a_request_after_an_offer_on_its_connection_is_answered_too(running: RunningGateway) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    offering = TO_CREATE + OFFER.replace(b", close", b"") + b"content-length: %d\r\n\r\n%s" % (len(ADA), ADA)
    writer.write(offering + offering + b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
    assert (await closed(reader)).count(b"HTTP/1.1 200 OK") == 3
    writer.close()


HANDSHAKE = (
    b"GET /v1/connect HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
    b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n"
)
PAGE = b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\n"
CHUNKED = TO_CREATE + b"transfer-encoding: chunked\r\n\r\n"
MAX_SENT = 64 * HEAD_BYTES
"""The bytes that an attack may get rid of before its connection is cut: those on their way."""


async def said_in_the_end(running: RunningGateway, pieces: Iterable[bytes]) -> tuple[bytes, int]:
    """Send pieces until the gateway hangs up; return what it said and how much it was sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    answer, sent = asyncio.create_task(closed(reader)), 0
    for piece in pieces:
        if answer.done() or sent > MAX_SENT:
            break
        writer.write(piece)
        sent += len(piece)
        try:
            await writer.drain()
        except ConnectionError:
            break
        await asyncio.sleep(0)
    try:
        return await answer, sent
    finally:
        writer.close()


def for_ever(first: bytes, piece: bytes) -> Iterable[bytes]:
    return itertools.chain([first], itertools.repeat(piece))


@pytest.mark.parametrize(
    "pieces",
    [
        for_ever(PAGE + b"x-long: ", b"x" * 5000),
        for_ever(PAGE + b"x-", b"x" * 5000),
        for_ever(PAGE, b"x-many: y\r\n" * 50),
        for_ever(PAGE + b"x-folded: y\r\n", b" folded\r\n" * 500),
        for_ever(PAGE + b"x-empty:", b" " * 5000),
        for_ever(b"GET /", b"x" * 5000),
        for_ever(b"GET ", b" " * 5000),
        for_ever(b"", b"\r\n" * 2500),
        for_ever(HANDSHAKE + b"x-long: ", b"x" * 5000),
        for_ever(HANDSHAKE, b"x-many: y\r\n" * 50),
    ],
    ids=[
        "a value",
        "a name",
        "fields",
        "a folded value",
        "spaces in a field",
        "a target",
        "spaces before a target",
        "empty lines",
        "a value in a handshake",
        "fields in a handshake",
    ],
)
async def test_a_head_without_end_is_refused(running: RunningGateway, pieces: Iterable[bytes]) -> None:
    answer, sent = await said_in_the_end(running, pieces)
    assert sent < MAX_SENT
    assert not answer or answer.startswith((b"HTTP/1.1 431 ", b"HTTP/1.1 400 ")), answer


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (PAGE + b"x: y\r\n" * (FIELDS - 2) + b"connection: close\r\n\r\n", b"200 OK"),
        (PAGE + b"x: y\r\n" * FIELDS + b"connection: close\r\n\r\n", b"431 Request Header Fields Too Large"),
        (PAGE + b"connection: close\r\nx: " + b"y" * (HEAD_BYTES - 100) + b"\r\n\r\n", b"200 OK"),
        (PAGE + b"connection: close\r\nx: " + b"y" * HEAD_BYTES + b"\r\n\r\n", b"431 Request Header Fields Too Large"),
        (b"GET /" + b"x" * HEAD_BYTES + b" HTTP/1.1\r\nhost: localhost\r\n\r\n", b"431 Request Header Fields Too Large"),
        (HANDSHAKE + b"x: " + b"y" * HEAD_BYTES + b"\r\n\r\n", b"431 Request Header Fields Too Large"),
    ],
    ids=["as many fields as may be", "one more", "as long as may be", "longer", "a long target", "a long handshake"],
)
async def test_a_head_has_so_many_fields_and_bytes(running: RunningGateway, said: bytes, status: bytes) -> None:
    answer, _ = await said_in_the_end(running, [said])
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert status.startswith(b"200") or b'"reason": "REASON_MALFORMED"' in answer


@pytest.mark.parametrize(
    "pieces",
    [
        for_ever(CHUNKED + b"0\r\nx-long: ", b"x" * 5000),
        for_ever(CHUNKED + b"0\r\n", b"x-many: y\r\n" * 50),
        for_ever(CHUNKED + b"1;", b"x" * 5000),
        for_ever(CHUNKED, b"1;" + b"x" * 500 + b"\r\ny\r\n"),
        for_ever(CHUNKED, b"0" * 5000),
        for_ever(CHUNKED, b"1\r\n \r\n" * 500),
    ],
    ids=["a trailer", "trailers", "an extension", "extensions", "a size", "chunks of a byte"],
)
async def test_headers_and_trailers_of_a_body_are_bounded(running: RunningGateway, pieces: Iterable[bytes]) -> None:
    answer, sent = await said_in_the_end(running, pieces)
    assert sent < MAX_SENT
    assert not answer or answer.startswith(b"HTTP/1.1 400 "), answer


@pytest.mark.parametrize("end", [b"0\r\nx: ", b"0;"], ids=["a trailer", "an extension"])
async def test_no_more_surrounds_a_large_body_at_its_end_than_none(running: RunningGateway, end: bytes) -> None:
    head = CHUNKED.replace(b"CreatePlayer", b"CheckRecord")
    body = b"%x\r\n%s{}\r\n" % (300_002, b" " * 300_000)
    answer, _ = await said_in_the_end(running, [head + body + end + b"y" * 4 * HEAD_BYTES + b"\r\n\r\n"])
    # Bytes on their way when the gateway hangs up may cost its last words.
    assert not answer or (answer.startswith(b"HTTP/1.1 400 ") and b"what surrounds a body" in answer), answer


async def test_trailers_are_ignored(running: RunningGateway) -> None:
    body = b"%x\r\n%s\r\n0\r\nauthorization: Bearer nonsense\r\n\r\n" % (len(ADA), ADA)
    answer, _ = await said_in_the_end(running, [CHUNKED[:-2] + b"connection: close\r\n\r\n", body])
    assert answer.startswith(b"HTTP/1.1 200 OK")


async def test_a_body_in_small_chunks_is_read(running: RunningGateway) -> None:
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in ADA)
    answer, _ = await said_in_the_end(running, [CHUNKED[:-2] + b"connection: close\r\n\r\n", chunks, b"0\r\n\r\n"])
    assert answer.startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize(
    "lie",
    [
        b"content-length: -1\r\n\r\n",
        b"content-length: 1\r\ncontent-length: 2\r\n\r\n",
        b"content-length: 18446744073709551616\r\n\r\n",
        b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"content-length: 99999999\r\n\r\n",
    ],
    ids=["negative", "two", "more than 64 bits", "beside chunks", "too large"],
)
async def test_a_length_that_cannot_be_is_refused_before_the_body(running: RunningGateway, lie: bytes) -> None:
    answer, _ = await said_in_the_end(running, [TO_CREATE + b"connection: close\r\n" + lie])
    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 413 ")), answer


async def test_requests_may_follow_each_other_and_more_than_that_are_cut(running: RunningGateway) -> None:
    request, last = PAGE + b"\r\n", PAGE + b"connection: close\r\n\r\n"
    answer, _ = await said_in_the_end(running, [request * PIPELINED + last])
    assert answer.count(b"HTTP/1.1 200 OK") == PIPELINED + 1
    answer, _ = await said_in_the_end(running, [request * 2 * PIPELINED + last])
    assert answer.count(b"HTTP/1.1 200 OK") <= PIPELINED + 1


async def test_a_long_row_of_offers_harms_nobody(running: RunningGateway, caplog: pytest.LogCaptureFixture) -> None:
    offering = PAGE + OFFER.replace(b", close", b"") + b"\r\n"
    await said_in_the_end(running, [offering * 1500])
    answer, _ = await said_in_the_end(running, [PAGE + b"connection: close\r\n\r\n"])
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("rest", [b"content-length: 5000\r\n\r\n", b"transfer-encoding: chunked\r\n\r\n"])
async def test_a_body_that_nobody_reads_has_its_time_too(
    running: RunningGateway, monkeypatch: pytest.MonkeyPatch, rest: bytes
) -> None:
    monkeypatch.setattr(bounded_http, "REQUEST_S", 0.3)
    answer, _ = await said_in_the_end(running, [b"POST /nothing HTTP/1.1\r\nhost: localhost\r\n" + rest, b"x"])
    assert answer.startswith((b"HTTP/1.1 405 ", b"HTTP/1.1 400 "))


async def test_empty_lines_do_not_keep_a_connection(running: RunningGateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_http, "HEADERS_S", 0.5)
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    writer.write(PAGE + b"\r\n")
    answer = asyncio.create_task(closed(reader))
    for _ in range(200):
        if answer.done():
            break
        await asyncio.sleep(0.1)
        writer.write(b"\r\n")
    assert answer.done()
    assert (await answer).startswith(b"HTTP/1.1 200 OK")
    writer.close()


async def test_a_client_that_does_not_read_is_cut(running: RunningGateway, peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_http, "READ_S", 0.3)
    many = sessions_pb2.Update(actions=[games_pb2.ActionChoice(notation="x" * 1000)] * 7000)
    peer.handlers["get_session"] = lambda _, __: play_pb2.GetSessionResponse(update=many)
    _, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port, limit=1024)
    writer.transport.pause_reading()  # type: ignore[attr-defined] # a transport of a socket can
    asked = b'{"sessionId":"x"}'
    head = b"POST /v1/GetSession HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    writer.write(head + b"content-length: %d\r\n\r\n%s" % (len(asked), asked))
    connections = running.gateway.web._server.server_state.connections
    await peer.until(lambda: bool(connections))
    await peer.until(lambda: not connections)
    assert len(peer.calls) == 1
    writer.close()
