"""Tournaments on a real database: they go from round to round by themselves, whichever process does it or dies."""

import asyncio
from functools import partial
from typing import Any

import pytest

from brettwerk.v1 import errors_pb2, news_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players.calls import Caller
from services.players.news import feed
from services.players.opponents.session_orders import LOOK_AGAIN_MS
from services.players.tournaments.results import Entrant, Game
from services.players.tournaments.standings import standings
from services.players.tournaments.tournament_rows import KEPT_MS, OPEN_MS
from services.runtime.refusal import Refused
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

State = pb.Tournament
JOIN_TIMEOUT_S = 301


async def begun(place: Place, *players: Caller, **fields: Any) -> pb.Tournament:
    """Return a tournament of the first of some players that all have joined and that has started."""
    tournament = await place.one.create(players[0], **fields)
    await place.one.join(tournament, *players)
    await place.one.start(tournament, players[0])
    return tournament


async def test_a_round_robin_is_played_to_its_end(place: Place):
    four = callers(4)
    tournament = await begun(place, *four, kind=ROUND_ROBIN)
    for number in (1, 2, 3):
        whole = await place.one.get(tournament)
        assert (whole.tournament.state, whole.tournament.round, whole.tournament.rounds) == (State.STATE_RUNNING, number, 3)
        await place.play(tournament, min)
        await place.other.work()
    whole = await place.one.get(tournament)
    assert whole.tournament.state == State.STATE_FINISHED and whole.tournament.ended_at_ms == place.clock()
    assert [(one.place, one.number, one.points) for one in whole.standings] == [(1, 1, 3), (2, 2, 2), (3, 3, 1), (4, 4, 0)]
    assert len(whole.pairings) == 6 and len({pairing.session_id for pairing in whole.pairings}) == 6
    assert all(asked.create.competitive for asked in place.sessions.asked)


async def test_a_swiss_tournament_ends_as_its_games_say(place: Place):
    seven = callers(7)
    tournament = await begun(place, *seven)
    while (whole := await place.one.get(tournament)).tournament.state == State.STATE_RUNNING:
        await place.play(tournament, lambda one, other: None if (one + other) % 3 == 0 else max(one, other))
        await place.one.work()
    games = [
        Game(
            one.round,
            one.first - 1,
            one.second - 1 if one.second else None,
            (round(2 * one.first_points), round(2 * one.second_points)),
            not one.unplayed,
        )
        for one in whole.pairings
    ]
    wanted = standings([Entrant(number) for number in range(7)], games, is_swiss=True)
    assert whole.tournament.rounds == 3
    assert [(one.place, one.number - 1, 2 * one.points, 2 * one.buchholz) for one in whole.standings] == [
        (row.place, row.number, row.points, row.buchholz) for row in wanted
    ]
    byes = [pairing.first for pairing in whole.pairings if not pairing.second]
    assert len(byes) == len(set(byes)) == 3


async def test_a_knock_out_of_seven_ends_with_a_final_and_a_game_for_the_third_place(place: Place):
    tournament = await begun(place, *callers(7), kind=KNOCK_OUT)
    first = await place.one.get(tournament)
    assert first.tournament.rounds == 3
    assert [(one.first, one.second, one.decided) for one in first.pairings] == [
        (1, 0, True),
        (5, 4, False),
        (7, 2, False),
        (6, 3, False),
    ]
    for _ in range(3):
        await place.play(tournament, min)
        await place.other.work()
    whole = await place.one.get(tournament)
    assert whole.tournament.state == State.STATE_FINISHED
    assert [(one.place, one.number) for one in whole.standings] == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6), (5, 7)]
    assert [(one.first, one.second, one.third_place) for one in whole.pairings if one.round == 3] == [(2, 1, False), (4, 3, True)]


async def test_a_drawn_game_of_a_knock_out_is_played_again_in_the_same_round(place: Place):
    ada, bob = callers(2)
    tournament = await begun(place, ada, bob, kind=KNOCK_OUT)
    for number in (1, 2, 3):
        whole = await place.one.get(tournament)
        assert (whole.tournament.state, whole.tournament.round) == (State.STATE_RUNNING, 1)
        assert [one.table for one in whole.pairings] == list(range(1, number + 1))
        await place.play(tournament, lambda one, other: None)
        await place.one.work()
    whole = await place.one.get(tournament)
    assert whole.tournament.state == State.STATE_FINISHED
    assert [(one.place, one.number) for one in whole.standings] == [(1, 1), (2, 2)]
    assert len({asked.arrangement_id for asked in place.sessions.asked}) == 3


