"""Answers GET over HTTP for Prometheus and probes, from a thread of its own: bounded in bytes, in time and in connections.

One request a connection, whose body, if it has one, is not read (RFC 9112). The servers of the standard library, which
`prometheus_client` uses, begin a thread for every connection and wait for ever.
"""

import asyncio
import socket
import threading
from collections.abc import Iterable
from http import HTTPStatus
from wsgiref.types import WSGIApplication

from services.runtime import server_socket
from services.runtime.logs import logger

log = logger(__name__)

HEAD_BYTES = 32 * 1024
"""The most bytes of a request line with its header fields; more are refused (431)."""
FIELDS = 100
"""The most header fields."""
CONNECTION_S = 10.0
"""How long a connection may last."""
CONNECTIONS = 100
"""How many connections there may be; for one more, the oldest one is cut."""


def serve(listen: str, application: WSGIApplication) -> None:
    """Serve an application, which sees only method, path, query and header fields, at `listen` (host:port).

    Raises OSError when the port is taken, ValueError when `listen` is no address.
    """
    bound = server_socket.bind(listen)
    threading.Thread(target=lambda: asyncio.run(_serve(bound, application)), name=f"http {listen}", daemon=True).start()


async def _serve(listening: socket.socket, application: WSGIApplication) -> None:
    open_ones: dict[asyncio.StreamWriter, None] = {}

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(open_ones) >= CONNECTIONS:
            next(iter(open_ones)).transport.abort()
        open_ones[writer] = None
        try:
            async with asyncio.timeout(CONNECTION_S):
                writer.write(await _response(reader, application))
                await writer.drain()
                writer.close()
                await writer.wait_closed()
        except (OSError, EOFError, TimeoutError):
            writer.transport.abort()
        finally:
            del open_ones[writer]

    server = await asyncio.start_server(answer, sock=listening, limit=HEAD_BYTES)
    await server.serve_forever()


async def _response(reader: asyncio.StreamReader, application: WSGIApplication) -> bytes:
    """Return the response to the request that comes. Raises EOFError if there comes none."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        return _written(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
    line, *fields = head[:-4].decode("latin-1").split("\r\n")
    if len(fields) > FIELDS:
        return _written(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
    parts = line.split(" ")
    if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
        return _written(HTTPStatus.BAD_REQUEST)
    method, (path, _, query) = parts[0], parts[1].partition("?")
    environment = {"REQUEST_METHOD": "GET" if method == "HEAD" else method, "PATH_INFO": path, "QUERY_STRING": query}
    for field in fields:
        name, _, value = field.partition(":")
        environment["HTTP_" + name.upper().replace("-", "_")] = value.strip()
    status, headers = "", [("", "")]

    def start_response(given: str, given_headers: list[tuple[str, str]], *_: object) -> None:
        nonlocal status, headers
        status, headers = given, given_headers

    try:
        body = b"".join(application(environment, start_response))  # type: ignore[arg-type]
    except Exception:
        log.exception("request failed", path=path)
        return _written(HTTPStatus.INTERNAL_SERVER_ERROR)
    return _written(status, headers, body, is_shown=method != "HEAD")


def _written(
    status: str | HTTPStatus, headers: Iterable[tuple[str, str]] = (), body: bytes = b"", *, is_shown: bool = True
) -> bytes:
    said = f"{status.value} {status.phrase}" if isinstance(status, HTTPStatus) else status
    fields = [*headers, ("Content-Length", str(len(body))), ("Connection", "close")]
    lines = [f"HTTP/1.1 {said}", *(f"{name}: {value}" for name, value in fields), "", ""]
    return "\r\n".join(lines).encode() + (body if is_shown else b"")
