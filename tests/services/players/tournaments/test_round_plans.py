"""The owner's own pairings: a round waits, is changed and begun; pairs are forbidden, and blocks keep players apart."""

from typing import Any

import pytest

from brettwerk.v1 import news_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players import whole_account
from services.players.accounts.deleted_players import mark_of
from services.players.calls import Caller
from services.players.news import feed
from services.players.opponents import blocks
from services.players.tournaments import keeping_apart
from services.players.tournaments.tables import FORBIDDEN_PAIRS
from tests.services.players.tournaments.place import (
    GROUPS,
    KNOCK_OUT,
    ONE_AGAINST_MANY,
    ROUND_ROBIN,
    SWISS,
    TABLES,
    Place,
    callers,
)
from tests.services.players.tournaments.test_tournaments import refused

PAUSE_S = 3600
EIGHT = callers(8)
ADA, BOB, CLEO, DAN, *_ = EIGHT
State = pb.Tournament


async def waiting(place: Place, *players: Caller, **fields: Any) -> pb.Tournament:
    """Return a tournament whose first round waits for its owner, the first of the players."""
    tournament = await place.one.create(players[0], round_pause_s=PAUSE_S, **fields)
    await place.one.join(tournament, *players)
    await place.one.start(tournament, players[0])
    return tournament


async def plan(place: Place, tournament: pb.Tournament, caller: Caller = ADA) -> pb.RoundPlan:
    request = pb.GetRoundPlanRequest(tournament_id=tournament.tournament_id)
    found: pb.RoundPlan = (await place.one.ask("get_round_plan", caller, request)).plan
    return found


async def set_pairings(
    place: Place, tournament: pb.Tournament, *pairings: tuple[int, ...], number: int = 1, caller: Caller = ADA
) -> pb.RoundPlan:
    request = pb.SetPairingsRequest(
        tournament_id=tournament.tournament_id, round=number, pairings=[pb.SetPairing(players=each) for each in pairings]
    )
    found: pb.RoundPlan = (await place.one.ask("set_pairings", caller, request)).plan
    return found


async def forbid(place: Place, tournament: pb.Tournament, *players: Caller, **fields: Any) -> pb.RoundPlan:
    ids = [one.player_id for one in players]
    request = pb.ForbidPairsRequest(tournament_id=tournament.tournament_id, player_ids=ids, **fields)
    found: pb.RoundPlan = (await place.one.ask("forbid_pairs", ADA, request)).plan
    return found


async def begin(place: Place, tournament: pb.Tournament, number: int, caller: Caller = ADA) -> pb.Tournament:
    request = pb.BeginRoundRequest(tournament_id=tournament.tournament_id, round=number)
    begun: pb.Tournament = (await place.one.ask("begin_round", caller, request)).tournament
    await place.one.work()
    return begun


async def block(place: Place, one: Caller, other: Caller) -> None:
    await place.store.run(lambda connection: blocks.block(connection, one.player_id, other.player_id, place.clock()))


def numbers_of(whole: pb.GetTournamentResponse) -> dict[str, int]:
    return {one.player.player_id: one.number for one in whole.standings}


def met(whole: pb.GetTournamentResponse) -> list[set[int]]:
    return [{one.first, one.second, *one.others} for one in whole.pairings]


async def test_the_owner_sees_the_round_changes_it_and_begins_it_as_seen(place: Place):
    tournament = await waiting(place, *EIGHT[:7])
    await place.one.work()
    whole = await place.one.get(tournament)
    assert (whole.tournament.state, whole.tournament.round, len(whole.pairings)) == (State.STATE_RUNNING, 0, 0)
    assert whole.tournament.round_due_at_ms == place.clock() + PAUSE_S * 1000
    assert [one.number for one in whole.standings] == [*range(1, 8)]
    proposed = await plan(place, tournament)
    assert (proposed.round, len(proposed.pairings), any(one.by_hand for one in proposed.pairings)) == (1, 4, False)
    changed = await set_pairings(place, tournament, (3, 1), (2,))
    assert [one.by_hand for one in changed.pairings] == [{one.first, one.second} in ({1, 3}, {2, 0}) for one in changed.pairings]
    assert changed == await plan(place, tournament)
    assert (await begin(place, tournament, 1)).round == 1
    begun = await place.one.get(tournament, BOB)
    assert [(one.first, one.second, one.by_hand) for one in begun.pairings] == [
        (one.first, one.second, one.by_hand) for one in changed.pairings
    ]
    assert (3, 1, True) in [(one.first, one.second, one.by_hand) for one in begun.pairings]
    assert (await begin(place, tournament, 1)).round == 1  # a repeat


