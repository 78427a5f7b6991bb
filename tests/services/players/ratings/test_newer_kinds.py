"""Ratings, games and results of kinds that nobody here knows: a newer release stores them while it runs beside this one."""

import json
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Table, select, update

from brettwerk.v1 import errors_pb2
from brettwerk.v1 import profiles_pb2 as pb
from services.archive.entry import Kept
from services.players import whole_account
from services.players.accounts.deleted_players import mark_of
from services.players.calls import Answered, Caller
from services.players.profiles.profiles import Profiles
from services.players.profiles.words import KIND
from services.players.ratings import rated_games
from services.players.ratings.pools import DAY_MS, Pool
from services.players.ratings.tables import RATING_EVENTS, RATING_POOLS, RATING_WEEKS, RATINGS
from services.players.results.rating_kind import KINDS, TWO
from services.players.results.tables import GAMES, RESULTS
from services.runtime.refusal import Refused
from tests.services.players.intake.finished_games import kept, outcome, person, session_id
from tests.services.players.intake.place import Place
from tests.services.players.opponents.place import NotedSessions, Process

NOW_MS = 1_700_000_000_000
ANNA, BERT = Caller("anna", "Anna", "192.0.2.1"), Caller("bert", "Bert", "192.0.2.2")
NEWER, NEWER_RESULT = "newest2", "adjudicated"
TABLES = (RATINGS, RATING_EVENTS, RATING_WEEKS, RATING_POOLS, GAMES, RESULTS)
UNCOUNTED, COUNTED = session_id(90), session_id(91)
"""Games of the newer kind: one that nobody has counted for ratings yet, and one that the newer release has."""


def played(number: int, winner: int) -> Kept:
    both = person("anna"), person("bert")
    return kept(number, *both, ended=outcome(winner), competitive=True, finished_at_ms=NOW_MS + number)


@pytest.fixture
async def place(tmp_path: Path, players_url: str) -> AsyncIterator[Place]:
    made = Place(tmp_path, players_url)
    for number, winner in enumerate((0, 0, 1)):
        await made.archive.keep(played(number, winner))
    made.taking.take([session_id(number) for number in range(3)])
    made.store.run_here(write_newer)
    yield made
    made.close()


def write_newer(connection: Connection) -> None:
    """Write what stands there for known kinds once more for the newer one, with what it alone knows."""
    again(connection, RATINGS, kind=NEWER, rating=2900.0, games=999)
    again(connection, RATING_WEEKS, kind=NEWER)
    again(connection, RATING_POOLS, kind=NEWER)
    this = session_id(0)
    again(connection, RATING_EVENTS, of=this, kind=NEWER, session_id=COUNTED)
    for newer, rated in ((UNCOUNTED, None), (COUNTED, True)):
        again(connection, GAMES, of=this, kind=NEWER, session_id=newer, rated=rated)
        again(connection, RESULTS, of=this, session_id=newer, result=NEWER_RESULT)


def again(connection: Connection, table: Table, of: str = "", **changed: Any) -> None:
    """Insert rows once more, those of a session where one is named, with something changed."""
    query = select(table) if not of else select(table).where(table.c.session_id == of)
    rows = connection.execute(query).all()
    connection.execute(table.insert(), [{**dict(zip(table.c.keys(), row, strict=True)), **changed} for row in rows])


async def answer(call: Awaitable[Answered]) -> Any:
    return (await call).response


def profiles(place: Place) -> Profiles:
    return Profiles(place.store, lambda: NOW_MS + DAY_MS)


@pytest.mark.parametrize("caller", [ANNA, BERT, Caller("", "", "")])
async def test_a_profile_has_the_ratings_and_games_that_are_known(place: Place, caller: Caller) -> None:
    found = await answer(profiles(place).get_profile(pb.GetProfileRequest(player_id="anna"), caller))
    assert [(one.game, one.kind, one.games, len(one.points)) for one in found.ratings] == [("einstein", pb.PLAY_KIND_TWO, 3, 3)]
    assert [(one.game, one.games, one.won, one.lost) for one in found.games] == [("einstein", 3, 2, 1)]