async def test_a_knock_out_to_which_nobody_comes_ends_without_a_winner(place: Place):
    tournament = await begun(place, *callers(4), kind=KNOCK_OUT)
    for asked in place.sessions.asked:
        place.sessions.came[asked.arrangement_id] = []
    place.clock.wait(JOIN_TIMEOUT_S)
    await place.one.work()
    await place.one.work()
    whole = await place.one.get(tournament)
    assert whole.tournament.state == State.STATE_FINISHED
    assert {one.place for one in whole.standings} == {1} and not any(one.points for one in whole.standings)


async def test_a_player_who_leaves_a_knock_out_loses_to_the_next_opponent(place: Place):
    four = callers(4)
    tournament = await begun(place, *four, kind=KNOCK_OUT)
    await place.play(tournament, min)
    for caller in four:
        await place.one.leave(tournament, caller)
    while (whole := await place.one.get(tournament)).tournament.state == State.STATE_RUNNING:
        await place.one.work()
    assert all(one.left for one in whole.standings) and len(place.sessions.asked) == 2


async def test_groups_of_six_end_with_a_knock_out_of_the_first_two_of_each(place: Place):
    tournament = await begun(place, *callers(6), kind=GROUPS)
    for number in range(1, 4):
        whole = await place.one.get(tournament)
        assert (whole.tournament.round, whole.tournament.rounds, whole.tournament.group_rounds) == (number, 5, 3)
        assert not any(one.third_place for one in whole.pairings)
        await place.play(tournament, min)
        await place.other.work()
    whole = await place.one.get(tournament)
    assert [(one.number, one.group, one.group_place, one.points) for one in whole.standings] == [
        (1, 1, 1, 2),
        (2, 2, 1, 2),
        (3, 2, 2, 1),
        (4, 1, 2, 1),
        (5, 1, 3, 0),
        (6, 2, 3, 0),
    ]
    assert [{one.first, one.second} for one in whole.pairings if one.round == 4] == [{1, 3}, {2, 4}]
    for _ in range(2):
        await place.play(tournament, min)
        await place.other.work()
    whole = await place.one.get(tournament)
    assert whole.tournament.state == State.STATE_FINISHED
    assert [(one.place, one.number) for one in whole.standings] == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6)]
    assert [(one.first, one.second, one.third_place) for one in whole.pairings if one.round == 5] == [(2, 1, False), (4, 3, True)]


async def test_one_plays_all_others_at_the_same_time(place: Place):
    ada, *others = callers(5)
    tournament = await place.one.create(ada, kind=ONE_AGAINST_MANY)
    assert [one.player.name for one in (await place.one.get(tournament)).standings] == [ada.name]
    await place.one.join(tournament, *others)
    await place.one.start(tournament, ada)
    whole = await place.one.get(tournament)
    assert whole.tournament.rounds == 1 and len(whole.pairings) == len(place.sessions.asked) == 4
    (host,) = {one.number for one in whole.standings if one.player.player_id == ada.player_id}
    assert all(host in (one.first, one.second) for one in whole.pairings)
    await place.play(tournament, lambda one, other: host)
    await place.other.work()
    whole = await place.one.get(tournament)
    assert whole.tournament.state == State.STATE_FINISHED
    assert (whole.standings[0].number, whole.standings[0].points, whole.standings[0].wins) == (host, 4, 4)


async def test_one_against_many_is_cancelled_where_the_one_does_not_take_part(place: Place):
    ada, bob, cleo = callers(3)
    tournament = await place.one.create(ada, kind=ONE_AGAINST_MANY, starts_at_ms=place.clock() + 1000)
    await place.one.join(tournament, bob, cleo)
    await place.one.leave(tournament, ada)
    with pytest.raises(Refused) as caught:
        await place.one.start(tournament, ada)
    assert dict(caught.value.refusal.details)["tournament"] == "no_host"
    place.clock.wait(2)
    await place.one.work()
    assert (await place.one.get(tournament)).tournament.state == State.STATE_CANCELLED