async def test_a_round_that_nobody_begins_begins_by_itself_and_its_owner_is_told_once(place: Place):
    tournament = await waiting(place, *EIGHT[:4])
    for one in (place.one, place.other):
        await one.work()
    page = await place.store.run(lambda connection: feed.page(connection, ADA.player_id, 0))
    assert [(one.kind, one.until_ms) for one in page.news] == [(news_pb2.News.KIND_ROUND_WAITS, place.clock() + PAUSE_S * 1000)]
    place.clock.wait(PAUSE_S - 1)
    await place.other.work()
    assert not (await place.one.get(tournament)).pairings
    place.clock.wait(1)
    await place.other.work()
    whole = await place.one.get(tournament)
    assert (whole.tournament.round, whole.tournament.round_due_at_ms, len(whole.pairings)) == (1, 0, 2)
    await place.play(tournament, min)
    await place.one.work()
    assert (await plan(place, tournament)).round == 2
    page = await place.store.run(lambda connection: feed.page(connection, ADA.player_id, 0))
    assert sum(one.kind == news_pb2.News.KIND_ROUND_WAITS for one in page.news) == 2
    await begin(place, tournament, 2)
    await place.play(tournament, min)
    await place.one.work()
    assert (await place.one.get(tournament)).tournament.state == State.STATE_FINISHED


@pytest.mark.parametrize("kind", [ROUND_ROBIN, KNOCK_OUT, GROUPS])
async def test_rounds_of_every_kind_wait_and_fixed_pairings_stay_fixed(place: Place, kind: pb.Tournament.Kind.ValueType):
    tournament = await waiting(place, *EIGHT[:4], kind=kind)
    assert len((await plan(place, tournament)).pairings) == 2
    with refused("TOURNAMENT", tournament="fixed"):
        await set_pairings(place, tournament, (1, 2))
    with refused("TOURNAMENT", tournament="fixed"):
        await forbid(place, tournament, ADA, BOB)
    assert (await begin(place, tournament, 1)).round == 1


async def test_a_drawn_game_of_a_knock_out_is_played_again_without_waiting(place: Place):
    tournament = await waiting(place, *EIGHT[:4], kind=KNOCK_OUT)
    await begin(place, tournament, 1)
    await place.play(tournament, lambda one, other: None)
    await place.one.work()
    assert [one.round for one in (await place.one.get(tournament)).pairings] == [1] * 4


async def test_larger_tables_are_set_in_turn_order(place: Place):
    tournament = await waiting(place, *EIGHT, kind=TABLES, seats=4, rounds=2)
    await set_pairings(place, tournament, (8, 1, 2, 7))
    await begin(place, tournament, 1)
    pairing = next(one for one in (await place.one.get(tournament)).pairings if one.by_hand)
    assert [pairing.first, pairing.second, *pairing.others] == [8, 1, 2, 7]
    with refused("TOURNAMENT", tournament="not_waiting"):
        await set_pairings(place, tournament, (8, 1, 2, 7), number=2)


