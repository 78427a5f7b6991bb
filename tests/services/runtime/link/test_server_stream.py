"""The reaction of a stream of calls to a message that it does not take."""

import asyncio
import struct
from typing import Any

import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import StreamReset

from services.runtime.channel import MESSAGE_BYTES
from tests.grpc_http2.test_frames import HEADERS, frame
from tests.services.runtime.link.ends import AtOnce, echo, served

OPEN = [(name, "/brettwerk.internal.v1.LinkService/Open" if name == ":path" else value) for name, value in HEADERS]


@pytest.mark.parametrize("prefix", [b"\1" + bytes(4), struct.pack(">BI", 0, MESSAGE_BYTES + 1)], ids=["compressed", "too large"])
async def test_a_message_that_is_not_taken_ends_its_stream_only(prefix: bytes) -> None:
    async with served(AtOnce(echo)) as (_, where):  # type: ignore[abstract]
        host, _, port = where.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        client = H2Connection(H2Configuration(client_side=True))
        client.initiate_connection()
        client.send_headers(1, OPEN)
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
