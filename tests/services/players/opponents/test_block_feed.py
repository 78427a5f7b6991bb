"""Session processes know who has blocked somebody or is blocked, and a block is answered once they do."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import opponents_pb2
from services.players.calls import Caller
from services.players.opponents import block_feed
from services.players.opponents.block_feed import BlockFeed
from services.players.opponents.player_search import Finding
from services.players.store import open_store
from services.runtime.tasks import ended
from tests.services.players.opponents.place import player

ADA, BOB, CLEO = (player(letter, name) for letter, name in (("a", "Ada"), ("b", "Bob"), ("c", "Cleo")))
SESSION = "a session process"


class Place:
    def __init__(self, url: str) -> None:
        self.store = open_store(url)
        self.feed = BlockFeed(self.store)
        self.finding = Finding(self.store, block_feed=self.feed)
        self.looking = asyncio.create_task(self.feed.run())

    async def until_somebody_waits(self) -> None:
        async with asyncio.timeout(60):
            while not self.feed._waiting:  # noqa: ASYNC110 - it comes by itself
                await asyncio.sleep(0.01)

    async def block(self, one: Caller, other: Caller, *, blocked: bool = True) -> None:
        await self.finding.block(opponents_pb2.BlockPlayerRequest(player_id=other.player_id, blocked=blocked), one)

    async def page(self, version: str = "", wait_ms: int = 0, process: str = "") -> players_pb2.ListPlayersWithBlocksResponse:
        return await self.feed.page(players_pb2.ListPlayersWithBlocksRequest(version=version, wait_ms=wait_ms, process=process))


@pytest.fixture
async def place(players_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Place]:
    monkeypatch.setattr(block_feed, "LONE_LOOK_S", 0.2)
    made = Place(players_url)
    yield made
    made.feed.close()
    await ended(made.looking)
    made.store.close()


async def test_both_sides_of_every_block_are_listed_until_it_is_taken_back(place: Place) -> None:
    nothing = await place.page()
    assert (list(nothing.players), nothing.too_many) == ([], False)
    await place.block(ADA, BOB)
    await place.block(CLEO, BOB)
    assert set((await place.page()).players) == {ADA.player_id, BOB.player_id, CLEO.player_id}
    await place.block(CLEO, BOB, blocked=False)
    assert set((await place.page(nothing.version)).players) == {ADA.player_id, BOB.player_id}


async def test_a_known_list_is_not_sent_again(place: Place) -> None:
    await place.block(ADA, BOB)
    known = await place.page()
    again = await place.page(known.version)
    assert (again.version, list(again.players)) == (known.version, [])
    began = time.monotonic()
    assert (await place.page(known.version, wait_ms=20)).version == known.version
    assert time.monotonic() - began >= 0.02


async def test_a_block_is_answered_once_a_process_that_follows_has_come_again(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(block_feed, "ACKNOWLEDGED_WITHIN_S", 3600.0)
    version = (await place.page(process=SESSION)).version
    waiting = asyncio.create_task(place.page(version, wait_ms=5000, process=SESSION))
    await place.until_somebody_waits()
    blocking = asyncio.create_task(place.block(ADA, BOB))
    page = await waiting
    assert set(page.players) == {ADA.player_id, BOB.player_id}
    await asyncio.sleep(0.05)  # it would be done by now
    assert not blocking.done(), "the answer may have been lost on its way"
    again = asyncio.create_task(place.page(page.version, wait_ms=5000, process=SESSION))
    async with asyncio.timeout(60):
        await blocking
    again.cancel()


async def test_a_process_that_does_not_come_keeps_nobody_waiting_for_long(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_feed, "ACKNOWLEDGED_WITHIN_S", 0.1)
    await place.page(process=SESSION)
    async with asyncio.timeout(60):
        await place.block(ADA, BOB)


async def test_a_process_that_has_hung_up_is_not_waited_for(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_feed, "ACKNOWLEDGED_WITHIN_S", 3600.0)
    version = (await place.page(process=SESSION)).version
    waiting = asyncio.create_task(place.page(version, wait_ms=5000, process=SESSION))
    await place.until_somebody_waits()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    async with asyncio.timeout(60):
        await place.block(ADA, BOB)


async def test_a_block_by_another_process_ends_the_wait_of_those_who_follow(place: Place) -> None:
    version = (await place.page()).version
    waiting = asyncio.create_task(place.page(version, wait_ms=60_000))
    await place.until_somebody_waits()
    await Finding(place.store).block(opponents_pb2.BlockPlayerRequest(player_id=BOB.player_id, blocked=True), ADA)
    began = time.monotonic()
    assert ADA.player_id in (await waiting).players
    assert time.monotonic() - began < 4, "it was not the end of the wait"


async def test_where_there_are_too_many_nobody_is_listed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_feed, "MAX_LISTED", 1)
    await place.block(ADA, BOB)
    assert not (await place.page()).too_many
    await place.block(ADA, CLEO)
    full = await place.page()
    assert (full.too_many, list(full.players)) == (True, [])


async def test_waiting_calls_end_with_the_process(place: Place) -> None:
    version = (await place.page()).version
    waiting = asyncio.create_task(place.page(version, wait_ms=60_000))
    await place.until_somebody_waits()
    place.feed.close()
    began = time.monotonic()
    await waiting
    assert time.monotonic() - began < 4
