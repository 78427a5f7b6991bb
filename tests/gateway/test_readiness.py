"""`/v1/health`: it says what players lack, as the session service sees it, however many ask."""

import asyncio
import time

import httpx

from tests.gateway.peer import Peer
from tests.gateway.running_gateway import RunningGateway
from tests.web_client import web_client


async def until_it_says(client: httpx.AsyncClient, missing: list[str]) -> None:
    async with asyncio.timeout(30):
        while True:
            response = await client.get("/v1/health")
            said = response.json()
            assert said["ready"] == (not said["missing"]) == (response.status_code == 200)
            assert {"version", "contract"} <= said.keys()
            if said["missing"] == missing:
                return
            await asyncio.sleep(0.05)


async def test_a_dependency_that_the_session_service_lacks_is_named_until_it_is_back(peer: Peer, running: RunningGateway) -> None:
    async with web_client(base_url=running.web) as client:
        await until_it_says(client, [])
        peer.missing = ["store", "shards"]
        await until_it_says(client, ["store", "shards"])
        peer.missing = []
        await until_it_says(client, [])
        await peer.stop()
        await until_it_says(client, ["session"])
        peer.is_older = True
        await peer.start()
        await until_it_says(client, [])


async def test_a_gateway_that_is_about_to_end_is_not_ready(running: RunningGateway) -> None:
    async with web_client(base_url=running.web) as client:
        await until_it_says(client, [])
    assert await running.gateway.is_ready()
    await running.gateway.drain()
    assert not await running.gateway.is_ready()


async def test_however_many_ask_the_store_is_asked_once_a_second(peer: Peer, running: RunningGateway) -> None:
    async with web_client(base_url=running.web) as client:
        await client.get("/v1/health")
        asked, began = peer.asked_for_missing, time.monotonic()
        await asyncio.gather(*(client.get("/v1/health") for _ in range(50)))
        assert peer.asked_for_missing - asked <= time.monotonic() - began + 1
