"""A session service and a gateway in this process, both real."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from gateway.process import Gateway
from services.runtime.server import serve
from services.runtime.settings import Settings
from tests.gateway.doors import Door, House, Talk, open_door, open_talk
from tests.gateway.peer import Peer

KEY = "a key that is used in tests and nowhere else"

OpenHouse = Callable[..., Awaitable[House]]
OpenDoor = Callable[..., Awaitable[Door]]
OpenTalk = Callable[..., Awaitable[Talk]]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def make_config(peer_port: int, **changes: Any) -> Settings:
    usual: dict[str, Any] = {
        "secret_key": KEY,
        "session_address": f"127.0.0.1:{peer_port}",
        "gateway_listen": f"127.0.0.1:{free_port()}",
        "http_listen": "127.0.0.1:0",
        "web_folder": "",
        "drain_s": 0,
        "grace_s": 5,
        "rate_per_s": 1e6,
        "rate_burst": 1_000_000,
        "address_rate_per_s": 1e6,
        "address_rate_burst": 1_000_000,
    }
    return Settings(**{**usual, **changes})


@pytest.fixture
async def peer() -> AsyncIterator[Peer]:
    service = Peer()
    await service.start()
    yield service
    await service.stop()


@pytest.fixture
async def open_house(peer: Peer) -> AsyncIterator[OpenHouse]:
    """Opens gateways; settings may be changed by name."""
    houses: list[House] = []

    async def open_one(**changes: Any) -> House:
        config = make_config(peer.port, **changes)
        gateway, stopping = Gateway(config), asyncio.Event()
        serving = asyncio.create_task(serve(gateway, config.gateway_listen, config, stopping))
        house = House(gateway, config, config.gateway_listen, stopping, serving)
        houses.append(house)
        async with asyncio.timeout(20), httpx.AsyncClient(trust_env=False) as client:
            while True:
                await asyncio.sleep(0.01)
                if serving.done():
                    serving.result()
                if hasattr(gateway, "web") and (await client.get(f"{house.web}/v1/health")).status_code == 200:
                    return house

    yield open_one
    for house in houses:
        await house.stop()


@pytest.fixture
async def house(open_house: OpenHouse) -> House:
    return await open_house()


@pytest.fixture
async def through() -> AsyncIterator[OpenDoor]:
    """Opens doors by name and closes them in the end."""
    doors: list[Door] = []

    async def open_one(name: str, house: House, token: str = "") -> Door:
        doors.append(await open_door(name, house, token))
        return doors[-1]

    yield open_one
    for door in doors:
        await door.close()


@pytest.fixture
async def talk_to() -> AsyncIterator[OpenTalk]:
    """Opens Connect streams by name and closes them in the end."""
    talks: list[Talk] = []

    async def open_one(name: str, house: House) -> Talk:
        talks.append(await open_talk(name, house))
        return talks[-1]

    yield open_one
    for talk in talks:
        await talk.close()


@pytest.fixture
async def client(house: House) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the house."""
    async with httpx.AsyncClient(base_url=house.web, trust_env=False, timeout=20) as one:
        yield one


@pytest.fixture
def token(house: House) -> str:
    """A player's token."""
    from brettwerk.v1 import play_pb2

    made = house.gateway.players.create(play_pb2.CreatePlayerRequest(name="Ada"), "nowhere")
    return made.player_token
