"""Arbiters of tournaments: who names them, what they correct, and of which tables they are arbiters."""

from functools import partial
from typing import Any

import pytest

from brettwerk.v1 import clubs_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players import whole_account
from services.players.accounts import rows
from services.players.calls import Caller
from services.players.clubs.clubs import Clubs
from services.players.clubs.membership import Membership
from services.players.opponents import blocks
from services.players.tournaments import arbiter_rows
from services.players.tournaments.tables import TOURNAMENT_ARBITERS
from services.runtime.word_list import WordFile
from tests.services.players.tournaments.place import ARENA, Place, callers
from tests.services.players.tournaments.test_changes import correct
from tests.services.players.tournaments.test_progress import begun
from tests.services.players.tournaments.test_tournaments import refused

ADA, BOB, CLEO, RUTH, *OTHERS = callers(12)


@pytest.fixture(autouse=True)
async def accounts(place: Place) -> None:
    for caller in (ADA, BOB, CLEO, RUTH, *OTHERS):
        await place.store.run(partial(rows.keep, caller=caller, now_ms=place.clock()))


async def name(place: Place, tournament: pb.Tournament, player: Caller, by: Caller = ADA, **fields: Any) -> pb.Tournament:
    request = pb.NameTournamentArbiterRequest(tournament_id=tournament.tournament_id, player_id=player.player_id, **fields)
    after: pb.Tournament = (await place.one.ask("name_tournament_arbiter", by, request)).tournament
    return after


def arbiters(place: Place) -> list[list[str]]:
    """Return the ids of the arbiters of each table that was set up."""
    return [[one.player_id for one in asked.arbiters] for asked in place.sessions.asked]


async def test_the_owner_names_arbiters_whom_everybody_sees_and_takes_that_back(place: Place):
    tournament = await place.one.create(ADA)
    for _ in range(2):
        named = await name(place, tournament, RUTH)
        assert [(one.player_id, one.name) for one in named.arbiters] == [(RUTH.player_id, RUTH.name)]
    shown = (await place.one.get(tournament)).tournament
    assert [one.name for one in shown.arbiters] == [RUTH.name]
    assert not shown.arbitrated
    assert (await place.one.get(tournament, RUTH)).tournament.arbitrated
    assert (await place.one.get(tournament, ADA)).tournament.arbitrated
    assert not (await name(place, tournament, RUTH, withdraw=True)).arbiters
    await name(place, tournament, RUTH)
    assert not (await name(place, tournament, RUTH, RUTH, withdraw=True)).arbiters


async def test_others_cannot_be_named_or_name_anybody(place: Place, monkeypatch: pytest.MonkeyPatch):
    tournament = await place.one.create(ADA)
    with refused("TOURNAMENT", tournament="not_owner"):
        await name(place, tournament, RUTH, BOB)
    with refused("MALFORMED", field="player_id"):
        await name(place, tournament, ADA)
    with refused("UNKNOWN", what="player", field="player_id"):
        await name(place, tournament, Caller("nobody", "Nobody", ""))
    with refused("UNKNOWN", what="tournament", field="tournament_id"):
        await name(place, pb.Tournament(tournament_id="none"), RUTH)
    await place.store.run(lambda connection: blocks.block(connection, CLEO.player_id, ADA.player_id, place.clock()))
    with refused("TOURNAMENT", tournament="blocked"):
        await name(place, tournament, CLEO)
    monkeypatch.setattr("services.players.tournaments.arbiters.MAX_ARBITERS", 1)
    await name(place, tournament, BOB)
    with refused("FULL", bound="arbiters"):
        await name(place, tournament, RUTH)
    await place.one.ask("cancel_tournament", ADA, pb.CancelTournamentRequest(tournament_id=tournament.tournament_id))
    with refused("TOURNAMENT", tournament="cancelled"):
        await name(place, tournament, RUTH)


