"""Finished games in bulk from a whole deployment: public ones and one's own, filtered, resumed, by HTTP and by gRPC."""

import json
import random
from typing import Any

import httpx
import pytest

from brettwerk.v1 import play_pb2
from brettwerk_client import Client, computer, me
from deploy.local.deployment import Deployment

pytestmark = pytest.mark.e2e


def play(client: Client, *, public: bool, title: str = "") -> str:
    # Games that count cannot be taken back, so they are in the archive at once.
    table = client.create_session("einstein", [me(), computer("easy")], public=public, competitive=True, title=title)
    table.seat.play(lambda update: random.choice(update.actions))
    return table.session.id


def downloaded(deployment: Deployment, token: str = "", **asked: Any) -> list[dict[str, Any]]:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    address = f"http://{deployment.web_address}/v1/games.ndjson"
    response = httpx.get(address, params=asked, headers=headers, trust_env=False, timeout=60)
    assert response.headers["content-type"] == "application/x-ndjson", response.text
    return [json.loads(line) for line in response.text.splitlines()]


def searched(client: Client, **asked: Any) -> list[str]:
    found: list[str] = []
    request = play_pb2.SearchGamesRequest(page_size=1, **asked)
    while True:
        page = client.call(client.service.SearchGames, request)
        found += [game.session.id for game in page.games]
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


@pytest.mark.nightly
def test_a_player_downloads_all_games_and_others_only_public_ones(deployment: Deployment) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada, Client(deployment.grpc_address, name="Bert") as bert:
        ids = [play(ada, public=True), play(ada, public=False), play(ada, public=True, title="Arena")]
        ada_id = ada.player.id if ada.player else ""
        newest = ids[::-1]
        while searched(ada, player_id=ada_id) != newest:  # the archive takes a moment
            pass
        assert searched(bert, player_id=ada_id) == [newest[0], newest[2]]
        assert searched(ada, player_id=ada_id, competitive=True) == newest
        assert searched(ada, player_id=ada_id, game="wec") == []
        lines = downloaded(deployment, ada.token, player=ada_id)
        assert [line["session"]["id"] for line in lines] == newest
        record = lines[0]["record"]
        assert record["entries"] and lines[0]["finishedAtMs"]
        assert [line["session"]["id"] for line in downloaded(deployment, player=ada_id)] == [newest[0], newest[2]]
        first = downloaded(deployment, ada.token, player=ada_id, max=1)
        rest = downloaded(deployment, ada.token, player=ada_id, after=first[0]["cursor"])
        assert [line["session"]["id"] for line in first + rest] == newest
        until = downloaded(deployment, ada.token, player=ada_id, until=lines[0]["finishedAtMs"])
        assert newest[0] not in [line["session"]["id"] for line in until]
        since = downloaded(deployment, ada.token, player=ada_id, since=lines[0]["finishedAtMs"])
        assert [line["session"]["id"] for line in since] == newest[:1]
        texts = downloaded(deployment, ada.token, player=ada_id, format="text")
        assert all(line.get("text") or line.get("refusal") for line in texts)
        assert not any(line["session"]["title"] == "Arena" for line in downloaded(deployment, arena="true"))
