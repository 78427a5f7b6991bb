"""Reads the body of a request, bounded in size and time."""

import asyncio

from starlette.requests import ClientDisconnect, Request

from gateway.web_refusal import Misfit

BODY_S = 30.0
"""How long a body may take to arrive."""


async def read_body(request: Request, name: str, max_bytes: int) -> bytes:
    """Return the body of a call of the method `name`. Raises Misfit: 413, 408 and 400."""
    too_large = Misfit(413, f"the body is larger than the {max_bytes} bytes that {name} takes")
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > max_bytes:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    raise too_large
    except TimeoutError:
        raise Misfit(408, "the body did not arrive in time") from None
    except ClientDisconnect:
        raise Misfit(400, "the body is not complete") from None
    return bytes(body)
