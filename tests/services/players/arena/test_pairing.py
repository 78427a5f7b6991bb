"""The arena on both databases: who is paired, by which process, and what becomes of it."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import accounts_pb2, arena_pb2, bots_pb2, errors_pb2
from services.players import whole_account
from services.players.accounts.accounts import Accounts
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.arena import arena_rows
from services.players.arena.arena import Arena
from services.players.arena.pairing import LEASE_MS, Pairing
from services.players.arena.tables import ARENA_GAMES
from services.players.bots.bots import Bots
from services.players.bots.tokens import ApiTokens
from services.players.calls import Caller
from services.players.opponents import session_orders
from services.players.opponents.session_orders import Arranging
from services.players.results.tables import GAMES
from services.players.store import open_store
from services.runtime.refusal import Refused
from tests.services.players.opponents.place import NotedSessions

ADA = Caller("a" * 26, "Ada", "192.0.2.1")
BERT = Caller("b" * 26, "Bert", "192.0.2.2")


class Place:
    def __init__(self, url: str) -> None:
        self.now_ms = 1_800_000_000_000
        self.store = open_store(url)
        self.sessions = NotedSessions()
        self.accounts = Accounts(self.store, b"k" * 32, OwnOrigins(""), self.clock)
        self.bots = Bots(self.store, self.clock)
        self.arena = Arena(self.store, 3, self.clock)
        self.pairing, self.other = (Pairing(self.store, 3, self.clock) for _ in range(2))
        announce = {session_orders.ARENA: self.pairing.announce}
        conclude = {session_orders.ARENA: self.pairing.conclude}
        self.arranging = Arranging(self.store, self.sessions, announce, self._wake, 60.0, self.clock, conclude)
        self.woken: dict[str, int] = {}

    def clock(self) -> int:
        return self.now_ms

    def _wake(self, heads: dict[str, int]) -> None:
        self.woken |= heads

    async def bot(self, name: str, caller: Caller = ADA) -> str:
        request = bots_pb2.CreateBotRequest(name=name, request_id=f"the bot {name}")
        response = (await self.bots.create(request, caller)).response
        assert isinstance(response, bots_pb2.CreateBotResponse)
        return response.bot.player_id

    async def enter(self, bot_id: str, at_once: int = 1, game: str = "einstein", caller: Caller = ADA) -> None:
        await self.arena.enter(arena_pb2.EnterArenaRequest(bot_id=bot_id, game=game, at_once=at_once), caller)

    async def shown(self, game: str = "einstein") -> arena_pb2.GetArenaResponse:
        response = (await self.arena.get(arena_pb2.GetArenaRequest(game=game), BERT)).response
        assert isinstance(response, arena_pb2.GetArenaResponse)
        return response

    async def finish(self, game: arena_pb2.ArenaGame) -> None:
        row = {"session_id": game.session_id, "game": "einstein", "finished_at_ms": self.now_ms, "seats": 2, "plies": 9}
        more = {"rule": "", "public": True, "competitive": True, "status": "finished", "kind": "", "rated": False}
        await self.store.run(lambda connection: connection.execute(GAMES.insert().values(**row, **more)))


@pytest.fixture
async def place(players_url: str) -> AsyncIterator[Place]:
    made = Place(players_url)
    for caller in (ADA, BERT):
        await made.accounts.start_link(accounts_pb2.StartLinkRequest(), caller)
    yield made
    made.store.close()


async def refused(awaitable: Any) -> errors_pb2.Reason.ValueType:
    with pytest.raises(Refused) as caught:
        await awaitable
    return caught.value.reason


async def test_bots_meet_each_other_and_levels_as_often_as_they_allow_and_there_is_room(place: Place) -> None:
    await place.pairing.step()
    assert not (await place.shown()).live
    one, other = await place.bot("One"), await place.bot("Other")
    await place.enter(one, 2)
    await place.enter(other, 8)
    await place.pairing.step()
    await place.arranging.carry_out_due()
    shown = await place.shown()
    assert [bot.name for bot in shown.bots] == ["One", "Other"] and shown.bots[0].owner_name == "Ada"
    assert len(shown.live) == 3 and all(game.session_id for game in shown.live)
    assert sum(seat.player_id == one for game in shown.live for seat in game.seats) <= 2
    assert set(place.woken) <= {one, other} and place.woken
    asked = place.sessions.asked[0]
    assert asked.create.competitive and asked.create.public and asked.create.clock.time_ms


async def test_a_game_that_is_over_makes_room_for_the_next(place: Place) -> None:
    await place.enter(await place.bot("One"))
    await place.pairing.step()
    await place.arranging.carry_out_due()
    (game,) = (await place.shown()).live
    await place.pairing.step()
    assert len((await place.shown()).live) == 1
    await place.finish(game)
    await place.pairing.step()
    shown = await place.shown()
    assert [over.session_id for over in shown.recent] == [game.session_id] and not shown.recent[0].unplayed
    assert len(shown.live) == 1 and shown.live[0].seats != game.seats


async def test_one_process_pairs_until_it_is_gone(place: Place) -> None:
    await place.enter(await place.bot("One"), 8)
    await asyncio.gather(place.pairing.step(), place.other.step())
    assert len((await place.shown()).live) == 3
    for game in (await place.shown()).live:
        assert game.seats
    await place.store.run(lambda connection: connection.execute(ARENA_GAMES.delete()))
    await place.pairing.step()
    is_first = bool((await place.shown()).live)  # either of them may have been faster
    holder, other = (place.pairing, place.other) if is_first else (place.other, place.pairing)
    await holder.step()
    assert len((await place.shown()).live) == 3
    await place.store.run(lambda connection: connection.execute(ARENA_GAMES.delete()))
    await other.step()
    assert not (await place.shown()).live, "the first one holds the lease"
    place.now_ms += LEASE_MS
    await other.step()
    assert len((await place.shown()).live) == 3


async def test_a_bot_that_does_not_come_rests_longer_each_time(place: Place) -> None:
    one = await place.bot("One")
    await place.enter(one)
    rests = []
    for _ in range(2):
        await place.pairing.step()
        await place.arranging.carry_out_due()
        place.now_ms += 61_000
        await place.arranging.carry_out_due()
        shown = await place.shown()
        assert not shown.live and shown.recent[0].unplayed
        rests.append(shown.bots[0].entry.rests_until_ms - place.now_ms)
        await place.pairing.step()
        assert not (await place.shown()).live
        place.now_ms += rests[-1]
    assert rests[1] == 2 * rests[0] > 0


async def test_a_player_who_came_to_a_running_game_is_not_blamed_and_a_lost_game_ends(place: Place) -> None:
    await place.enter(await place.bot("One"))
    await place.pairing.step()
    await place.arranging.carry_out_due()
    arrangement = place.sessions.asked[0].arrangement_id
    began = session_pb2.CloseWaitingResponse(began=True)
    assert not await place.store.run(lambda connection: place.pairing.conclude(connection, arrangement, began))
    assert len((await place.shown()).live) == 1
    assert await place.store.run(lambda connection: place.pairing.conclude(connection, arrangement, None))
    shown = await place.shown()
    assert not shown.live and not shown.bots[0].entry.rests_until_ms


async def test_only_owners_and_bots_themselves_enter_bots(place: Place) -> None:
    bot_id = await place.bot("One")
    assert await refused(place.enter(bot_id, caller=BERT)) == errors_pb2.REASON_UNKNOWN
    assert await refused(place.enter("", caller=ADA)) == errors_pb2.REASON_BOT
    assert await refused(place.enter(bot_id, game="nothing")) == errors_pb2.REASON_UNKNOWN
    wanted = bots_pb2.CreateApiTokenRequest(label="one", scopes=[bots_pb2.SCOPE_PLAY], request_id="a token to play with")
    claims = (await ApiTokens(place.store, place.clock).create(wanted, ADA)).api_token
    assert claims is not None
    by_token = Caller(ADA.player_id, "Ada", "192.0.2.1", 0, claims.token_id)
    assert await refused(place.enter(bot_id, caller=by_token)) == errors_pb2.REASON_NO_SCOPE
    await place.enter("", caller=Caller(bot_id, "One", "192.0.2.3", 0, "its token"))
    assert [bot.player_id for bot in (await place.shown()).bots] == [bot_id]
    await place.bots.suspend(bots_pb2.SuspendBotRequest(bot_id=bot_id, suspended=True), ADA)
    assert not (await place.shown()).bots


async def test_a_deleted_bot_leaves_games_without_its_name(place: Place) -> None:
    one = await place.bot("One")
    await place.enter(one)
    await place.pairing.step()
    await place.arranging.carry_out_due()
    await place.store.run(lambda connection: whole_account.remove(connection, one, place.now_ms))
    (game,) = (await place.shown()).live
    assert sum(bool(seat.player_id or seat.name) for seat in game.seats) == 0
    found = await place.store.run(lambda connection: arena_rows.live(connection))
    assert one not in found[0].line_up and len(found[0].line_up) < 400


async def test_games_of_the_arena_count_for_ratings_of_their_own(place: Place) -> None:
    await place.enter(await place.bot("One"))
    await place.pairing.step()
    await place.arranging.carry_out_due()
    (game,) = (await place.shown()).live
    kinds = await place.store.run(lambda connection: arena_rows.kinds(connection, [game.session_id, "another"]))
    assert kinds == {game.session_id: "arena2"}
