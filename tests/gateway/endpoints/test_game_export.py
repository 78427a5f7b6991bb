"""Downloads of many games: what is asked of the session service, and what comes out line by line."""

import json

import pytest
from google.protobuf.message import Message

from services.runtime.refusal import malformed
from tests.gateway.conftest import OpenGateway
from tests.gateway.peer import Peer
from tests.web_client import web_client


@pytest.mark.parametrize(
    ("query", "field"),
    [("max=some", "max"), ("since=-1", "since"), ("rated=perhaps", "rated"), ("format=pdf", "format"), ("whose=ada", "whose")],
)
async def test_a_parameter_that_is_none_is_refused_by_name(query: str, field: str, open_gateway: OpenGateway) -> None:
    running = await open_gateway()
    async with web_client(base_url=running.web) as client:
        response = await client.get(f"/v1/games.ndjson?{query}")
    assert response.status_code == 400
    assert response.json()["refusal"]["field"] == field


async def test_a_refused_search_names_the_parameter(open_gateway: OpenGateway, peer: Peer) -> None:
    def search(_: object, request: Message) -> Message:
        raise malformed("page_token", "that is not a token of this search")

    peer.handlers["search_games"] = search
    running = await open_gateway()
    async with web_client(base_url=running.web) as client:
        response = await client.get("/v1/games.ndjson?after=nothing")
    assert response.status_code == 400
    assert response.json()["refusal"]["field"] == "after"


async def test_games_are_downloaded_by_get_only(open_gateway: OpenGateway) -> None:
    running = await open_gateway()
    async with web_client(base_url=running.web) as client:
        response = await client.post("/v1/games.ndjson", content=b"")
    assert response.status_code == 405 and json.loads(response.content)
