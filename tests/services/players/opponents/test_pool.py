"""Pools on a real database: who is paired, and that nobody comes to two sessions, whichever process does it or dies."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from brettwerk.v1 import errors_pb2, news_pb2, opponents_pb2, record_pb2
from services.players.calls import Caller
from services.players.news import feed
from services.players.opponents.pool import LEASE_MS
from services.players.opponents.seek_rows import FORGOTTEN_MS, forget_left
from services.players.opponents.tables import SEEKS
from services.runtime.refusal import Refused
from tests.services.players.opponents.place import JOIN_TIMEOUT_S, Place, player

ADA, BOB, CLEO = player("a", "Ada"), player("b", "Bob"), player("c", "Cleo")
Seek = opponents_pb2.Seek
FIVE = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=300_000, increment_ms=3_000)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(tmp_path / "players.sqlite3")
    yield made
    made.store.close()


async def news(place: Place, caller: Caller) -> list[news_pb2.News]:
    return list((await place.store.run(lambda connection: feed.page(connection, caller.player_id, 0))).news)


async def rate(place: Place, caller: Caller, rating: float) -> None:
    """Give a player who waits a rating."""
    change = update(SEEKS).where(SEEKS.c.player_id == caller.player_id).values(rating=rating)
    await place.store.run(lambda connection: connection.execute(change))


async def test_two_who_look_for_the_same_are_paired_and_both_are_told(place: Place):
    first = await place.one.seek(ADA, clock=FIVE, competitive=True)
    assert (first.state, first.others, first.window, first.rating) == (Seek.STATE_WAITING, 0, 100, 1500)
    second = await place.other.seek(BOB, clock=FIVE, competitive=True)
    assert second.state == Seek.STATE_READY and second.opponent.name == "Ada"
    found = await place.one.follow(ADA, first)
    assert found.session_id == second.session_id and found.opponent.name == "Bob"
    (asked,) = place.sessions.asked
    assert asked.address == ADA.address
    assert {*asked.kept_for} == {ADA.player_id, BOB.player_id}
    assert (asked.create.game, asked.create.competitive, asked.create.clock) == ("einstein", True, FIVE)
    for caller, other in ((ADA, "Bob"), (BOB, "Ada")):
        (received,) = await news(place, caller)
        assert (received.kind, received.name, received.session_id) == (news_pb2.News.KIND_PAIRED, other, found.session_id)
        assert asked.kept_for[received.seat] == caller.player_id


async def test_another_game_clock_or_kind_is_another_pool(place: Place):
    await place.one.seek(ADA, clock=FIVE)
    assert (await place.one.seek(BOB)).state == Seek.STATE_WAITING
    assert (await place.one.seek(CLEO, clock=FIVE, competitive=True)).state == Seek.STATE_WAITING
    pools = (await place.one.ask("list_pools", ADA, opponents_pb2.ListPoolsRequest(game="einstein"))).pools
    assert sum(pool.waiting for pool in pools) == 3 == len([pool for pool in pools if pool.waiting])


async def test_far_ratings_meet_once_the_wait_has_widened_the_windows(place: Place):
    ada = await place.one.seek(ADA)
    await rate(place, ADA, 2000)
    await place.one.seek(BOB)
    await place.one.pool.pair_all()
    assert (await place.one.follow(ADA, ada)).state == Seek.STATE_WAITING
    for _ in range(4):
        place.clock.wait(10)
        assert (await place.one.follow(ADA, ada)).state == Seek.STATE_WAITING
        await place.one.seek(BOB)  # the same request again renews the search
        await place.one.pool.pair_all()
    assert (await place.one.follow(ADA, ada)).state == Seek.STATE_READY  # 500 points apart: 2 (50 + 5 * 40) after 40 s


async def test_a_player_who_leaves_without_a_word_is_paired_with_nobody(place: Place):
    ada = await place.one.seek(ADA)
    place.clock.wait(LEASE_MS / 1000 + 1)
    bob = await place.one.seek(BOB)
    assert (bob.state, bob.others) == (Seek.STATE_WAITING, 0)
    place.clock.wait(FORGOTTEN_MS / 1000)
    await place.one.store.run(lambda connection: forget_left(connection, place.clock()))
    assert (await place.one.follow(ADA, ada)).state == Seek.STATE_OVER


async def test_a_player_who_comes_back_soon_goes_on_waiting(place: Place):
    ada = await place.one.seek(ADA)
    place.clock.wait(LEASE_MS / 1000 + 1)
    back = await place.other.follow(ADA, ada)
    assert (back.state, back.since_ms) == (Seek.STATE_WAITING, ada.since_ms)
    assert (await place.one.seek(BOB)).opponent.name == "Ada"


async def test_a_search_that_was_stopped_is_over_and_can_be_stopped_again(place: Place):
    ada = await place.one.seek(ADA)
    for _ in range(2):
        await place.one.ask("stop_seek", ADA, opponents_pb2.StopSeekRequest(seek_id=ada.seek_id))
    assert (await place.one.follow(ADA, ada)).state == Seek.STATE_OVER
    assert (await place.one.seek(BOB)).state == Seek.STATE_WAITING


async def test_a_repeat_is_the_same_search_and_another_one_takes_its_place(place: Place):
    first = await place.one.seek(ADA)
    assert (await place.other.seek(ADA)).seek_id == first.seek_id
    second = await place.other.seek(ADA, "search-2", clock=FIVE)
    assert (await place.one.follow(ADA, first)).state == Seek.STATE_OVER
    assert (await place.one.follow(ADA, second)).state == Seek.STATE_WAITING


async def test_a_paired_player_is_told_so_before_another_search_begins(place: Place):
    await place.one.seek(ADA)
    await place.one.seek(BOB)
    again = await place.one.seek(ADA, "search-2", clock=FIVE)
    assert again.state == Seek.STATE_READY and len(place.sessions.asked) == 1
    await place.one.ask("stop_seek", ADA, opponents_pb2.StopSeekRequest(seek_id=again.seek_id))
    assert (await place.one.seek(ADA, "search-3", clock=FIVE)).state == Seek.STATE_WAITING


async def test_a_process_that_dies_after_pairing_leaves_an_order_that_another_carries_out(place: Place):
    place.one.makes = False
    ada = await place.one.seek(ADA)
    assert (await place.one.seek(BOB)).state == Seek.STATE_PAIRED
    assert place.sessions.asked == []
    assert (await place.one.seek(ADA, "search-2", clock=FIVE)).state == Seek.STATE_PAIRED  # nobody comes to two sessions
    await place.other.arranging.carry_out_due()
    assert (await place.other.follow(ADA, ada)).state == Seek.STATE_READY
    assert len(place.sessions.asked) == 1


async def test_a_session_service_that_is_away_delays_a_session_and_no_more(place: Place):
    place.sessions.away = Refused(errors_pb2.REASON_UNAVAILABLE, "away")
    ada = await place.one.seek(ADA)
    assert (await place.one.seek(BOB)).state == Seek.STATE_PAIRED
    place.sessions.away = None
    place.clock.wait(2)
    await place.one.arranging.carry_out_due()
    assert (await place.one.follow(ADA, ada)).state == Seek.STATE_READY


async def test_a_session_to_which_not_both_have_come_is_closed_and_the_search_is_over(place: Place):
    ada = await place.one.seek(ADA)
    await place.one.seek(BOB)
    place.clock.wait(JOIN_TIMEOUT_S + 1)
    await place.other.arranging.carry_out_due()
    assert place.sessions.closed == [place.sessions.asked[0].arrangement_id]
    assert (await place.one.follow(ADA, ada)).state == Seek.STATE_OVER
    assert (await place.one.seek(ADA, "search-2")).state == Seek.STATE_WAITING


async def test_a_player_who_waits_in_a_call_hears_of_an_opponent_at_once(place: Place):
    ada = await place.one.seek(ADA)
    waiting = asyncio.create_task(place.one.follow(ADA, ada, wait_ms=4000))
    await asyncio.sleep(0)
    await place.one.seek(BOB)
    async with asyncio.timeout(60):
        assert (await waiting).state == Seek.STATE_READY


async def test_many_searches_over_two_processes_make_disjoint_pairs(place: Place):
    callers = [Caller(f"{number:026d}", f"P{number}", "192.0.2.1") for number in range(24)]
    processes = (place.one, place.other)
    await asyncio.gather(*(processes[number % 2].seek(caller) for number, caller in enumerate(callers)))
    await asyncio.gather(place.one.pool.pair_all(), place.other.pool.pair_all())
    await place.one.pool.pair_all()
    paired = [player for asked in place.sessions.asked for player in asked.kept_for]
    assert sorted(paired) == sorted(caller.player_id for caller in callers)


async def test_a_player_is_not_paired_with_one_they_have_blocked(place: Place):
    await place.one.ask("block_player", ADA, opponents_pb2.BlockPlayerRequest(player_id=BOB.player_id, blocked=True))
    await place.one.seek(ADA)
    assert (await place.one.seek(BOB)).state == Seek.STATE_WAITING
    assert (await place.one.seek(CLEO)).opponent.name in ("Ada", "Bob")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"clock": record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=1)}, errors_pb2.REASON_MALFORMED),
        ({"competitive": True}, errors_pb2.REASON_MALFORMED),
        ({"request_id": "short"}, errors_pb2.REASON_MALFORMED),
    ],
)
async def test_there_is_no_pool_for_every_clock(place: Place, fields: dict[str, Any], reason: int):
    with pytest.raises(Refused) as refused:
        await place.one.seek(ADA, **fields)
    assert refused.value.reason == reason


@pytest.mark.parametrize(("competitive", "has_none"), [(False, True), (True, False)])
async def test_a_refused_clock_is_told_the_clocks_of_its_kind(place: Place, competitive: bool, has_none: bool):
    odd = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=1)
    with pytest.raises(Refused) as refused:
        await place.one.seek(ADA, clock=odd, competitive=competitive)
    offered = str(refused.value).partition("there are: ")[2].split(", ")
    assert "2:300000:3000" in offered
    assert ("none" in offered) is has_none


async def test_looking_for_an_opponent_needs_a_player(place: Place):
    with pytest.raises(Refused) as refused:
        await place.one.seek(Caller("", "", "192.0.2.1"))
    assert refused.value.reason == errors_pb2.REASON_NO_TOKEN
