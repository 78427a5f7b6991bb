import json
import socket
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from gateway.http.allowed_hosts import AllowedHosts
from tests.gateway.conftest import OpenGateway
from tests.gateway.running_gateway import RunningGateway
from tests.web_client import web_client

REBOUND = [
    "evil.example",
    "evil.example:8000",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "notlocalhost",
    "0x7f000001",
    "[evil]",
]


@pytest.mark.parametrize("host", REBOUND)
async def test_a_page_whose_name_resolves_to_this_machine_gets_nothing(running: RunningGateway, host: str) -> None:
    async with web_client(base_url=running.web, headers={"host": host, "origin": f"http://{host}"}) as page:
        answer = await page.post("/v1/ListGames", json={})
        assert answer.status_code == 421
        refusal = answer.json()["refusal"]
        assert refusal["field"] == "host"
        assert refusal["reason"] == "REASON_MALFORMED"
        assert "BRETTWERK_OWN_HOSTS" in refusal["message"]
        client = await page.get("/")
        assert client.status_code == 421
        assert "BRETTWERK_OWN_HOSTS" in client.text
        assert client.headers["content-security-policy"]
        assert (await page.get("/v1/health")).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "localhost.evil.example"])
async def test_such_a_page_opens_no_websocket_though_its_origin_is_that_of_the_endpoint(
    running: RunningGateway, host: str
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://{host}/v1/connect", origin=Origin(f"http://{host}"), **to(running))
    assert refused.value.response.status_code == 421
    assert json.loads(refused.value.response.body or b"")["refusal"]["field"] == "host"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "192.0.2.7:8000",
        "[::1]:8000",
        "[fe80::1%25eth0]",
        "localhost:1",
        "LOCALHOST.",
        "play.localhost",
        socket.gethostname(),
    ],
)
async def test_addresses_and_the_names_of_this_machine_are_its_own(running: RunningGateway, host: str) -> None:
    answer = await ask(running, host)
    assert answer.status_code == 401 or answer.is_success, answer.text


async def test_the_operator_names_others(open_gateway: OpenGateway) -> None:
    running = await open_gateway(own_hosts="Play.Example.org., *.example.net")
    for host in ("play.example.org", "PLAY.example.org:443", "a.b.example.net"):
        assert (await ask(running, host)).status_code != 421
        async with connect(f"ws://{host}/v1/connect", origin=Origin(f"http://{host}"), **to(running)):
            pass
    for host in ("example.org", "x.play.example.org", "example.net", "evilexample.net"):
        assert (await ask(running, host)).status_code == 421


async def test_a_star_takes_any_name(open_gateway: OpenGateway) -> None:
    assert (await ask(await open_gateway(own_hosts="*"), "evil.example")).status_code != 421


@pytest.mark.parametrize("names", ["https://play.example.org", "play.example.org:443", "a b", "*.", "*x", "play.*", "-x"])
def test_an_invalid_host_name_is_rejected(names: str) -> None:
    with pytest.raises(ValueError, match="BRETTWERK_OWN_HOSTS"):
        AllowedHosts(names)


def to(running: RunningGateway) -> dict[str, Any]:
    """Where a name leads that was rebound."""
    return {"host": "127.0.0.1", "port": running.gateway.web.port, "proxy": None}


async def ask(running: RunningGateway, host: str) -> httpx.Response:
    async with web_client(base_url=running.web, headers={"host": host}) as page:
        return await page.post("/v1/ListGames", json={})
