"""API tokens at every endpoint, with the players service behind it: accepted, refused without a scope, and cut off."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from brettwerk.v1 import bots_pb2, errors_pb2, news_pb2, play_pb2, play_pb2_grpc
from gateway.identity.tokens import API_PREFIX
from services.players.accounts.accounts import Accounts
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.accounts.sign_outs import SignOuts
from services.players.bots.bots import Bots
from services.players.bots.tokens import ApiTokens
from services.players.calls import Calls
from services.players.news.followers import Following
from services.players.store import open_store
from services.players.whole_account import WholeAccount
from services.runtime.endpoint import CallInterceptor
from services.runtime.inner_calls import by_all_names
from services.runtime.refusal import of_rpc_error
from tests.gateway.conftest import OpenEndpoint, OpenGateway, OpenTalk
from tests.gateway.running_gateway import RunningGateway, Talk, call_of
from tests.gateway.watches.test_news import Service
from tests.night import by_day

ENDPOINTS = pytest.mark.parametrize("name", ["unary", "json", "connect", "websocket"])
PLAY, READ = bots_pb2.SCOPE_PLAY, bots_pb2.SCOPE_ACCOUNT_READ


class PlayersService(Service):
    """The players service as far as it is about accounts, bots, tokens and news."""

    def __init__(self, url: str) -> None:
        self.store = open_store(url)
        super().__init__(Following(self.store, heartbeat_s=0.2))
        accounts = Accounts(self.store, b"k" * 32, OwnOrigins(""))
        self.tokens = ApiTokens(self.store)
        self.sign_outs = SignOuts(self.store)
        bots, whole = Bots(self.store), WholeAccount(self.store, accounts.proofs)
        self.calls = Calls({**accounts.handlers(), **whole.handlers(), **self.tokens.handlers(), **bots.handlers()})

    async def start(self, port: int = 0) -> int:
        self.server = grpc.aio.server(interceptors=[CallInterceptor("players")])
        players_pb2_grpc.add_PlayersServiceServicer_to_server(self, by_all_names(self.server))
        port = self.server.add_insecure_port(f"127.0.0.1:{port}")
        await self.server.start()
        self.looking = asyncio.create_task(self.sign_outs.run())
        return port

    async def AnswerCall(self, request: Any, context: Any) -> players_pb2.AnswerCallResponse:
        return await self.calls.answer(request)

    async def ListSignOuts(self, request: Any, context: Any) -> players_pb2.ListSignOutsResponse:
        return await self.sign_outs.page(request)

    async def ListTokenChanges(self, request: Any, context: Any) -> players_pb2.ListTokenChangesResponse:
        return await self.tokens.changes(request)


class Place:
    """Two gateways, a players service behind them, and Ada with an account."""

    def __init__(self, service: PlayersService, port: int, running: RunningGateway, other: RunningGateway) -> None:
        self.service, self.port, self.running, self.other = service, port, running, other
        made = running.gateway.players.create(play_pb2.CreatePlayerRequest(name="Ada"), "nowhere")
        self.player, self.token = made.player_id, made.player_token
        self.through: OpenEndpoint

    async def ask(self, name: str, /, **fields: Any) -> play_pb2.Answer:
        return await (await self.through("unary", self.running, self.token)).call(call_of(name, **fields))

    async def bot(self) -> str:
        return (await self.ask("CreateBot", name="Dice", request_id="a bot of Ada's")).create_bot.bot.player_id

    async def api_token(self, *scopes: bots_pb2.Scope.ValueType, bot_id: str = "") -> bots_pb2.CreateApiTokenResponse:
        request = {"label": "laptop", "scopes": scopes, "bot_id": bot_id, "request_id": f"a token {scopes} {bot_id}"}
        return (await self.ask("CreateApiToken", **request)).create_api_token


@pytest_asyncio.fixture(loop_scope="session")
async def place(open_gateway: OpenGateway, through: OpenEndpoint, tmp_path: Path) -> AsyncIterator[Place]:
    service = PlayersService(f"sqlite:///{tmp_path}/players.sqlite3")  # type: ignore[abstract]
    port = await service.start()
    here, there = [await open_gateway(players_address=f"127.0.0.1:{port}", sign_outs_s=0.05) for _ in range(2)]
    made = Place(service, port, here, there)
    made.through = through
    await made.ask("StartLink")
    yield made
    service.sign_outs.close()
    await service.server.stop(None)
    service.looking.cancel()
    service.store.close()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while True:
            if holds():
                return
            await asyncio.sleep(0.01)


async def until_known(*places: RunningGateway) -> None:
    await until(lambda: all(place.gateway.players.revocations.is_known for place in places))


async def received(talk: Talk) -> None:
    """Take what comes until the stream ends."""
    while True:
        await talk.receive()


async def read(stream: Any) -> None:
    """Take what comes until the watch ends."""
    while True:
        await stream.read()


@ENDPOINTS
async def test_a_token_of_a_bot_acts_for_the_bot_as_far_as_its_scopes_go(name: str, place: Place) -> None:
    bot_id = await place.bot()
    made = await place.api_token(READ, bot_id=bot_id)
    assert made.api_token.startswith(API_PREFIX) and made.token.token_id not in made.api_token
    await until_known(place.running, place.other)
    for gateway in (place.running, place.other):
        endpoint = await place.through(name, gateway, made.api_token)
        assert (await endpoint.call(call_of("GetAccount"))).get_account.account.player_id == bot_id
        for method, scope in (("ListBots", "bots"), ("CreateSession", "play"), ("DeleteAccount", ""), ("CreateApiToken", "")):
            refusal = (await endpoint.call(call_of(method))).refusal
            assert (refusal.reason, refusal.code) == (errors_pb2.REASON_NO_SCOPE, grpc.StatusCode.PERMISSION_DENIED.value[0])
            assert refusal.details["scope"] == scope


@ENDPOINTS
async def test_a_revoked_token_is_refused_by_every_gateway(name: str, place: Place) -> None:
    made = await place.api_token(READ)
    await until_known(place.running, place.other)
    endpoint = await place.through("unary", place.other, made.api_token)
    assert (await endpoint.call(call_of("GetAccount"))).get_account.account.player_id == place.player
    await place.ask("RevokeApiToken", token_id=made.token.token_id)
    changes = place.other.gateway.players.revocations
    await until(lambda: changes.is_void(made.token.token_id))
    assert (await endpoint.call(call_of("GetAccount"))).refusal.reason == errors_pb2.REASON_NO_TOKEN
    if name in ("unary", "json"):
        fresh = await place.through(name, place.other, made.api_token)
        assert (await fresh.call(call_of("GetAccount"))).refusal.reason == errors_pb2.REASON_NO_TOKEN


@pytest.mark.parametrize("name", by_day(["connect", "websocket", "json websocket"], "websocket"))
@pytest.mark.parametrize("how", ["revoke", "suspend", "delete"])
async def test_an_open_stream_ends_when_its_token_does(name: str, how: str, place: Place, talk_to: OpenTalk) -> None:
    bot_id = await place.bot()
    made = await place.api_token(PLAY, bot_id=bot_id)
    await until_known(place.other)
    talk = await talk_to(name, place.other)
    await talk.authenticate(made.api_token)
    await talk.send(play_pb2.ConnectRequest(id=7, watch_player=news_pb2.WatchPlayerRequest()))
    assert (await talk.receive()).id == 7
    if how == "revoke":
        await place.ask("RevokeApiToken", token_id=made.token.token_id)
    elif how == "suspend":
        await place.ask("SuspendBot", bot_id=bot_id, suspended=True)
    else:
        await place.ask("DeleteBot", bot_id=bot_id, name="Dice")
    with pytest.raises(Exception, match=r"revoked|closed|going away"):  # each kind of stream ends in its own way
        await received(talk)


async def test_a_watch_of_its_own_ends_with_the_token(place: Place) -> None:
    made = await place.api_token(PLAY)
    await until_known(place.other)
    metadata = (("authorization", f"Bearer {made.api_token}"),)
    async with grpc.aio.insecure_channel(place.other.grpc_address) as channel:
        stream = play_pb2_grpc.PlayServiceStub(channel).WatchPlayer(news_pb2.WatchPlayerRequest(), metadata=metadata)
        await stream.read()
        await place.ask("RevokeApiToken", token_id=made.token.token_id)
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await read(stream)
    assert of_rpc_error(ended.value, "gateway").reason == errors_pb2.REASON_NO_TOKEN


async def test_the_event_stream_needs_its_scope(place: Place) -> None:
    made = await place.api_token(READ)
    await until_known(place.running)
    metadata = (("authorization", f"Bearer {made.api_token}"),)
    async with grpc.aio.insecure_channel(place.running.grpc_address) as channel:
        stream = play_pb2_grpc.PlayServiceStub(channel).WatchPlayer(news_pb2.WatchPlayerRequest(), metadata=metadata)
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await stream.read()
    refusal = of_rpc_error(ended.value, "gateway").refusal
    assert (refusal.reason, refusal.details["scope"]) == (errors_pb2.REASON_NO_SCOPE, "play")


async def test_without_news_of_revoked_tokens_none_is_taken(place: Place, open_gateway: OpenGateway) -> None:
    made = await place.api_token(READ)
    blind = await open_gateway(players_address="127.0.0.1:1", sign_outs_s=0.05)
    endpoint = await place.through("json", blind, made.api_token)
    assert (await endpoint.call(call_of("GetAccount"))).refusal.reason == errors_pb2.REASON_UNAVAILABLE


async def test_a_token_cannot_be_passed_off_as_its_players_own(place: Place) -> None:
    made = await place.api_token(READ)
    await until_known(place.running)
    endpoint = await place.through("json", place.running, made.api_token.removeprefix(API_PREFIX))
    assert (await endpoint.call(call_of("GetAccount"))).refusal.reason == errors_pb2.REASON_NO_TOKEN
    own = await place.through("json", place.running, API_PREFIX + place.token)
    assert (await own.call(call_of("GetAccount"))).refusal.reason == errors_pb2.REASON_NO_TOKEN


async def test_a_renamed_bot_sits_down_under_its_new_name(place: Place) -> None:
    bot_id = await place.bot()
    made = await place.api_token(READ, bot_id=bot_id)
    await place.ask("RenameBot", bot_id=bot_id, name="Cup")
    changes = place.other.gateway.players.revocations
    await until(lambda: changes.name_of(made.token.token_id) == "Cup")
    assert place.other.gateway.players.recognise(made.api_token).name == "Cup"


async def test_when_a_token_was_used_reaches_its_owner(place: Place) -> None:
    made = await place.api_token(READ)
    await until_known(place.other)
    await (await place.through("json", place.other, made.api_token)).call(call_of("GetAccount"))
    async with asyncio.timeout(60):
        while True:
            if (await place.ask("ListApiTokens")).list_api_tokens.tokens[0].last_used_at_ms:
                return
            await asyncio.sleep(0.05)
