"""Attacks by what surrounds requests in HTTP/1.1: heads, trailers, chunks and rows of requests without end."""

from loadtests.attacks.raw_connections import CALL, HANDSHAKE, pour
from loadtests.attacks.target import Target

PAGE = b"GET /v1/health HTTP/1.1\r\nhost: localhost\r\n"
CHUNKED = CALL + b"transfer-encoding: chunked\r\n\r\n"


async def endless_field(target: Target) -> None:
    """Send a header field that does not end."""
    await pour(target, PAGE + b"x: ", b"y")


async def endless_fields(target: Target) -> None:
    """Send header fields without end."""
    await pour(target, PAGE, b"x: y\r\n")


async def endless_target(target: Target) -> None:
    """Ask for an address that does not end."""
    await pour(target, b"GET /", b"x")


async def endless_handshake(target: Target) -> None:
    """Send the header of a WebSocket's handshake without end."""
    await pour(target, HANDSHAKE, b"x: y\r\n")


async def empty_lines(target: Target) -> None:
    """Send empty lines before a request that does not come."""
    await pour(target, b"", b"\r\n")


async def trailers(target: Target) -> None:
    """Send trailer fields without end."""
    await pour(target, CHUNKED + b"0\r\n", b"x: " + b"y" * 50 + b"\r\n")


async def endless_trailer(target: Target) -> None:
    """Send a trailer field that does not end."""
    await pour(target, CHUNKED + b"0\r\nx: ", b"y")


async def chunk_extensions(target: Target) -> None:
    """Send a chunk whose extension does not end."""
    await pour(target, CHUNKED + b"1;", b"x")


async def chunks_of_a_byte(target: Target) -> None:
    """Send a body in chunks of a byte."""
    await pour(target, CHUNKED, b"1\r\n \r\n")


async def rows_of_requests(target: Target) -> None:
    """Send requests without waiting for their answers, and read none."""
    await pour(target, b"", PAGE + b"\r\n", is_read=False)


async def rows_of_offers(target: Target) -> None:
    """Send requests that all offer HTTP/2."""
    await pour(target, b"", PAGE + b"connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAA\r\n\r\n")
