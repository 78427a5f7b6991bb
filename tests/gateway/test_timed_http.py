"""A client that does not say what it wants is parted from; one that does is served however long it takes."""

import asyncio

import pytest

from gateway import timed_http
from tests.gateway.endpoints import RunningGateway


async def closed(reader: asyncio.StreamReader) -> bytes:
    try:
        return await asyncio.wait_for(reader.read(), 20)
    except ConnectionError:
        return b""


@pytest.mark.parametrize("said", [b"", b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\n", b"GET /v1/hea"])
async def test_a_connection_without_whole_headers_is_cut(
    running: RunningGateway, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(timed_http, "HEADERS_S", 0.2)
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    writer.write(said)
    assert await closed(reader) == b""
    writer.close()


async def test_a_request_whose_headers_are_there_has_its_answer(running: RunningGateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_http, "HEADERS_S", 1)
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
"""What Java's HTTP client says in each request without TLS."""
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


async def test_what_follows_an_offer_on_its_connection_is_answered_too(running: RunningGateway) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", running.gateway.web.port)
    offering = TO_CREATE + OFFER.replace(b", close", b"") + b"content-length: %d\r\n\r\n%s" % (len(ADA), ADA)
    writer.write(offering + offering + b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
    assert (await closed(reader)).count(b"HTTP/1.1 200 OK") == 3
    writer.close()
