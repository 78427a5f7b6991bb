"""Callers without a token, who send what costs the server more than them: they are cut off, and services go on calling."""

import asyncio
import contextlib
import itertools
import struct
from typing import Any

import pytest

from loadtests.attacks.http2 import END_HEADERS, HEADERS, PING, RST_STREAM, SETTINGS, WINDOW_UPDATE, Wire, field, frame
from services.runtime.inner_calls import InnerKeys
from services.runtime.link import bounds
from tests.services.runtime.link.ends import AtOnce, channel_to, echo, say, served

BLOCK = b"\x83\x86" + b"".join(
    field(*one)
    for one in (
        (b":path", b"/brettwerk.v1.LinkService/Open"),
        (b":authority", b"x"),
        (b"content-type", b"application/grpc"),
    )
)
FLOODS: dict[str, Any] = {
    "resets": lambda n: frame(HEADERS, END_HEADERS, n, BLOCK) + frame(RST_STREAM, 0, n, struct.pack(">I", 8)),
    "calls": lambda n: frame(HEADERS, END_HEADERS, n, BLOCK),
    "settings": lambda n: frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65_535)),
    "signs of life": lambda n: frame(PING, 0, 0, bytes(8)),
    "windows": lambda n: frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1)),
}


@pytest.fixture
def keys() -> InnerKeys:
    return InnerKeys(["a key that is used in tests and nowhere else"])


@pytest.mark.parametrize("make", FLOODS.values(), ids=FLOODS)
async def test_a_stranger_who_floods_a_server_is_cut_off_and_its_callers_are_answered(
    make: Any, keys: InnerKeys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.link.channel.inner_keys", lambda: keys)
    async with served(AtOnce(echo), keys=keys) as (_, where), channel_to(where) as stub:  # type: ignore[abstract]
        for _ in range(3):
            stranger = await Wire.open(where, "127.0.0.1")
            for number in itertools.count(1, 400):
                if number > 40_000 or stranger.ended_by:
                    break
                with contextlib.suppress(OSError):
                    await stranger.send(b"".join(make(n) for n in range(number, number + 400, 2)))
                assert (await stub.FindGames(say("x"), timeout=20)).next_page_token == "x"
            assert await stranger.ended(5) in ("ENHANCE_YOUR_CALM", "cut")
            await stranger.close()


async def test_strangers_who_say_nothing_keep_no_service_out(keys: InnerKeys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.runtime.link.channel.inner_keys", lambda: keys)
    monkeypatch.setattr(bounds, "CONNECTIONS", 20)
    async with served(AtOnce(echo), keys=keys) as (_, where):  # type: ignore[abstract]
        host, _, port = where.rpartition(":")
        silent = [await asyncio.open_connection(host, int(port)) for _ in range(60)]
        async with channel_to(where) as stub:
            assert (await stub.FindGames(say("x"), timeout=20)).next_page_token == "x"
            more = [await asyncio.open_connection(host, int(port)) for _ in range(60)]
            assert (await stub.FindGames(say("y"), timeout=20)).next_page_token == "y"
        for _, writer in silent + more:
            writer.transport.abort()
