"""A network that can be cut: `python -m loadtests.chaos.proxy LISTEN TARGET` passes TCP connections on between two local ports.

Each line on its standard input is a mode: `pass`; `hold`, in which nothing moves and what was sent comes later; `refuse`, in
which connections are broken off and no new one is taken.
"""

import asyncio
import contextlib
import sys

_PIECE = 65_536


class Proxy:
    """Passes connections on, or does not."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._moves = asyncio.Event()
        self._moves.set()
        self._refuses = False
        self._writers: set[asyncio.StreamWriter] = set()

    def tell(self, mode: str) -> None:
        """Change the mode."""
        self._refuses = mode == "refuse"
        if mode == "hold":
            self._moves.clear()
        else:
            self._moves.set()
        if self._refuses:
            for writer in self._writers:
                writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass one connection on until it ends."""
        self._writers.add(writer)
        try:
            await self._moves.wait()
            if self._refuses:
                return
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.add(there_writer)
            try:
                ways = [asyncio.create_task(self._pass_on(a, b)) for a, b in ((reader, there_writer), (there_reader, writer))]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
            finally:
                self._writers.discard(there_writer)
                there_writer.transport.abort()
        except OSError:
            pass
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_PIECE):
                await self._moves.wait()
                writer.write(data)
                await writer.drain()


async def main(listen: int, target: int) -> None:
    """Serve until standard input ends."""
    proxy = Proxy(target)
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", listen):
        while line := await commands.readline():
            proxy.tell(line.decode().strip())


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
