"""The lists of rating abuse and of leavers, as moderators get them: from real rows, with names as they are now."""

import asyncio
from functools import partial

import pytest
from sqlalchemy import Connection

from brettwerk.v1 import moderation_pb2 as pb
from brettwerk.v1 import profiles_pb2
from services.players import whole_account
from services.players.accounts import rows
from services.players.calls import Caller
from services.players.conduct import conduct_rows, recent_report, report
from services.players.conduct.conduct_rows import Noted
from services.players.conduct.departures import Mark, Pace
from services.players.conduct.pauses import FIRST_MS
from services.players.conduct.report import LeftOut, Report
from services.players.conduct.thrown_games import ThrownGames
from services.players.conduct.traded_wins import TradedWins
from services.players.moderation.roles import MODERATOR
from services.players.ratings.pools import Pool
from tests.services.players.clubs.place import refused
from tests.services.players.moderation.place import ADA, BOB, CLEO, DAN, EVE, Place

POOL, GAMES = Pool("wec", "apart2"), ("s" * 24, "t" * 24)
PAIR = TradedWins(POOL, (ADA.player_id, BOB.player_id), ("turns",), 20, (11, 9), 3, 19, (0.25, 0.5), GAMES)
THROWN = ThrownGames(POOL, BOB.player_id, ("sandbagging", "soon"), 30, 20, 12, 8, 1800.5, 120.0, 60.0, GAMES)


async def listed(place: Place) -> pb.ListConductResponse:
    answer: pb.ListConductResponse = await place.ask("list_conduct", CLEO, pb.ListConductRequest())
    return answer


async def played(place: Place, caller: Caller, marks: str, ago_ms: int = 0) -> None:
    """Store live games of a player, a minute apart, the last of them so long ago."""
    until_ms = place.clock() - ago_ms
    games = [Noted(until_ms - 60_000 * ago, Pace.LIVE, {caller.player_id: Mark(mark)}) for ago, mark in enumerate(marks[::-1])]
    await place.store.run(lambda connection: conduct_rows.note(connection, games))


@pytest.fixture
async def place_with_moderator(place: Place) -> Place:
    await place.account(ADA, BOB, DAN, EVE)
    await place.grant(CLEO, MODERATOR)
    return place


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the times at which reports are made; each finds the same pair and the same thrown games."""
    times: list[int] = []

    def found(_connection: Connection, now_ms: int) -> Report:
        times.append(now_ms)
        return Report([], [PAIR], [THROWN], 1234, LeftOut(1, 2, 3))

    monkeypatch.setattr(recent_report, "report", found)
    return times


async def test_a_moderator_gets_the_figures_and_the_games(place_with_moderator: Place, made: list[int]):
    found = await listed(place_with_moderator)
    assert (found.made_at_ms, found.games) == (made[0], 1234)
    assert (found.more_leavers, found.more_traded_wins, found.more_thrown_games) == (1, 2, 3)
    (pair,) = found.traded_wins
    assert (pair.game, pair.kind, pair.soon, pair.in_turns) == ("wec", profiles_pb2.PLAY_KIND_APART_TWO, False, True)
    assert [(one.player_id, one.name, one.wins, one.gain_share) for one in pair.players] == [
        (ADA.player_id, "Ada", 11, 0.25),
        (BOB.player_id, "Bob", 9, 0.5),
    ]
    assert (pair.games, pair.given_up_soon, pair.changes, tuple(pair.session_ids)) == (20, 3, 19, GAMES)
    (thrown,) = found.thrown_games
    assert (thrown.player_id, thrown.name, thrown.sandbagging, thrown.soon) == (BOB.player_id, "Bob", True, True)
    assert (thrown.games, thrown.lost, thrown.given_up_soon, thrown.thrown) == (30, 20, 12, 8)
    assert (thrown.highest, thrown.cost, thrown.gained_back, tuple(thrown.session_ids)) == (1800.5, 120, 60, GAMES)


async def test_a_caller_without_a_role_lets_nothing_be_made(place_with_moderator: Place, made: list[int]):
    for caller in (ADA, Caller(CLEO.player_id, "Cleo", "", token_id="t" * 32)):
        with refused("UNKNOWN", what="moderation"):
            await place_with_moderator.ask("list_conduct", caller, pb.ListConductRequest())
    assert made == []


async def test_moderators_share_one_report_for_ten_minutes(place_with_moderator: Place, made: list[int]):
    found = await asyncio.gather(*(listed(place_with_moderator) for _ in range(5)))
    assert [one.made_at_ms for one in found] == made * 5
    place_with_moderator.clock.wait(recent_report.KEPT_MS / 1000)
    assert (await listed(place_with_moderator)).made_at_ms == made[1]


async def test_the_lists_have_names_as_they_are_now_and_none_of_deleted_accounts(place_with_moderator: Place, made: list[int]):
    place = place_with_moderator
    await listed(place)
    await place.store.run(lambda one: rows.rename(one, ADA.player_id, "Ada II"))
    await place.store.run(partial(whole_account.remove, player_id=BOB.player_id, at_ms=place.clock()))
    await place.store.run(partial(rows.void_tokens, player_id=BOB.player_id, generation=1, now_ms=place.clock()))
    found = await listed(place)
    assert [(one.player_id, one.name) for one in found.traded_wins[0].players] == [(ADA.player_id, "Ada II"), ("", "")]
    assert (found.thrown_games[0].player_id, found.thrown_games[0].name) == ("", "")
    assert BOB.player_id not in str(found)
    assert len(made) == 1


async def test_a_player_is_listed_as_a_leaver_while_a_pause_goes_on(place_with_moderator: Place):
    place = place_with_moderator
    await played(place, DAN, "+++++++---")
    await played(place, EVE, "+++++++---", ago_ms=FIRST_MS)
    await played(place, BOB, "+++++++--+")
    found = await listed(place)
    (leaver,) = found.leavers
    assert (leaver.player_id, leaver.name, leaver.pauses, leaver.left, leaver.games) == (DAN.player_id, "Dan", 1, 3, 10)
    assert (leaver.live_percent, leaver.HasField("slow_percent")) == (66, False)
    assert place.clock() < leaver.until_ms <= place.clock() + FIRST_MS
    place.clock.wait(FIRST_MS / 1000)
    assert list((await listed(place)).leavers) == []


async def test_the_lists_are_bounded_and_say_how_many_they_left_out(place_with_moderator: Place, monkeypatch: pytest.MonkeyPatch):
    place = place_with_moderator
    monkeypatch.setattr(report, "SHOWN", 2)
    monkeypatch.setattr(report, "READ_AT_ONCE", 2)
    await played(place, ADA, "---+++++---", ago_ms=FIRST_MS * 100)  # two pauses, and both are over
    for caller in (BOB, DAN, EVE):
        await played(place, caller, "+++++++---")
    found = await listed(place)
    assert [one.name for one in found.leavers] == ["Bob", "Dan"]
    assert found.more_leavers == 1


async def test_the_players_who_played_last_are_looked_at_first(place_with_moderator: Place, monkeypatch: pytest.MonkeyPatch):
    place = place_with_moderator
    monkeypatch.setattr(report, "MAX_READ", 1)
    for caller, ago_ms in ((ADA, 5000), (DAN, 0), (EVE, 3000)):
        await played(place, caller, "+++++++---", ago_ms)
    assert [one.name for one in (await listed(place)).leavers] == ["Dan"]
