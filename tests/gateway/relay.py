"""Between a client and the gateway: passes all bytes on, and counts connections and the client's signs of life."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

_PING = b"\0\0\x08\x06\0\0\0\0\0"


class Relay:
    """`address` is where clients connect."""

    def __init__(self, target: str) -> None:
        self.connections = 0
        self.pings = 0
        self.address = ""
        self._target = target
        self._passing: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["Relay"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield self
        server.close()
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        connecting = asyncio.current_task()
        assert connecting
        self._passing.add(connecting)  # one that is under way at the end would leave a connection that nobody closes
        host, _, port = self._target.rpartition(":")
        back_reader, back_writer = await asyncio.open_connection(host, int(port))
        for source, sink, counts in ((reader, back_writer, True), (back_reader, writer, False)):
            self._passing.add(asyncio.create_task(self._pass(source, sink, counts)))

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, counts: bool) -> None:
        try:
            while data := await source.read(65_536):
                self.pings += data.count(_PING) if counts else 0
                sink.write(data)
                await sink.drain()
        except OSError:
            pass  # one of both has gone, and so does the other
        finally:
            sink.close()
