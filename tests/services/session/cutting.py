"""A network between a process and its Redis that can be cut: nothing comes through then, and nobody is told."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from tests.ports import free_port


class Network:
    """Passes bytes on, in both directions, unless it is cut; what was sent meanwhile arrives when it is mended."""

    def __init__(self, url: str) -> None:
        self._to = urlsplit(url)
        self._port = free_port()
        self._is_whole = asyncio.Event()
        self._is_whole.set()
        self._held = b""
        self._has_held = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None
        self.url = f"redis://127.0.0.1:{self._port}{self._to.path}"

    def cut(self) -> None:
        self._held = b""
        self._is_whole.clear()

    def mend(self) -> None:
        self._is_whole.set()

    async def until_held(self, words: bytes) -> None:
        """Return when something that was sent since the cut, and waits here, has these words in it."""
        async with asyncio.timeout(30):
            while words not in self._held:
                self._has_held.clear()
                await self._has_held.wait()

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self._port)

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):  # those that wait to connect, too: afterwards nobody would close what they open
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        self._keep(asyncio.current_task())
        await self._is_whole.wait()
        to_reader, to_writer = await asyncio.open_connection(self._to.hostname, self._to.port)
        self._writers.append(to_writer)
        for source, sink in ((reader, to_writer), (to_reader, writer)):
            self._keep(asyncio.create_task(self._pass(source, sink)))

    def _keep(self, task: "asyncio.Task[None] | None") -> None:
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if not self._is_whole.is_set():
                    self._held += data
                    self._has_held.set()
                    await self._is_whole.wait()
                sink.write(data)
                await sink.drain()
        sink.close()


@contextlib.asynccontextmanager
async def network(url: str) -> AsyncIterator[Network]:
    made = Network(url)
    await made.open()
    try:
        yield made
    finally:
        await made.close()
