"""Reads the body of a request, bounded in size, in time, and in the memory of all that arrive at once."""

import asyncio

from starlette.requests import ClientDisconnect, Request

from gateway.http.arrival import Arrival
from gateway.http.web_refusal import Misfit

BODY_S = 30.0
"""How long a body may take to arrive."""


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
