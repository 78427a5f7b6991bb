"""A client of the Connect protocol: paths, headers, and the envelopes of its streams."""

import json
import struct
from collections.abc import AsyncIterator
from typing import Any

import httpx

SERVICE = "/brettwerk.v1.PlayService"
JSON, PROTO = {"content-type": "application/json"}, {"content-type": "application/proto"}
STREAM_JSON, STREAM_PROTO = {"content-type": "application/connect+json"}, {"content-type": "application/connect+proto"}


def enveloped(message: bytes, flags: int = 0) -> bytes:
    return struct.pack(">BI", flags, len(message)) + message


WATCH_07ABC = enveloped(b'{"sessionId": "07abc"}')


async def envelopes(response: httpx.Response) -> AsyncIterator[tuple[int, bytes]]:
    waiting = b""
    async for data in response.aiter_bytes():
        waiting += data
        while len(waiting) >= 5 and len(waiting) >= 5 + int.from_bytes(waiting[1:5]):
            size = int.from_bytes(waiting[1:5])
            yield waiting[0], waiting[5 : 5 + size]
            waiting = waiting[5 + size :]
    assert not waiting, "the last message is whole"


async def ended(client: httpx.AsyncClient, body: bytes, headers: dict[str, str]) -> dict[str, Any]:
    """Return the error at the end of a stream that has nothing else."""
    async with client.stream("POST", f"{SERVICE}/Watch", content=body, headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == headers["content-type"]
        ((flags, end),) = [each async for each in envelopes(response)]
    assert flags == 2
    found: dict[str, Any] = json.loads(end)["error"]
    return found
