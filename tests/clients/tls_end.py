"""The end of TLS before a server, as a load balancer's is: what comes encrypted goes on plainly, and the other way round."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

from tests.certificates import Authority


@contextlib.asynccontextmanager
async def tls_end(address: str, folder: Path) -> AsyncIterator[tuple[str, bytes]]:
    """Yield where the server of an address can be reached encrypted (localhost:port), and its authority's certificate."""
    authority = Authority(folder)
    files = authority.issue("endpoint")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files["BRETTWERK_TLS_CERTIFICATE"], files["BRETTWERK_TLS_KEY"])
    context.set_alpn_protocols(["h2"])
    host, _, port = address.rpartition(":")

    open_writers: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(host, int(port))
        open_writers.update((writer, back))
        await asyncio.gather(_pass_on(reader, back), _pass_on(there, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        try:
            yield f"localhost:{server.sockets[0].getsockname()[1]}", authority.file.read_bytes()
        finally:
            for each in open_writers:
                each.close()
            for each in open_writers:
                with contextlib.suppress(OSError, TimeoutError):
                    async with asyncio.timeout(5):
                        await each.wait_closed()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()
