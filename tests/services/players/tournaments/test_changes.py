"""Changes of a running tournament: late entries, byes on request, and results that its owner corrects."""

from typing import Any

import pytest

from brettwerk.v1 import errors_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players.calls import Caller
from services.runtime.refusal import Refused
from tests.services.players.tournaments.place import GROUPS, KNOCK_OUT, ROUND_ROBIN, SWISS, TABLES, Place, callers
from tests.services.players.tournaments.test_progress import begun
from tests.services.players.tournaments.test_tournaments import refused

EIGHT = callers(8)
ADA, BOB, CLEO, *_ = EIGHT


async def correct(place: Place, tournament: pb.Tournament, caller: Caller, *points: float, **fields: Any) -> pb.Tournament:
    wanted = {"round": 1, "table": 1, "reason": "A wrong game was counted", **fields}
    request = pb.CorrectPairingRequest(tournament_id=tournament.tournament_id, points=points, **wanted)
    after: pb.Tournament = (await place.one.ask("correct_pairing", caller, request)).tournament
    return after


async def sit_out(place: Place, tournament: pb.Tournament, caller: Caller, *, withdraw: bool = False) -> pb.Tournament:
    request = pb.RequestByeRequest(tournament_id=tournament.tournament_id, withdraw=withdraw)
    after: pb.Tournament = (await place.one.ask("request_bye", caller, request)).tournament
    return after


async def test_a_late_player_plays_from_the_next_round_on_for_no_points_before(place: Place):
    tournament = await begun(place, *EIGHT[:7], rounds=4, late_entry=True)
    assert (await place.one.get(tournament, EIGHT[7])).tournament.joinable
    await place.one.join(tournament, EIGHT[7], EIGHT[7])
    await place.play(tournament, min)
    await place.one.work()
    whole = await place.one.get(tournament)
    late = next(one for one in whole.standings if one.player.player_id == EIGHT[7].player_id)
    assert (late.number, late.first_round, late.points, whole.tournament.players) == (8, 2, 0, 8)
    seated = [number for one in whole.pairings if one.round == 2 for number in (one.first, one.second)]
    assert sorted(seated) == list(range(1, 9))


async def test_joining_late_is_refused_after_half_of_the_rounds_and_to_players_who_have_left(place: Place):
    tournament = await begun(place, *EIGHT[:7], rounds=2, late_entry=True)
    await place.one.leave(tournament, BOB)
    with refused("TOURNAMENT", tournament="running"):
        await place.one.join(tournament, BOB)
    await place.play(tournament, min)
    await place.one.work()
    assert not (await place.one.get(tournament)).tournament.joinable
    with refused("TOURNAMENT", tournament="running"):
        await place.one.join(tournament, EIGHT[7])


@pytest.mark.parametrize("kind", [ROUND_ROBIN, KNOCK_OUT])
async def test_where_pairings_are_fixed_no_player_joins_late_or_sits_out(place: Place, kind: pb.Tournament.Kind.ValueType):
    with refused("MALFORMED", field="late_entry"):
        await place.one.create(ADA, kind=kind, late_entry=True)
    tournament = await begun(place, *EIGHT[:4], kind=kind)
    with refused("TOURNAMENT", tournament="no_bye"):
        await sit_out(place, tournament, ADA)


@pytest.mark.parametrize(("kind", "seats", "points"), [(SWISS, 0, 0.5), (TABLES, 4, 1.5)])
async def test_a_round_that_is_sat_out_counts_as_drawn_once(
    place: Place, kind: pb.Tournament.Kind.ValueType, seats: int, points: float
):
    tournament = await begun(place, *EIGHT, kind=kind, seats=seats, rounds=3)
    assert (await sit_out(place, tournament, CLEO)).bye_round == 2
    assert (await sit_out(place, tournament, CLEO, withdraw=True)).bye_round == 0
    await sit_out(place, tournament, CLEO)
    await (place.play_tables(tournament) if seats else place.play(tournament, min))
    await place.one.work()
    whole = await place.one.get(tournament)
    number = next(one.number for one in whole.standings if one.player.player_id == CLEO.player_id)
    (bye,) = [one for one in whole.pairings if one.round == 2 and one.first == number]
    assert (bye.second, bye.decided, bye.unplayed, bye.first_points) == (0, True, True, points)
    with refused("TOURNAMENT", tournament="had_bye"):
        await sit_out(place, tournament, CLEO)
    await place.one.leave(tournament, CLEO)
    with refused("TOURNAMENT", tournament="no_round"):
        await sit_out(place, tournament, CLEO)