async def test_seven_at_tables_of_four_play_all_rounds_for_points_by_places(place: Place):
    tournament = await begun(place, *callers(7), kind=TABLES, seats=4, rounds=2)
    whole = await place.one.get(tournament)
    assert [[one.first, one.second, *one.others] for one in whole.pairings] == [[1, 3, 5, 7], [2, 4, 6]]
    assert [len(asked.kept_for) for asked in place.sessions.asked] == [4, 3]
    await place.play_tables(tournament)
    await place.one.work()
    first, second = (await place.one.get(tournament)).pairings[:2]
    assert [first.first_points, first.second_points, *first.other_points] == [3, 1, 1, 1]
    assert [second.first_points, second.second_points, *second.other_points] == [2.5, 1, 1]  # half a point for the empty seat
    await place.play_tables(tournament)
    await place.other.work()
    whole = await place.one.get(tournament)
    assert (whole.tournament.state, whole.tournament.rounds, whole.tournament.seats) == (State.STATE_FINISHED, 2, 4)
    assert sum(one.points for one in whole.standings) == 2 * (4 * 1.5 + 3 * 1.5)


async def test_a_table_of_two_among_larger_ones_is_worth_as_much_as_they_are(place: Place):
    tournament = await begun(place, *callers(5), kind=TABLES, seats=3, rounds=1)
    await place.play_tables(tournament)
    await place.one.work()
    whole = await place.one.get(tournament)
    points = [[one.first_points, one.second_points, *one.other_points] for one in whole.pairings]
    assert points == [[2, 0.5, 0.5], [1.5, 0.5]]


async def test_players_who_come_to_a_larger_table_play_without_those_who_do_not(place: Place):
    tournament = await begun(place, *callers(4), kind=TABLES, seats=4, rounds=1)
    place.sessions.came[place.sessions.asked[0].arrangement_id] = [0, 2, 3]
    place.clock.wait(JOIN_TIMEOUT_S)
    for process in (place.one, place.other):
        await process.work()
    first, again = place.sessions.asked
    assert [*again.kept_for] == [first.kept_for[seat] for seat in (0, 2, 3)]
    assert first.arrangement_id != again.arrangement_id
    await place.play_tables(tournament)
    await place.one.work()
    whole = await place.one.get(tournament)
    (pairing,) = whole.pairings
    assert [pairing.first, pairing.second, *pairing.others] == [1, 3, 4, 2] and not pairing.unplayed
    assert [pairing.first_points, pairing.second_points, *pairing.other_points] == [3, 1.5, 1.5, 0]
    assert whole.tournament.state == State.STATE_FINISHED


@pytest.mark.parametrize("came", [[], [2]])
async def test_a_larger_table_to_which_too_few_come_is_decided_without_a_game(place: Place, came: list[int]):
    tournament = await begun(place, *callers(3), kind=TABLES, seats=3, rounds=1)
    place.sessions.came[place.sessions.asked[0].arrangement_id] = came
    place.clock.wait(JOIN_TIMEOUT_S)
    await place.one.work()
    await place.one.work()
    whole = await place.one.get(tournament)
    assert whole.tournament.state == State.STATE_FINISHED and whole.pairings[0].unplayed
    assert {one.number: one.points for one in whole.standings} == {1: 0, 2: 0, 3: 2 * len(came)}


@pytest.mark.parametrize("kind", [ROUND_ROBIN, SWISS, KNOCK_OUT])
async def test_a_tournament_that_everybody_leaves_ends(place: Place, kind: State.Kind.ValueType):
    five = callers(5)
    tournament = await begun(place, *five, kind=kind)
    for caller in five:
        await place.one.leave(tournament, caller)
    await place.play(tournament, min)
    while (await place.one.get(tournament)).tournament.state == State.STATE_RUNNING:
        await place.one.work()
    assert len(place.sessions.asked) == 2 - (kind == KNOCK_OUT)


async def test_both_are_told_their_table_and_until_when_to_come(place: Place):
    ada, bob = callers(2)
    tournament = await begun(place, ada, bob, join_timeout_s=60)
    (pairing,) = (await place.one.get(tournament)).pairings
    for caller, other in ((ada, bob), (bob, ada)):
        page = await place.store.run(partial(feed.page, player=caller.player_id, after=0))
        (news,) = page.news
        assert (news.kind, news.session_id, news.name) == (news_pb2.News.KIND_ROUND, pairing.session_id, other.name)
        assert (news.tournament_id, news.title) == (tournament.tournament_id, "Monday cup")
        assert news.until_ms == place.clock() + 60_000
        assert place.sessions.asked[0].kept_for[news.seat] == caller.player_id


async def news_of(place: Place, caller: Caller) -> list[tuple[int, str]]:
    """Return what a player was told of tournaments: kinds, and the tournaments' names."""
    page = await place.store.run(partial(feed.page, player=caller.player_id, after=0))
    return [(news.kind, news.title) for news in page.news if news.kind != news_pb2.News.KIND_ROUND]


