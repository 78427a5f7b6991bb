"""Clients are told what concerns them by every endpoint, and go on where they stopped."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import errors_pb2, news_pb2, play_pb2, play_pb2_grpc
from services.players.news.followers import Following
from services.players.store import open_store
from services.runtime.inner_calls import by_all_names
from services.runtime.refusal import of_rpc_error
from tests.gateway.conftest import OpenGateway, OpenTalk
from tests.gateway.connect_client import SERVICE, STREAM_JSON, enveloped, envelopes
from tests.gateway.running_gateway import RunningGateway, Talk
from tests.web_client import web_client

KINDS = pytest.mark.parametrize("kind", ["connect", "websocket", "json websocket"])


class Service(players_pb2_grpc.PlayersServiceServicer):
    """The players service, as far as it is about news."""

    def __init__(self, following: Following) -> None:
        self.following = following
        self.server = grpc.aio.server()

    async def start(self, port: int = 0) -> int:
        self.server = grpc.aio.server()
        players_pb2_grpc.add_PlayersServiceServicer_to_server(self, by_all_names(self.server))
        port = self.server.add_insecure_port(f"127.0.0.1:{port}")
        await self.server.start()
        return port

    async def ListSignOuts(self, request: Any, context: Any) -> players_pb2.ListSignOutsResponse:
        return players_pb2.ListSignOutsResponse(cursor=request.after)

    async def FollowNews(
        self, request: players_pb2.FollowNewsRequest, context: Any
    ) -> AsyncIterator[players_pb2.FollowNewsResponse]:
        async for message in self.following.follow(request.player_id, request.after_version):
            yield message

    async def tell(self, player: str, *versions: int) -> None:
        notes = [
            players_pb2.NotedNews(
                player_id=player,
                session_version=version,
                news=news_pb2.News(kind=news_pb2.News.KIND_YOUR_TURN, session_id="07abc", at_ms=1),
            )
            for version in versions
        ]
        await self.following.note(players_pb2.NoteNewsRequest(notes=notes))


class Place:
    """A gateway, a players service behind it, and a player."""

    def __init__(self, service: Service, port: int, running: RunningGateway) -> None:
        self.service = service
        self.port = port
        self.running = running
        made = running.gateway.players.create(play_pb2.CreatePlayerRequest(name="Ada"), "nowhere")
        self.player, self.token = made.player_id, made.player_token

    async def tell(self, *versions: int) -> None:
        await self.service.tell(self.player, *versions)


@pytest_asyncio.fixture(loop_scope="session")
async def place(open_gateway: OpenGateway, tmp_path: Path) -> AsyncIterator[Place]:
    store = open_store(f"sqlite:///{tmp_path}/players.sqlite3")
    service = Service(Following(store, heartbeat_s=0.2))  # type: ignore[abstract] # nothing else is asked of it
    port = await service.start()
    yield Place(service, port, await open_gateway(players_address=f"127.0.0.1:{port}"))
    await service.server.stop(None)
    store.close()


def asking(number: int, after: int = 0) -> play_pb2.ConnectRequest:
    return play_pb2.ConnectRequest(id=number, watch_player=news_pb2.WatchPlayerRequest(after_version=after))


def received(message: news_pb2.WatchPlayerResponse) -> list[int]:
    """Return the versions of the news in a message."""
    return [one.version for one in message.resync.news] or [message.news.version]


async def versions(talk: Talk) -> list[int]:
    """Return what the next message that is no heartbeat tells."""
    while True:
        response = await talk.receive()
        assert response.WhichOneof("kind") == "player", response
        if response.player.WhichOneof("kind") != "heartbeat":
            return received(response.player)


@KINDS
async def test_news_come_over_a_stream_among_other_things(kind: str, place: Place, talk_to: OpenTalk) -> None:
    await place.tell(1, 2)
    talk = await talk_to(kind, place.running)
    await talk.authenticate(place.token)
    await talk.send(asking(1))
    assert await versions(talk) == [1, 2]
    await place.tell(3)
    assert await versions(talk) == [3]
    await talk.send(play_pb2.ConnectRequest(id=2, unwatch=play_pb2.Unwatch(watch_id=1)))
    while (response := await talk.receive()).id == 1:
        pass
    assert (response.id, response.WhichOneof("kind")) == (2, "answer")
    await talk.send(asking(3, after=2))
    assert await versions(talk) == [3]


@KINDS
async def test_only_a_player_has_news(kind: str, place: Place, talk_to: OpenTalk) -> None:
    talk = await talk_to(kind, place.running)
    await talk.send(asking(1))
    assert (await talk.receive()).refusal.reason == errors_pb2.REASON_NO_TOKEN


async def test_a_watch_survives_a_players_service_that_goes_and_comes_back(place: Place, talk_to: OpenTalk) -> None:
    await place.tell(1)
    talk = await talk_to("websocket", place.running)
    await talk.authenticate(place.token)
    await talk.send(asking(1))
    assert await versions(talk) == [1]
    await place.service.server.stop(None)
    await place.tell(2)
    await place.service.start(place.port)
    assert await versions(talk) == [2]


async def test_a_player_who_has_signed_out_everywhere_is_told_nothing_more(place: Place, talk_to: OpenTalk) -> None:
    await place.tell(1)
    talk = await talk_to("websocket", place.running)
    await talk.authenticate(place.token)
    await talk.send(asking(1))
    assert await versions(talk) == [1]
    place.running.gateway.players.sign_outs.note(place.player, 1)
    while (response := await talk.receive()).WhichOneof("kind") == "player":
        assert response.player.WhichOneof("kind") == "heartbeat"
    assert (response.refusal.reason, response.refusal.head_version) == (errors_pb2.REASON_NO_TOKEN, 1)


async def test_the_grpc_watch_gives_the_same_messages_and_needs_a_player(place: Place) -> None:
    await place.tell(1)
    async with grpc.aio.insecure_channel(place.running.grpc_address) as channel:
        stub: Any = play_pb2_grpc.PlayServiceStub(channel)
        metadata = (("authorization", f"Bearer {place.token}"),)
        stream = stub.WatchPlayer(news_pb2.WatchPlayerRequest(), metadata=metadata)
        assert received(await stream.read()) == [1]
        stream.cancel()
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await stub.WatchPlayer(news_pb2.WatchPlayerRequest()).read()
        assert of_rpc_error(error.value, "gateway").reason == errors_pb2.REASON_NO_TOKEN


async def test_the_connect_protocol_spells_them_out(place: Place) -> None:
    await place.tell(1)
    headers = STREAM_JSON | {"authorization": f"Bearer {place.token}"}
    async with (
        web_client(base_url=place.running.web) as client,
        client.stream("POST", f"{SERVICE}/WatchPlayer", content=enveloped(b"{}"), headers=headers) as response,
    ):
        _, message = await anext(envelopes(response))
    assert json.loads(message)["resync"]["news"][0]["kind"] == "KIND_YOUR_TURN"
