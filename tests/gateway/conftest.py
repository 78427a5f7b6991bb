"""A session service and a gateway in this process, both real."""

import asyncio
import contextlib
import os
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
from tests.gateway.owners import Owner, heard
from tests.gateway.peer import Peer
from tests.gateway.running_gateway import Endpoint, RunningGateway, Talk, open_endpoint, open_talk
from tests.given_settings import GivenSettings
from tests.ports import free_port
from tests.web_client import web_client

KEY = "a key that is used in tests and nowhere else"

OpenGateway = Callable[..., Awaitable[RunningGateway]]
OpenEndpoint = Callable[..., Awaitable[Endpoint]]
OpenTalk = Callable[..., Awaitable[Talk]]


def make_config(peer_port: int, **changes: Any) -> Settings:
    defaults: dict[str, Any] = {
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
    return GivenSettings(**{**defaults, **changes})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run all tests of this folder in one event loop, so that those that harm nobody can share a gateway."""
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:  # of all folders
        if str(item.path).startswith(here) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def peer() -> AsyncIterator[Peer]:
    service = Peer()
    await service.start()
    yield service
    await service.stop()


@contextlib.asynccontextmanager
async def gateways(peer: Peer) -> AsyncIterator[OpenGateway]:
    """Open gateways; settings may be changed by name. All are stopped in the end."""
    opened: list[RunningGateway] = []

    async def open_one(**changes: Any) -> RunningGateway:
        config = make_config(peer.port, **changes)
        gateway, stopping = Gateway(config), asyncio.Event()
        serving = asyncio.create_task(serve(gateway, config.gateway_listen, config, stopping, is_endpoint=True))
        running = RunningGateway(gateway, config, config.gateway_listen, stopping, serving)
        opened.append(running)
        async with asyncio.timeout(60), web_client() as client:
            while True:
                await asyncio.sleep(0.01)
                if serving.done():
                    serving.result()
                if hasattr(gateway, "web") and (await client.get(f"{running.web}/v1/health")).status_code == 200:
                    return running

    yield open_one
    for running in opened:
        await running.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def open_gateway(peer: Peer) -> AsyncIterator[OpenGateway]:
    """Opens gateways of this test's own."""
    async with gateways(peer) as open_one:
        yield open_one


@pytest_asyncio.fixture(loop_scope="session")
async def running(open_gateway: OpenGateway) -> RunningGateway:
    """A gateway of this test's own."""
    return await open_gateway()


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def shared() -> AsyncIterator[tuple[Peer, RunningGateway]]:
    """A session service and a gateway for tests that leave both as they were."""
    service = Peer()
    await service.start()
    async with gateways(service) as open_one:
        yield service, await open_one()
    await service.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def through() -> AsyncIterator[OpenEndpoint]:
    """Opens endpoints by name and closes them in the end."""
    endpoints: list[Endpoint] = []

    async def open_one(name: str, running: RunningGateway, token: str = "") -> Endpoint:
        endpoints.append(await open_endpoint(name, running, token))
        return endpoints[-1]

    yield open_one
    for endpoint in endpoints:
        await endpoint.close()


@pytest_asyncio.fixture(loop_scope="session")
async def talk_to() -> AsyncIterator[OpenTalk]:
    """Opens Connect streams by name and closes them in the end."""
    talks: list[Talk] = []

    async def open_one(name: str, running: RunningGateway) -> Talk:
        talks.append(await open_talk(name, running))
        return talks[-1]

    yield open_one
    for talk in talks:
        await talk.close()


@pytest_asyncio.fixture(loop_scope="session")
async def client(running: RunningGateway) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the gateway."""
    async with web_client(base_url=running.web) as one:
        yield one


@pytest.fixture
def token(running: RunningGateway) -> str:
    """A player's token."""
    made = running.gateway.players.create(play_pb2.CreatePlayerRequest(name="Ada"), "nowhere")
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
async def between(owners: list[Owner], open_gateway: OpenGateway) -> RunningGateway:
    """A gateway that has heard of both."""
    running = await open_gateway(session_link_address=",".join(f"127.0.0.1:{one.port}" for one in owners))
    await heard(running, owners)
    return running