async def test_all_who_have_played_are_told_the_end_once(place: Place):
    four = callers(4)
    tournament = await begun(place, *four, kind=ROUND_ROBIN)
    await place.one.leave(tournament, four[3])
    while (await place.one.get(tournament)).tournament.state == State.STATE_RUNNING:
        await place.play(tournament, min)
        await asyncio.gather(*(process.running.step() for process in (place.one, place.other) * 2))
        await place.one.arranging.carry_out_due()
    for caller in four:
        assert await news_of(place, caller) == [(news_pb2.News.KIND_TOURNAMENT_OVER, "Monday cup")]
    last = (await place.store.run(partial(feed.page, player=four[0].player_id, after=0))).news[-1]
    assert (last.tournament_id, last.session_id, last.at_ms) == (tournament.tournament_id, "", place.clock())


async def test_participants_of_a_cancelled_tournament_are_told_at_once(place: Place):
    ada, bob, cleo = callers(3)
    tournaments = [await place.one.create(ada, name=name, request_id=f"tournament-{name}") for name in ("One", "Two")]
    for tournament in tournaments:
        await place.one.join(tournament, ada, bob, cleo)
        await place.one.leave(tournament, cleo)
    stream = place.one.following.follow(bob.player_id, 0)
    await anext(stream)
    for tournament in tournaments:
        await place.one.ask("cancel_tournament", ada, pb.CancelTournamentRequest(tournament_id=tournament.tournament_id))
        while not (message := news_pb2.WatchPlayerResponse.FromString((await anext(stream)).message)).HasField("news"):
            pass  # the server's time comes first
        received = message.news
        assert (received.kind, received.tournament_id) == (news_pb2.News.KIND_TOURNAMENT_CANCELLED, tournament.tournament_id)
    await stream.aclose()
    assert await news_of(place, bob) == [(news_pb2.News.KIND_TOURNAMENT_CANCELLED, name) for name in ("One", "Two")]
    assert await news_of(place, cleo) == []


async def test_participants_are_told_that_too_few_have_joined(place: Place):
    (ada,) = callers(1)
    tournament = await place.one.create(ada, starts_at_ms=place.clock() + 60_000)
    await place.one.join(tournament, ada)
    place.clock.wait(60)
    await place.other.work()
    assert await news_of(place, ada) == [(news_pb2.News.KIND_TOURNAMENT_CANCELLED, "Monday cup")]


async def test_a_process_that_dies_at_any_point_makes_no_second_game(place: Place):
    four = callers(4)
    tournament = await place.one.create(four[0], kind=ROUND_ROBIN)
    await place.one.join(tournament, *four)
    # It dies after the round was begun and before its sessions are there; others begin and create at the same time.
    await place.one.ask("start_tournament", four[0], pb.StartTournamentRequest(tournament_id=tournament.tournament_id))
    place.sessions.away = Refused(errors_pb2.REASON_UNAVAILABLE, "away")
    await place.one.work()
    place.sessions.away = None
    place.clock.wait(61)
    for process in (place.one, place.other, place.one):
        await process.work()
    assert len({asked.arrangement_id for asked in place.sessions.asked}) == len(place.sessions.asked) == 2
    await place.play(tournament, min)
    for process in (place.other, place.one, place.other):
        await process.work()
    whole = await place.one.get(tournament)
    assert whole.tournament.round == 2 and len(whole.pairings) == 4 == len(place.sessions.asked)


async def test_a_session_service_that_is_away_for_long_ends_no_round(place: Place):
    ada, bob = callers(2)
    tournament = await place.one.create(ada)
    await place.one.join(tournament, ada, bob)
    place.sessions.away = Refused(errors_pb2.REASON_UNAVAILABLE, "away")
    await place.one.start(tournament, ada)
    for _ in range(30):
        place.clock.wait(61)
        await place.one.work()
    place.sessions.away = None
    place.clock.wait(61)
    await place.one.work()
    (pairing,) = (await place.one.get(tournament)).pairings
    assert pairing.session_id and not pairing.decided


async def test_a_game_that_there_can_never_be_is_worth_half_a_point_to_each(place: Place):
    ada, bob = callers(2)
    tournament = await place.one.create(ada)
    await place.one.join(tournament, ada, bob)
    place.sessions.away = Refused(errors_pb2.REASON_MALFORMED, "no such rules any more")
    await place.one.start(tournament, ada)
    (pairing,) = (await place.one.get(tournament)).pairings
    assert (pairing.first_points, pairing.second_points, pairing.unplayed) == (0.5, 0.5, True)