async def test_a_pairing_that_there_cannot_be_is_refused_with_its_place(place: Place):
    tournament = await waiting(place, *EIGHT)
    await forbid(place, tournament, CLEO, DAN)
    for pairings, why in (([(1, 2), (3, 4)], "forbidden"), ([(1, 2), (3,)], "even"), ([(1, 2), (9, 3)], "away")):
        with refused("TOURNAMENT", tournament=why, pairing="1"):
            await set_pairings(place, tournament, *pairings)
    for pairing in ((), (0, 1)):
        with refused("MALFORMED", field="pairings"):
            await set_pairings(place, tournament, pairing)
    with refused("TOURNAMENT", tournament="not_owner"):
        await set_pairings(place, tournament, (1, 2), caller=BOB)
    with refused("TOURNAMENT", tournament="not_waiting"):
        await set_pairings(place, tournament, (1, 2), number=2)
    with refused("TOURNAMENT", tournament="not_owner"):
        await plan(place, tournament, BOB)
    with refused("TOURNAMENT", tournament="not_owner"):
        await begin(place, tournament, 1, BOB)
    with refused("TOURNAMENT", tournament="not_waiting"):
        await begin(place, tournament, 2)


async def test_a_pairing_set_by_hand_lapses_when_a_player_leaves(place: Place):
    tournament = await waiting(place, *EIGHT)
    await set_pairings(place, tournament, (1, 2), (3, 4))
    numbers = numbers_of(await place.one.get(tournament))
    gone = next(one for one in EIGHT if numbers[one.player_id] == 4)
    await place.one.leave(tournament, gone)
    changed = await plan(place, tournament)
    assert [(one.first, one.second) for one in changed.pairings if one.by_hand] == [(1, 2)]
    assert sum(one.second == 0 for one in changed.pairings) == 1


@pytest.mark.parametrize(
    "fields", [{"round_pause_s": 59}, {"kind": ONE_AGAINST_MANY, "round_pause_s": 60}], ids=["too short", "one round"]
)
async def test_a_pause_that_there_cannot_be_is_refused(place: Place, fields: dict[str, Any]):
    with refused("MALFORMED", field="round_pause_s"):
        await place.one.create(ADA, **fields)


async def test_forbidden_pairs_do_not_meet_are_listed_for_their_owner_and_can_be_allowed(place: Place):
    tournament = await place.one.create(ADA)
    await place.one.join(tournament, *EIGHT)
    with refused("MALFORMED", field="player_ids"):
        await forbid(place, tournament, BOB, BOB)
    with refused("UNKNOWN", what="player", field="player_ids"):
        await forbid(place, tournament, BOB, callers(9)[8])
    listed = await forbid(place, tournament, BOB, CLEO, DAN)
    assert [(one.one.name, one.other.name) for one in listed.forbidden] == [
        ("Player 2", "Player 3"),
        ("Player 2", "Player 4"),
        ("Player 3", "Player 4"),
    ]
    assert len((await forbid(place, tournament, DAN, CLEO, withdraw=True)).forbidden) == 2
    await place.one.start(tournament, ADA)
    while (whole := await place.one.get(tournament)).tournament.state == State.STATE_RUNNING:
        await place.play(tournament, min)
        await place.one.work()
    numbers = numbers_of(whole)
    for other in (CLEO, DAN):
        assert {numbers[BOB.player_id], numbers[other.player_id]} not in met(whole)
    with refused("TOURNAMENT", tournament="finished"):
        await forbid(place, tournament, CLEO, DAN)