async def test_a_list_of_results_goes_over_those_that_are_known(place: Place) -> None:
    found = await answer(profiles(place).list_results(pb.ListResultsRequest(), ANNA))
    assert [one.session_id for one in found.games] == [session_id(number) for number in (2, 1, 0)]
    mixed = update(RESULTS).where(RESULTS.c.player_id == "bert", RESULTS.c.session_id == session_id(1))
    place.store.run_here(lambda connection: connection.execute(mixed.values(result=NEWER_RESULT)))
    found = await answer(profiles(place).list_results(pb.ListResultsRequest(), ANNA))
    assert [len(one.others) for one in found.games] == [1, 0, 1]


@pytest.mark.parametrize("week_ms", [0, NOW_MS])
@pytest.mark.parametrize("kind", KIND.values())
async def test_a_ranking_has_nothing_of_a_newer_kind(place: Place, kind: pb.PlayKind.ValueType, week_ms: int) -> None:
    wanted = pb.ListLeadersRequest(game="einstein", kind=kind, week_ms=week_ms)
    found = await answer(profiles(place).list_leaders(wanted, ANNA))
    assert {one.player_id for one in found.leaders} == ({"anna", "bert"} if kind == pb.PLAY_KIND_TWO else set())
    assert all(one.rating < 2900 and one.games == 3 for one in found.leaders)


async def test_a_ranking_of_a_newer_kind_is_refused(place: Place) -> None:
    newer: Any = 99
    with pytest.raises(Refused) as refused:
        await profiles(place).list_leaders(pb.ListLeadersRequest(game="einstein", kind=newer), ANNA)
    assert (refused.value.reason, refused.value.refusal.field) == (errors_pb2.REASON_MALFORMED, "kind")


async def test_a_search_for_an_opponent_goes_by_the_known_rating(place: Place) -> None:
    known = select(RATINGS.c.rating).where(RATINGS.c.player_id == "anna", RATINGS.c.kind == TWO)
    rating = place.store.run_here(lambda connection: connection.execute(known).scalar_one())
    process = Process(place.store, NotedSessions(), lambda: NOW_MS + DAY_MS)
    assert (await process.seek(ANNA)).rating == pytest.approx(rating)


async def test_games_of_a_newer_kind_wait_for_whoever_knows_it(place: Place) -> None:
    await place.archive.keep(played(3, 0))
    place.taking.take([session_id(3)])
    arena = [Pool("einstein", NEWER)]  # where a newer process has paired an arena's game, this is what it counts for
    assert place.store.run_here(lambda connection: rated_games.step(connection, arena)) == 0
    counted = select(GAMES.c.session_id, GAMES.c.rated).where(GAMES.c.session_id.in_([session_id(3), UNCOUNTED]))
    rated = {row.session_id: row.rated for row in place.store.run_here(lambda connection: connection.execute(counted).all())}
    assert rated == {session_id(3): True, UNCOUNTED: None}
    newer = select(RATINGS.c.games).where(RATINGS.c.kind == NEWER)
    assert place.store.run_here(lambda connection: connection.execute(newer).scalars().all()) == [999, 999]


def test_an_export_has_what_is_stored_of_a_newer_kind_too(place: Place) -> None:
    found = json.loads(place.store.run_here(lambda connection: whole_account.exported(connection, "anna")))
    assert {one["kind"] for one in found[RATINGS.name]} == {TWO, NEWER}
    assert NEWER_RESULT in {one["result"] for one in found[RESULTS.name]}


def test_a_deleted_player_is_in_no_row_of_a_newer_kind(place: Place) -> None:
    place.store.run_here(lambda connection: whole_account.remove(connection, "anna", NOW_MS))

    def named(connection: Connection) -> dict[str, set[str]]:
        tables = [table for table in TABLES if "player_id" in table.c]
        return {table.name: set(connection.execute(select(table.c.player_id)).scalars()) for table in tables}

    assert set(map(frozenset, place.store.run_here(named).values())) == {frozenset({mark_of("anna"), "bert"})}


def test_every_known_kind_has_a_word_in_the_contract() -> None:
    assert set(KIND) == KINDS
