"""Attacks by texts in JSON that are dear to read, and by bodies that grow when they are read."""

import gzip
import itertools
import json

import httpx

from loadtests.attacks.target import ADDRESS, Target

DEPTH = 100_000
DIGITS = 200_000
REPEATED = 500_000


async def deep_texts(target: Target) -> None:
    """Nest a hundred thousand objects and lists."""
    lists, objects = b"[" * DEPTH, b'{"record":' * DEPTH
    await _flood(target, "CheckRecord", [lists, objects, b'{"record":{"entries":' + lists, b'{"record":' + objects])


async def long_numbers(target: Target) -> None:
    """Send numbers of two hundred thousand digits, whole, broken and to a power."""
    digits = b"9" * DIGITS
    numbers = [digits, b"0." + digits, b"1e" + digits, b"-" + digits, b'"' + digits + b'"']
    await _flood(target, "GetSession", [b'{"sessionId":"x","fromVersion":%s}' % number for number in numbers])


async def repeated_fields(target: Target) -> None:
    """Repeat a field, a key and an element half a million times."""
    field = b'{"record":{' + b'"game":"x",' * REPEATED + b'"game":"x"}}'
    elements = json.dumps({"record": {"entries": [{}] * REPEATED}}).encode()
    unknown = ("{" + ",".join(f'"k{number}":0' for number in range(REPEATED)) + "}").encode()
    await _flood(target, "CheckRecord", [field, elements, unknown])


async def gzip_bombs(target: Target) -> None:
    """Send small bodies that are said to be compressed, and are hundreds of megabytes then, as JSON, Connect and its streams."""
    bomb = gzip.compress(bytes(300_000_000), 9)
    ways = itertools.cycle(
        [
            ("v1/CheckRecord", {"content-type": "application/json", "content-encoding": "gzip"}, bomb),
            ("brettwerk.v1.PlayService/CheckRecord", {"content-type": "application/json", "content-encoding": "gzip"}, bomb),
            ("brettwerk.v1.PlayService/CheckRecord", {"content-type": "application/proto", "content-encoding": "gzip"}, bomb),
            (
                "brettwerk.v1.PlayService/Watch",
                {"content-type": "application/connect+proto", "connect-content-encoding": "gzip"},
                b"\x01" + len(bomb).to_bytes(4, "big") + bomb,
            ),
        ]
    )
    async with httpx.AsyncClient(timeout=30) as client:

        async def one() -> None:
            path, headers, body = next(ways)
            try:
                response = await client.post(
                    f"http://{target.web_address}/{path}", content=body, headers={**headers, "x-forwarded-for": ADDRESS}
                )
                target.tally[str(response.status_code)] += 1
            except httpx.HTTPError as error:
                target.tally[type(error).__name__] += 1

        await target.flood(one, 8)


async def _flood(target: Target, method: str, bodies: list[bytes]) -> None:
    turns = itertools.cycle(bodies)
    async with httpx.AsyncClient(timeout=30) as client:
        await target.flood(lambda: target.post(client, method, next(turns)), 8)
