"""A session service and a gateway in this process, both real."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from brettwerk.v1 import play_pb2
from gateway.process import Gateway
from services.runtime.server import serve
from services.runtime.settings import Settings
from tests.gateway.endpoints import Endpoint, House, Talk, open_endpoint, open_talk
from tests.gateway.owners import Owner, heard
from tests.gateway.peer import Peer
from tests.ports import free_port

KEY = "a key that is used in tests and nowhere else"

OpenHouse = Callable[..., Awaitable[House]]
OpenEndpoint = Callable[..., Awaitable[Endpoint]]
OpenTalk = Callable[..., Awaitable[Talk]]


def make_config(peer_port: int, **changes: Any) -> Settings:
    usual: dict[str, Any] = {
        "secret_key": KEY,
        "session_link_address": f"127.0.0.1:{peer_port}",
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run all tests of this folder in one event loop, so that those that harm nobody can share a house."""
    for item in items:
        if Path(__file__).parent in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def peer() -> AsyncIterator[Peer]:
    service = Peer()
    await service.start()
    yield service
    await service.stop()


@contextlib.asynccontextmanager
async def houses(peer: Peer) -> AsyncIterator[OpenHouse]:
    """Open gateways; settings may be changed by name. All are stopped in the end."""
    opened: list[House] = []

    async def open_one(**changes: Any) -> House:
        config = make_config(peer.port, **changes)
        gateway, stopping = Gateway(config), asyncio.Event()
        serving = asyncio.create_task(serve(gateway, config.gateway_listen, config, stopping, is_endpoint=True))
        house = House(gateway, config, config.gateway_listen, stopping, serving)
        opened.append(house)
        async with asyncio.timeout(20), httpx.AsyncClient(trust_env=False) as client:
            while True:
                await asyncio.sleep(0.01)
                if serving.done():
                    serving.result()
                if hasattr(gateway, "web") and (await client.get(f"{house.web}/v1/health")).status_code == 200:
                    return house

    yield open_one
    for house in opened:
        await house.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def open_house(peer: Peer) -> AsyncIterator[OpenHouse]:
    """Opens gateways of this test's own."""
    async with houses(peer) as open_one:
        yield open_one


@pytest_asyncio.fixture(loop_scope="session")
async def house(open_house: OpenHouse) -> House:
    """A gateway of this test's own."""
    return await open_house()


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def shared() -> AsyncIterator[tuple[Peer, House]]:
    """A session service and a gateway for tests that leave both as they were."""
    service = Peer()
    await service.start()
    async with houses(service) as open_one:
        yield service, await open_one()
    await service.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def through() -> AsyncIterator[OpenEndpoint]:
    """Opens endpoints by name and closes them in the end."""
    endpoints: list[Endpoint] = []

    async def open_one(name: str, house: House, token: str = "") -> Endpoint:
        endpoints.append(await open_endpoint(name, house, token))
        return endpoints[-1]

    yield open_one
    for endpoint in endpoints:
        await endpoint.close()


@pytest_asyncio.fixture(loop_scope="session")
async def talk_to() -> AsyncIterator[OpenTalk]:
    """Opens Connect streams by name and closes them in the end."""
    talks: list[Talk] = []

    async def open_one(name: str, house: House) -> Talk:
        talks.append(await open_talk(name, house))
        return talks[-1]

    yield open_one
    for talk in talks:
        await talk.close()


@pytest_asyncio.fixture(loop_scope="session")
async def client(house: House) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the house."""
    async with httpx.AsyncClient(base_url=house.web, trust_env=False, timeout=20) as one:
        yield one


@pytest.fixture
def token(house: House) -> str:
    """A player's token."""
    made = house.gateway.players.create(play_pb2.CreatePlayerRequest(name="Ada"), "nowhere")
    return made.player_token


@pytest_asyncio.fixture(loop_scope="session")
async def owners() -> AsyncIterator[list[Owner]]:
    """Two session processes, which own half of the shards each."""
    log: dict[str, Any] = {}
    async with contextlib.AsyncExitStack() as stack:
        both = [Owner(log), Owner(log)]
        for number, one in enumerate(both):
            one.owned = dict.fromkeys(range(number, 16, 2), 1)
            await one.start()
            stack.push_async_callback(one.stop)
        yield both


@pytest_asyncio.fixture(loop_scope="session")
async def between(owners: list[Owner], open_house: OpenHouse) -> House:
    """A gateway that has heard of both."""
    house = await open_house(session_link_address=",".join(f"127.0.0.1:{one.port}" for one in owners))
    await heard(house, owners)
    return house