async def test_a_round_that_all_sit_out_passes(place: Place):
    tournament = await begun(place, ADA, BOB, CLEO, rounds=2)
    for caller in (ADA, BOB, CLEO):
        await sit_out(place, tournament, caller)
    await place.play(tournament, min)
    for _ in range(2):
        await place.one.work()
    whole = await place.one.get(tournament)
    assert whole.tournament.state == pb.Tournament.STATE_FINISHED
    assert [one.first_points for one in whole.pairings if one.round == 2] == [0.5, 0.5, 0.5]
    with refused("TOURNAMENT", tournament="finished"):
        await sit_out(place, tournament, ADA)


async def test_a_corrected_result_counts_and_everybody_sees_why(place: Place):
    tournament = await begun(place, *EIGHT[:4], kind=ROUND_ROBIN)
    await place.play(tournament, min)
    await place.one.work()
    await correct(place, tournament, ADA, 0, 1)
    whole = await place.one.get(tournament)
    first = whole.pairings[0]
    assert (first.first_points, first.second_points, first.correction) == (0, 1, "A wrong game was counted")
    assert {one.number: one.points for one in whole.standings}[first.second] == 1


async def test_a_game_under_way_that_was_corrected_counts_for_nothing_and_the_round_ends_without_it(place: Place):
    tournament = await begun(place, ADA, BOB)
    await correct(place, tournament, ADA, 0.5, 0.5)
    await place.one.work()
    (pairing,) = (await place.one.get(tournament)).pairings
    await place.finish(pairing.session_id, [ADA.player_id, BOB.player_id], 0)
    await place.one.work()
    whole = await place.one.get(tournament)
    assert whole.tournament.state == pb.Tournament.STATE_FINISHED
    assert [one.points for one in whole.standings] == [0.5, 0.5]
    with refused("TOURNAMENT", tournament="finished"):
        await correct(place, tournament, ADA, 1, 0)


@pytest.mark.parametrize(
    ("points", "fields", "field"),
    [
        ([1], {}, "points"),
        ([1, 0, 0], {}, "points"),
        ([1, 1], {}, "points"),
        ([-1, 0], {}, "points"),
        ([0.25, 0], {}, "points"),
        ([1, 0], {"reason": " "}, "reason"),
    ],
)
async def test_impossible_points_and_missing_reasons_are_refused(
    place: Place, points: list[float], fields: dict[str, Any], field: str
):
    tournament = await begun(place, ADA, BOB)
    with refused("MALFORMED", field=field):
        await correct(place, tournament, ADA, *points, **fields)


async def test_the_owner_corrects_a_pairing_that_there_is(place: Place):
    tournament = await begun(place, ADA, BOB, CLEO, kind=KNOCK_OUT)
    with refused("TOURNAMENT", tournament="not_arbiter"):
        await correct(place, tournament, BOB, 1, 0)
    with refused("UNKNOWN", what="pairing", field="table"):
        await correct(place, tournament, ADA, 1, 0, table=9)
    with refused("UNKNOWN", what="pairing", field="table"):
        await correct(place, tournament, ADA, 1, 0)  # a bye
    await correct(place, tournament, ADA, 1, 0, table=2)
    await place.one.work()
    with refused("TOURNAMENT", tournament="next_round"):
        await correct(place, tournament, ADA, 0, 1, table=2)
    place.sessions.away = Refused(errors_pb2.REASON_WORD_NOT_ALLOWED, "no", details={"word": "dummkopf"})
    with refused("WORD_NOT_ALLOWED", word="dummkopf"):
        await correct(place, tournament, ADA, 0, 1, round=2, reason="Dummkopf")


async def test_a_result_of_a_group_is_corrected_until_the_knock_out_begins(place: Place):
    tournament = await begun(place, *EIGHT[:3], kind=GROUPS)
    for _ in range(2):
        await place.play(tournament, min)
        await place.one.work()
    await correct(place, tournament, ADA, 0, 1, round=2)
    await place.play(tournament, min)
    await place.one.work()
    with refused("TOURNAMENT", tournament="next_round"):
        await correct(place, tournament, ADA, 1, 0, round=2)


async def test_the_points_of_a_larger_table_are_corrected_together(place: Place):
    tournament = await begun(place, *EIGHT[:3], kind=TABLES, seats=4, rounds=1)
    await correct(place, tournament, ADA, 1.5, 1.5, 1.5)
    (pairing,) = (await place.one.get(tournament)).pairings
    assert [pairing.first_points, pairing.second_points, *pairing.other_points] == [1.5, 1.5, 1.5]
