"""The socket of the web endpoint: what its connections send does not wait for acknowledgements."""

import asyncio
import socket
from collections.abc import Callable

import pytest
import uvloop

from gateway.endpoints.web_endpoint import bind


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_a_connections_data_leaves_at_once_on_any_loop(new_loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def is_sent_at_once() -> bool:
        found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        async def accepted(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connected = writer.get_extra_info("socket")
            found.set_result(bool(connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
            writer.close()

        listening = bind("127.0.0.1:0")
        port = listening.getsockname()[1]
        async with await asyncio.start_server(accepted, sock=listening):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            is_on = await found
            writer.close()
        return is_on

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(is_sent_at_once())
