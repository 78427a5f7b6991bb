"""Gateways and session processes hear of sign-outs within half a second, whoever has noted them and in whatever order."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from brettwerk.internal.v1 import players_pb2
from services.players.accounts import rows, sign_outs
from services.players.accounts.sign_outs import SignOuts
from services.players.accounts.tables import SIGN_OUTS
from services.players.store import open_store

NOW_MS = 1_800_000_000_000


class Place:
    def __init__(self, url: str) -> None:
        self.store = open_store(url)
        self.now_ms = NOW_MS
        self.sign_outs = SignOuts(self.store, lambda: self.now_ms)
        self.looking = asyncio.create_task(self.sign_outs.run())

    async def note(self, player_id: str, generation: int = 1) -> None:
        await self.store.run(lambda connection: rows.void_tokens(connection, player_id, generation, self.now_ms))

    async def page(self, after: int = 0, wait_ms: int = 0) -> players_pb2.ListSignOutsResponse:
        return await self.sign_outs.page(players_pb2.ListSignOutsRequest(after=after, wait_ms=wait_ms))


@pytest.fixture
async def place(players_url: str) -> AsyncIterator[Place]:
    made = Place(players_url)
    yield made
    made.sign_outs.close()
    await made.looking
    made.store.close()


async def test_a_waiting_follower_is_told_of_the_next_one_within_half_a_second(place: Place) -> None:
    await place.note("ada")
    cursor = (await place.page()).cursor
    waiting = asyncio.create_task(place.page(cursor, wait_ms=30_000))
    await asyncio.sleep(0)
    began = time.monotonic()
    await place.note("bob")
    page = await waiting
    assert [one.player_id for one in page.sign_outs if one.number > cursor] == ["bob"]
    assert time.monotonic() - began < 15, "far less than the wait, however busy the machine is"


async def test_a_follower_who_waits_in_vain_is_answered_in_the_end(place: Place) -> None:
    page = await place.page(0, wait_ms=20)
    assert (list(page.sign_outs), page.cursor) == ([], 0)


async def test_waiting_calls_end_with_the_process(place: Place) -> None:
    waiting = asyncio.create_task(place.page(0, wait_ms=30_000))
    await asyncio.sleep(0)
    place.sign_outs.close()
    async with asyncio.timeout(60):
        assert not (await waiting).sign_outs


async def test_one_that_becomes_visible_late_is_told_all_the_same(place: Place) -> None:
    """Transactions may take their numbers in another order than they are committed in."""
    await place.store.run(
        lambda connection: connection.execute(SIGN_OUTS.insert().values(number=7, player_id="ada", generation=1, at_ms=NOW_MS))
    )
    cursor = (await place.page()).cursor
    await place.store.run(
        lambda connection: connection.execute(SIGN_OUTS.insert().values(number=6, player_id="bob", generation=1, at_ms=NOW_MS))
    )
    assert {one.player_id for one in (await place.page(cursor)).sign_outs} == {"ada", "bob"}
    place.now_ms += sign_outs.AGAIN_MS + 1
    assert not (await place.page(cursor)).sign_outs


async def test_seat_tokens_are_voided_without_a_new_generation(place: Place) -> None:
    await place.store.run(lambda connection: rows.void_seat_tokens(connection, "bot", NOW_MS))
    (one,) = (await place.page()).sign_outs
    assert (one.player_id, one.generation) == ("bot", 0)
    assert not await place.store.run(lambda connection: rows.was_removed(connection, "bot"))


async def test_of_each_player_the_last_one_is_kept_with_the_highest_generation(place: Place) -> None:
    await place.note("ada", generation=3)
    await place.store.run(lambda connection: rows.void_seat_tokens(connection, "ada", NOW_MS))
    (one,) = (await place.page()).sign_outs
    assert (one.player_id, one.generation) == ("ada", 3)
    assert one.number > 1