async def test_a_tournament_has_room_for_so_many_forbidden_pairs(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("services.players.tournaments.round_plans.MAX_FORBIDDEN", 3)
    tournament = await place.one.create(ADA)
    await place.one.join(tournament, *EIGHT)
    with refused("FULL", bound="forbidden_pairs"):
        await forbid(place, tournament, *EIGHT[:4])
    assert len((await forbid(place, tournament, *EIGHT[:3])).forbidden) == 3


async def test_forbidden_pairs_of_a_player_are_exported_and_deleted_with_the_account(place: Place):
    tournament = await place.one.create(ADA)
    await place.one.join(tournament, *EIGHT[:3])
    await forbid(place, tournament, *EIGHT[:3])
    assert '"players_forbidden_pairs": [{' in await place.store.run(
        lambda connection: whole_account.exported(connection, CLEO.player_id)
    )
    await place.store.run(lambda connection: whole_account.remove(connection, CLEO.player_id, place.clock()))
    left = await place.store.run(lambda connection: connection.execute(FORBIDDEN_PAIRS.select()).all())
    assert sorted(row.player_id for row in left) == sorted([ADA.player_id, BOB.player_id])


async def test_a_round_begins_though_its_owner_is_gone(place: Place):
    tournament = await waiting(place, *EIGHT[:5])
    await place.store.run(lambda connection: whole_account.remove(connection, ADA.player_id, place.clock()))
    place.clock.wait(PAUSE_S)
    await place.one.work()
    await place.play(tournament, min)
    await place.one.work()
    page = await place.store.run(lambda connection: feed.page(connection, mark_of(ADA.player_id), 0))
    assert not page.news
    assert (await place.one.get(tournament)).tournament.round_due_at_ms > 0


@pytest.mark.parametrize(("kind", "seats"), [(SWISS, 0), (TABLES, 3)])
@pytest.mark.parametrize("count", [5, 7])
async def test_players_of_whom_one_has_blocked_the_other_are_kept_apart(
    place: Place, kind: pb.Tournament.Kind.ValueType, seats: int, count: int
):
    players = EIGHT[:count]
    await block(place, BOB, CLEO)
    tournament = await place.one.create(ADA, kind=kind, seats=seats)
    await place.one.join(tournament, *players)
    await place.one.start(tournament, ADA)
    while (whole := await place.one.get(tournament)).tournament.state == State.STATE_RUNNING:
        await (place.play_tables(tournament) if seats else place.play(tournament, min))
        await place.one.work()
    numbers = numbers_of(whole)
    assert not any({numbers[BOB.player_id], numbers[CLEO.player_id]} <= table for table in met(whole))


async def test_players_who_block_each_other_are_dealt_into_different_groups(place: Place):
    groups = []
    for name in ("tournament-1", "tournament-2"):
        tournament = await place.one.create(DAN, kind=GROUPS, request_id=name)
        await place.one.join(tournament, *EIGHT)
        await place.one.start(tournament, DAN)
        groups.append({one.player.player_id: one.group for one in (await place.one.get(tournament)).standings})
        if name == "tournament-1":
            one, other, *_ = [each for each in EIGHT if each != DAN and groups[0][each.player_id] == 1]
            await block(place, one, other)
    assert groups[0][one.player_id] == groups[0][other.player_id]
    assert groups[1][one.player_id] != groups[1][other.player_id]


async def test_where_everybody_meets_everybody_a_block_changes_nothing(place: Place):
    await block(place, BOB, CLEO)
    tournament = await place.one.create(ADA, kind=ROUND_ROBIN)
    await place.one.join(tournament, *EIGHT[:3])
    await place.one.start(tournament, ADA)
    for _ in range(3):
        await place.play(tournament, min)
        await place.one.work()
    whole = await place.one.get(tournament)
    numbers = numbers_of(whole)
    assert whole.tournament.state == State.STATE_FINISHED
    assert {numbers[BOB.player_id], numbers[CLEO.player_id]} in met(whole)


async def test_the_plan_says_nothing_of_a_block(place: Place):
    await block(place, BOB, CLEO)
    tournament = await waiting(place, *EIGHT)
    proposed = await plan(place, tournament)
    assert not proposed.forbidden
    numbers = numbers_of(await place.one.get(tournament))
    pair = (numbers[BOB.player_id], numbers[CLEO.player_id])
    assert {*pair} not in [{one.first, one.second} for one in proposed.pairings]
    by_hand = await set_pairings(place, tournament, pair)  # a refusal would tell
    assert {*pair} in [{one.first, one.second} for one in by_hand.pairings]


def test_the_oldest_blocks_count():
    assert keeping_apart.heeded([("a", "b"), ("b", "c"), ("a", "c"), ("a", "d")], 11) == [("a", "b"), ("b", "c"), ("a", "c")]
