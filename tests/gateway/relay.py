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
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield self
        server.close()
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        passing = asyncio.create_task(self._join(reader, writer))
        self._passing.add(passing)
        # However the task ends, even before its first step: asyncio closes nothing whose task was cancelled, and forgets what
        # the other side has closed, until the garbage collector blames the test that is running then.
        passing.add_done_callback(lambda _: writer.close())

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = self._target.rpartition(":")
        back_reader, back_writer = await asyncio.open_connection(host, int(port))
        with contextlib.closing(back_writer):
            await asyncio.gather(self._pass(reader, back_writer, True), self._pass(back_reader, writer, False))

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, counts: bool) -> None:
        with contextlib.closing(sink), contextlib.suppress(OSError):  # one of both has gone, and so does the other
            while data := await source.read(65_536):
                self.pings += data.count(_PING) if counts else 0
                sink.write(data)
                await sink.drain()