async def test_an_absent_player_loses_and_is_taken_out_after_the_second_time(place: Place):
    four = callers(4)
    tournament = await begun(place, *four, kind=ROUND_ROBIN)
    for _ in range(2):
        whole = await place.one.get(tournament)
        for asked, pairing in zip(place.sessions.asked[-2:], whole.pairings[-2:], strict=True):
            if 4 in (pairing.first, pairing.second):
                place.sessions.came[asked.arrangement_id] = [1 if pairing.first == 4 else 0]
        await place.finish_others(tournament, 4)
        place.clock.wait(JOIN_TIMEOUT_S)
        await place.one.work()
        await place.one.work()
    whole = await place.one.get(tournament)
    last = next(one for one in whole.standings if one.number == 4)
    assert last.left and (last.points, whole.tournament.round) == (0, 3)
    assert [pairing.unplayed for pairing in whole.pairings if 4 in (pairing.first, pairing.second)] == [True, True, True]
    assert len(place.sessions.asked) == 5  # who has left is not waited for


async def test_a_table_to_which_nobody_comes_gives_no_points(place: Place):
    ada, bob = callers(2)
    tournament = await begun(place, ada, bob)
    place.sessions.came[place.sessions.asked[0].arrangement_id] = []
    place.clock.wait(JOIN_TIMEOUT_S)
    await place.one.work()
    (pairing,) = (await place.one.get(tournament)).pairings
    assert (pairing.decided, pairing.first_points, pairing.second_points) == (True, 0, 0)


async def test_a_session_that_is_lost_holds_nobody_up(place: Place):
    ada, bob = callers(2)
    tournament = await begun(place, ada, bob)
    place.clock.wait(JOIN_TIMEOUT_S)
    await place.one.work()
    assert not (await place.one.get(tournament)).pairings[0].decided  # it runs
    place.sessions.lost = Refused(errors_pb2.REASON_UNKNOWN, "no such session")
    place.clock.wait(LOOK_AGAIN_MS / 1000 + 1)
    await place.one.work()
    (pairing,) = (await place.one.get(tournament)).pairings
    assert (pairing.first_points, pairing.second_points, pairing.unplayed) == (0.5, 0.5, True)


async def test_a_tournament_starts_when_it_was_to_and_is_given_up_where_too_few_have_joined(place: Place):
    ada, bob = callers(2)
    soon = place.clock() + 60_000
    full = await place.one.create(ada, starts_at_ms=soon)
    empty = await place.one.create(ada, starts_at_ms=soon, request_id="tournament-2")
    await place.one.join(full, ada, bob)
    await place.one.join(empty, ada)
    await place.one.work()
    assert (await place.one.get(full)).tournament.state == State.STATE_OPEN
    place.clock.wait(60)
    await place.other.work()
    assert (await place.one.get(full)).tournament.state == State.STATE_RUNNING
    assert (await place.one.get(empty)).tournament.state == State.STATE_CANCELLED


async def test_a_tournament_that_nobody_starts_is_given_up_and_a_finished_one_forgotten(place: Place):
    (ada,) = callers(1)
    tournament = await place.one.create(ada)
    place.clock.wait(OPEN_MS / 1000 + 1)
    await place.one.work()
    assert (await place.one.get(tournament)).tournament.state == State.STATE_CANCELLED
    place.clock.wait(KEPT_MS / 1000 + 1)
    await place.one.running.forget_old()
    with pytest.raises(Refused) as refused:
        await place.one.get(tournament)
    assert refused.value.reason == errors_pb2.REASON_UNKNOWN


async def test_a_swiss_tournament_of_few_players_has_no_more_rounds_than_it_can(place: Place):
    four = callers(4)
    tournament = await begun(place, *four, kind=SWISS, rounds=15)
    assert (await place.one.get(tournament)).tournament.rounds == 2


async def test_two_processes_at_once_begin_each_round_once(place: Place):
    four = callers(4)
    tournament = await begun(place, *four, kind=ROUND_ROBIN)
    for number in (1, 2, 3):
        whole = await place.one.get(tournament)
        assert (whole.tournament.round, len(whole.pairings)) == (number, 2 * number)
        await place.play(tournament, min)
        await asyncio.gather(*(process.running.step() for process in (place.one, place.other) * 2))
        await asyncio.gather(*(process.arranging.carry_out_due() for process in (place.one, place.other)))
    assert len({asked.arrangement_id for asked in place.sessions.asked}) == 6
