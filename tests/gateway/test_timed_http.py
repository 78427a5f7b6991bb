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