async def test_arbiters_correct_the_games_of_others(place: Place):
    tournament = await begun(place, ADA, BOB)
    await name(place, tournament, RUTH)
    await name(place, tournament, BOB)
    with refused("TOURNAMENT", tournament="not_arbiter"):
        await correct(place, tournament, CLEO, 1, 0)
    with refused("TOURNAMENT", tournament="own_game"):
        await correct(place, tournament, BOB, 1, 0)
    await correct(place, tournament, RUTH, 0.5, 0.5)
    whole = await place.one.get(tournament)
    assert (whole.pairings[0].correction, whole.pairings[0].first_points) == ("A wrong game was counted", 0.5)
    await correct(place, tournament, ADA, 1, 0)


async def test_tables_that_are_set_up_have_the_owner_and_the_arbiters_but_not_their_own(place: Place):
    tournament = await place.one.create(RUTH)
    await name(place, tournament, BOB, RUTH)
    await name(place, tournament, CLEO, RUTH)
    await place.one.join(tournament, ADA, BOB)
    await place.one.start(tournament, RUTH)
    assert arbiters(place) == [[RUTH.player_id, CLEO.player_id]]
    assert place.sessions.asked[0].arbiters[1].name == CLEO.name


async def test_an_arena_has_them_too(place: Place):
    tournament = await place.one.create(RUTH, kind=ARENA, duration_s=3600)
    await place.one.join(tournament, ADA, BOB)
    await place.one.start(tournament, RUTH)
    await place.one.work()
    assert arbiters(place) == [[RUTH.player_id]]


async def test_organisers_of_the_club_are_arbiters_of_its_tournament(place: Place):
    club = clubs_pb2.CreateClubRequest(name="Monday club", entry=clubs_pb2.Club.ENTRY_OPEN, request_id="request-1")
    made: Any = (await Clubs(place.store, WordFile(""), place.clock).create(club, RUTH)).response
    members = Membership(place.store, place.clock).handlers()
    for player in (ADA, BOB, CLEO):
        await members["join_club"](clubs_pb2.JoinClubRequest(club_id=made.club.club_id), player)
    tournament = await begun(place, ADA, BOB, club_id=made.club.club_id)
    assert (await place.one.get(tournament, RUTH)).tournament.arbitrated
    assert not (await place.one.get(tournament, CLEO)).tournament.arbitrated
    assert arbiters(place) == [[RUTH.player_id]]
    await correct(place, tournament, RUTH, 0, 1)
    with refused("TOURNAMENT", tournament="not_arbiter"):
        await correct(place, tournament, CLEO, 0, 1)


async def test_a_table_has_eight_arbiters_at_most(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("services.players.tournaments.arbiters.MAX_ARBITERS", 20)
    tournament = await place.one.create(RUTH)
    for other in OTHERS:
        await name(place, tournament, other, RUTH)
    await name(place, tournament, CLEO, RUTH)
    await place.one.join(tournament, ADA, BOB)
    await place.one.start(tournament, RUTH)
    assert [len(found) for found in arbiters(place)] == [arbiter_rows.MAX_AT_TABLE]


async def test_an_arbiter_is_exported_and_deleted_with_the_account(place: Place):
    tournament = await place.one.create(ADA)
    await name(place, tournament, RUTH)
    exported = await place.store.run(lambda connection: whole_account.exported(connection, RUTH.player_id))
    assert '"players_tournament_arbiters": [{' in exported
    await place.store.run(lambda connection: whole_account.remove(connection, RUTH.player_id, place.clock()))
    assert not await place.store.run(lambda connection: connection.execute(TOURNAMENT_ARBITERS.select()).all())
    assert not (await place.one.get(tournament)).tournament.arbiters
    await name(place, tournament, BOB)
    await place.store.run(lambda connection: whole_account.remove(connection, ADA.player_id, place.clock()))
    assert [one.player_id for one in (await place.one.get(tournament, BOB)).tournament.arbiters] == [BOB.player_id]
