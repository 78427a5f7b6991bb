"""Reads the body of a request, bounded in size, in time, and in the memory of all that arrive at once.

Each request that is not complete is bounded by itself, but there may be thousands at a time: what was received of them is bounded
for all clients of the process, so that none fills its memory.
"""

import asyncio

from starlette.requests import ClientDisconnect, Request

from brettwerk.v1 import errors_pb2
from gateway.http.responses import Misfit
from services.runtime.refusal import Refused

BODY_S = 30.0
"""How long a body may take to arrive."""
MAX_BYTES_IN_ALL = 160 * 1024 * 1024
"""How many bytes of unfinished requests there may be in this process; beyond that, those above SMALL_BYTES are refused."""
SMALL_BYTES = 64 * 1024


class Arrival:
    """A request, or the requests of one connection, as far as they have arrived."""

    in_all = 0
    """How many bytes of unfinished requests there are in this process."""

    def __init__(self) -> None:
        self._bytes = 0

    def keep(self, size: int) -> None:
        """Count that `size` bytes are kept now. Raises Refused (FULL) if that is too much."""
        Arrival.in_all += size - self._bytes
        self._bytes = size
        if size > SMALL_BYTES and Arrival.in_all > MAX_BYTES_IN_ALL:
            raise Refused(errors_pb2.REASON_FULL, "too many large requests are arriving at once", retry_after_ms=1000)

    def end(self) -> None:
        """Count nothing any more."""
        Arrival.in_all -= self._bytes
        self._bytes = 0


async def read_body(request: Request, name: str, max_bytes: int) -> bytes:
    """Return the body of a call of the method `name`. Raises Misfit (413, 408 and 400), and Refused (FULL)."""
    too_large = Misfit(413, f"the body is larger than the {max_bytes} bytes that {name} takes")
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > max_bytes:
        raise too_large
    body, arrival = bytearray(), Arrival()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    raise too_large
                arrival.keep(len(body))
    except TimeoutError:
        raise Misfit(408, "the body did not arrive in time") from None
    except ClientDisconnect:
        raise Misfit(400, "the body is not complete") from None
    finally:
        arrival.end()
    return bytes(body)
