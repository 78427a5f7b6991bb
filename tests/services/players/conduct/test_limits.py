"""Reliability and pauses in pools, challenges, arenas and profiles, on a real database."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from brettwerk.v1 import errors_pb2, opponents_pb2, profiles_pb2, record_pb2
from services.archive.access import Access
from services.players.accounts import rows
from services.players.calls import Caller
from services.players.conduct import conduct_rows
from services.players.conduct.conduct_rows import Noted
from services.players.conduct.departures import Mark, Pace
from services.players.conduct.pauses import FIRST_MS
from services.players.profiles.profiles import Profiles
from services.runtime.refusal import Refused
from tests.services.players.opponents.place import NOON, Place, player
from tests.services.players.tournaments import place as tournaments

ADA, BOB, CLEO = player("a", "Ada"), player("b", "Bob"), player("c", "Cleo")
Seek = opponents_pb2.Seek
FIVE = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=300_000, increment_ms=3_000)
DAYS = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=3 * 86_400_000)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(tmp_path / "players.sqlite3")
    for caller in (ADA, BOB, CLEO):
        await made.store.run(partial(rows.keep, caller=caller, now_ms=NOON))
    yield made
    made.store.close()


async def played(store: Access, caller: Caller, marks: str, pace: Pace = Pace.LIVE, until_ms: int = NOON) -> None:
    """Store games of a player, a minute apart, the last of them at a moment."""
    games = [
        Noted(until_ms - 60_000 * number, pace, {caller.player_id: Mark(mark)}) for number, mark in enumerate(reversed(marks))
    ]
    await store.run(lambda connection: conduct_rows.note(connection, games))


async def test_a_player_who_pauses_is_refused_with_the_end_of_the_pause(place: Place):
    await played(place.store, BOB, "+++-+-+-")
    place.clock.wait(60)
    with pytest.raises(Refused) as caught:
        await place.one.seek(BOB, clock=FIVE)
    refusal = caught.value.refusal
    assert refusal.reason == errors_pb2.REASON_LEFT_GAMES
    assert dict(refusal.details) == {"left": "3", "until_ms": str(NOON + FIRST_MS)}
    assert refusal.retry_after_ms == FIRST_MS - 60_000
    place.clock.wait(refusal.retry_after_ms / 1000)
    assert (await place.one.seek(BOB, clock=FIVE)).state == Seek.STATE_WAITING


async def test_a_search_that_a_pause_comes_into_goes_on(place: Place):
    before = await place.one.seek(BOB, clock=FIVE)
    await played(place.store, BOB, "---")
    assert (await place.one.seek(BOB, clock=FIVE)) == before, "a repeated request"
    assert (await place.one.follow(BOB, before)).state == Seek.STATE_WAITING


async def test_only_reliable_players_are_paired_with_one_who_asks_for_them(place: Place):
    await played(place.store, BOB, "+++++-+++++-++++")
    wanted = await place.one.seek(ADA, clock=FIVE, least_reliability=90)
    assert wanted.least_reliability == 90
    assert (await place.other.seek(BOB, clock=FIVE)).state == Seek.STATE_WAITING
    await played(place.store, CLEO, "+" * 5)
    found = await place.other.seek(CLEO, clock=FIVE)
    assert (found.state, found.opponent.name, found.opponent.HasField("reliability")) == (Seek.STATE_READY, "Ada", False)
    seen = (await place.one.follow(ADA, wanted)).opponent
    assert (seen.name, seen.reliability) == ("Cleo", 100)


async def test_players_of_whom_nothing_is_known_are_paired_with_anybody(place: Place):
    await place.one.seek(ADA, clock=FIVE, least_reliability=100)
    assert (await place.other.seek(BOB, clock=FIVE)).state == Seek.STATE_READY


async def test_a_challenge_tells_how_reliable_both_are_at_its_pace(place: Place):
    await played(place.store, ADA, "+" * 8)
    await played(place.store, BOB, "+" * 4 + "-" * 4, Pace.SLOW, until_ms=NOON - 60_000)
    for clock, expected in ((FIVE, (100, None)), (DAYS, (None, 46))):
        challenge = await place.one.challenge(
            ADA, f"challenge-{clock.time_ms}", player_id=BOB.player_id, clock=clock, competitive=True
        )
        shown = [one.reliability if one.HasField("reliability") else None for one in (challenge.challenger, challenge.challenged)]
        assert tuple(shown) == expected


async def test_a_profile_shows_reliability_to_all_and_the_pause_to_its_player(place: Place):
    await played(place.store, BOB, "+++++---")
    await played(place.store, BOB, "++", Pace.SLOW)
    profiles = Profiles(place.store, place.clock)

    async def profile(caller: Caller, player_id: str = "") -> profiles_pb2.GetProfileResponse:
        request = profiles_pb2.GetProfileRequest(player_id=player_id)
        answered = (await profiles.get_profile(request, caller)).response
        assert isinstance(answered, profiles_pb2.GetProfileResponse)
        return answered

    own = await profile(BOB)
    assert (own.live_reliability.games, own.live_reliability.left, own.live_reliability.percent) == (8, 3, 59)
    assert (own.slow_reliability.games, own.slow_reliability.HasField("percent")) == (2, False)
    assert (own.pause.until_ms, own.pause.left) == (NOON + FIRST_MS, 3)
    seen = await profile(ADA, BOB.player_id)
    assert (seen.live_reliability, seen.HasField("pause")) == (own.live_reliability, False)


async def test_a_player_who_pauses_enters_no_running_arena(tmp_path: Path, players_url: str):
    ada, bob = tournaments.callers(2)
    place = tournaments.Place(tmp_path, players_url)
    arena = await place.one.create(ada, kind=tournaments.ARENA, duration_s=1200)
    await place.one.start(arena, ada)
    await played(place.store, bob, "---", until_ms=place.clock.now_ms)
    with pytest.raises(Refused) as caught:
        await place.one.join(arena, bob)
    assert caught.value.reason == errors_pb2.REASON_LEFT_GAMES
    place.clock.wait(FIRST_MS / 1000)
    await place.one.join(arena, bob)
    place.close()
