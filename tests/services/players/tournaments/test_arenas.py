"""Arenas on a real database: players come and go, are paired again and again, and stand as their games say."""

import random
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from brettwerk.v1 import clubs_pb2, news_pb2, record_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players import whole_account
from services.players.calls import Caller
from services.players.clubs.clubs import Clubs
from services.players.clubs.membership import Membership
from services.players.news import feed
from services.players.opponents import blocks
from services.players.tournaments import arena_description, arenas, tournament_rows
from services.players.tournaments.arena_pairing import REPEAT_AFTER_MS
from services.players.tournaments.arena_score import tally
from services.players.tournaments.results import WIN, Game
from services.runtime.word_list import WordFile
from tests.night import at_night
from tests.services.players.tournaments.place import ARENA, SWISS, Place, callers
from tests.services.players.tournaments.test_tournaments import refused

State = pb.Tournament
DURATION_S = 1200
ADA, BOB, CLEO, DORA = callers(4)
REPEAT_AFTER_S = REPEAT_AFTER_MS // 1000


async def begun(place: Place, *players: Caller, **fields: Any) -> pb.Tournament:
    """Return an arena of Ada's that runs, and that some players have joined; their games have begun."""
    arena = await place.one.create(ADA, kind=ARENA, duration_s=DURATION_S, **fields)
    await place.one.join(arena, *players)
    await place.one.start(arena, ADA)
    return arena


def clock(time_ms: int) -> record_pb2.ClockSpec:
    return record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=time_ms)


async def open_games(place: Place, arena: pb.Tournament) -> list[tuple[str, list[str]]]:
    """Return the sessions of the games that go on, with the ids of their players in turn order."""
    whole = await place.one.get(arena)
    names = {one.number: one.player.player_id for one in (*whole.standings, *whole.others)}
    return [(each.session_id, [names[each.first], names[each.second]]) for each in whole.pairings if not each.decided]


async def win(place: Place, arena: pb.Tournament, *winners: Caller) -> None:
    """Let those win who have a game; of two who play each other the one named first."""
    for session_id, seats in await open_games(place, arena):
        won = next((seats.index(one.player_id) for one in winners if one.player_id in seats), None)
        if won is not None:
            await place.finish(session_id, seats, won)
    await place.one.work()


def points(whole: pb.GetTournamentResponse) -> dict[str, float]:
    return {one.player.name: one.points for one in whole.standings}


async def test_players_are_paired_again_by_themselves_until_the_time_is_over(place: Place):
    arena = await begun(place, ADA, BOB, CLEO, DORA, clock=clock(60_000))
    whole = await place.one.get(arena)
    assert (whole.tournament.state, whole.tournament.duration_s) == (State.STATE_RUNNING, DURATION_S)
    assert whole.tournament.ends_at_ms == place.clock() + DURATION_S * 1000
    assert len(whole.pairings) == 2 and all(one.playing for one in whole.standings)
    for games in (2, 4, 6):
        assert len((await place.one.get(arena)).pairings) == games
        await win(place, arena, ADA, BOB, CLEO, DORA)
    place.clock.wait(DURATION_S)
    await place.other.work()
    whole = await place.one.get(arena)
    assert (whole.tournament.state, whole.tournament.ended_at_ms) == (State.STATE_FINISHED, place.clock())
    assert [one.place for one in whole.standings] == sorted(one.place for one in whole.standings)
    assert sum(one.games for one in whole.standings) == 2 * sum(each.decided for each in whole.pairings)


async def test_a_win_counts_twice_after_two_in_a_row(place: Place):
    arena = await begun(place, ADA, BOB)
    for games, got, streak in ((1, 1, 1), (2, 2, 2), (3, 4, 3)):
        await win(place, arena, ADA)
        ada = (await place.one.get(arena)).standings[0]
        assert (ada.player.name, ada.points, ada.streak, ada.games, ada.wins) == (ADA.name, got, streak, games, games)
    seats = [each.first for each in (await place.one.get(arena)).pairings]
    assert all(one != other for one, other in pairwise(seats))


async def test_two_who_have_just_met_wait_for_somebody_else_but_not_forever(place: Place):
    arena = await begun(place, ADA, BOB, CLEO, DORA)
    (first, seats), _ = await open_games(place, arena)
    await place.finish(first, seats, 0)
    await place.one.work()
    assert len(await open_games(place, arena)) == 1
    place.clock.wait(REPEAT_AFTER_S - 1)
    await place.one.work()
    assert len(await open_games(place, arena)) == 1
    place.clock.wait(1)
    await place.one.work()
    assert len(await open_games(place, arena)) == 2


async def test_a_newcomer_gets_a_game_with_somebody_who_waits(place: Place):
    arena = await begun(place, ADA, BOB)
    await place.one.join(arena, CLEO)
    await place.one.work()
    assert len(await open_games(place, arena)) == 1
    whole = await place.one.get(arena, CLEO)
    assert whole.tournament.joined and whole.tournament.players == 3
    assert [one.number for one in whole.standings if one.player.name == CLEO.name] == [3]
    await win(place, arena, ADA)
    assert CLEO.player_id in [seat for _, seats in await open_games(place, arena) for seat in seats]


async def test_an_arena_starts_with_nobody_and_is_joined_later(place: Place):
    arena = await begun(place)
    assert (await place.one.get(arena)).tournament.state == State.STATE_RUNNING
    await place.one.join(arena, BOB, CLEO)
    await place.one.work()
    assert len(await open_games(place, arena)) == 1


async def test_a_pause_is_taken_and_ended_at_any_time(place: Place):
    arena = await begun(place, ADA, BOB, CLEO, DORA)
    for caller in (ADA, BOB, CLEO):
        await place.one.leave(arena, caller)
        await place.one.leave(arena, caller)  # a repeat changes nothing
    whole = await place.one.get(arena, ADA)
    assert not whole.tournament.joined and whole.tournament.joinable
    assert sum(one.left for one in whole.standings) == 3
    await win(place, arena, ADA, BOB, CLEO)  # games that went on count
    assert sum(points(await place.one.get(arena)).values()) == 2
    place.clock.wait(REPEAT_AFTER_S)
    await place.one.work()
    assert not await open_games(place, arena)
    await place.one.join(arena, ADA, ADA)
    assert (await place.one.get(arena, ADA)).tournament.joined
    await place.one.work()
    ((_, seats),) = await open_games(place, arena)
    assert set(seats) == {ADA.player_id, DORA.player_id}
    assert (await place.one.get(arena)).tournament.players == 4


async def test_an_absent_player_is_put_on_pause_and_the_other_has_won(place: Place):
    arena = await begun(place, ADA, BOB)
    ((_, seats),) = await open_games(place, arena)
    place.sessions.came[place.sessions.asked[0].arrangement_id] = [0]
    place.clock.wait(60)  # an arena waits for a minute
    await place.one.work()
    whole = await place.one.get(arena)
    assert [(one.player.player_id, one.points, one.wins, one.left) for one in whole.standings] == [
        (seats[0], 1, 0, False),
        (seats[1], 0, 0, True),
    ]
    assert whole.pairings[0].unplayed
    await place.one.work()
    assert not await open_games(place, arena)


async def test_games_that_go_on_at_the_end_count_for_ratings_only(place: Place):
    arena = await begun(place, ADA, BOB)
    await win(place, arena, BOB)
    (game,) = await open_games(place, arena)
    place.clock.wait(DURATION_S)
    await place.one.work()
    before = await place.one.get(arena)
    assert before.tournament.state == State.STATE_FINISHED
    assert points(before) == {BOB.name: 1, ADA.name: 0}
    assert not any(one.playing for one in before.standings)
    await place.finish(game[0], game[1], game[1].index(ADA.player_id))
    await place.one.work()
    after = await place.one.get(arena)
    assert points(after) == points(before)
    assert [(each.decided, each.uncounted) for each in after.pairings] == [(True, False), (True, True)]
    assert all(asked.create.competitive for asked in place.sessions.asked)


@pytest.mark.parametrize(("time_ms", "closed_s"), [(10_000, 30), (180_000, 90), (400_000, 120)])
async def test_pairing_stops_shortly_before_the_end(place: Place, time_ms: int, closed_s: int):
    arena = await begun(place, clock=clock(time_ms))
    place.clock.wait(DURATION_S - closed_s)
    await place.one.join(arena, ADA, BOB)
    await place.one.work()
    assert not await open_games(place, arena)
    place.clock.wait(-1)
    await place.one.work()
    assert len(await open_games(place, arena)) == 1


async def test_a_correction_counts_with_all_that_came_after_it(place: Place):
    arena = await begun(place, ADA, BOB)
    for _ in range(3):
        await win(place, arena, ADA)
    assert points(await place.one.get(arena)) == {ADA.name: 4, BOB.name: 0}
    first = (await place.one.get(arena)).pairings[0]
    halves = [0.5, 0.5]
    request = pb.CorrectPairingRequest(
        tournament_id=arena.tournament_id, round=1, table=first.table, points=halves, reason="They had agreed"
    )
    await place.one.ask("correct_pairing", ADA, request)
    whole = await place.one.get(arena)
    assert points(whole) == {ADA.name: 2.5, BOB.name: 0.5}
    assert whole.pairings[0].correction == "They had agreed"
    assert sum(one.playing for one in whole.standings) == 2  # at the table that they are at now


async def test_the_players_of_a_game_whose_result_is_given_are_free(place: Place):
    arena = await begun(place, ADA, BOB)
    request = pb.CorrectPairingRequest(tournament_id=arena.tournament_id, round=1, table=1, points=[1, 0], reason="Broken")
    await place.one.ask("correct_pairing", ADA, request)
    assert not any(one.playing for one in (await place.one.get(arena)).standings)
    await place.one.work()
    assert [(each.table, each.decided) for each in (await place.one.get(arena)).pairings] == [(1, True), (2, False)]


async def test_a_cancelled_arena_counts_nothing_more_and_all_are_told(place: Place):
    arena = await begun(place, ADA, BOB)
    await place.one.ask("cancel_tournament", ADA, pb.CancelTournamentRequest(tournament_id=arena.tournament_id))
    await win(place, arena, BOB)
    whole = await place.one.get(arena)
    assert whole.tournament.state == State.STATE_CANCELLED and not whole.tournament.joinable
    assert set(points(whole).values()) == {0}
    page = await place.store.run(lambda connection: feed.page(connection, BOB.player_id, 0))
    assert [each.kind for each in page.news] == [news_pb2.News.KIND_ROUND, news_pb2.News.KIND_TOURNAMENT_CANCELLED]
    with refused("TOURNAMENT", tournament="cancelled"):
        await place.one.join(arena, CLEO)


async def test_each_game_is_told_to_its_two_and_the_end_to_all(place: Place):
    arena = await begun(place, ADA, BOB, CLEO)
    place.clock.wait(DURATION_S)
    await place.one.work()
    kinds = []
    for one in (ADA, BOB, CLEO):
        page = await place.store.run(partial(feed.page, player=one.player_id, after=0))
        kinds.append([each.kind for each in page.news])
        assert all(each.tournament_id == arena.tournament_id for each in page.news)
    over, one_round = news_pb2.News.KIND_TOURNAMENT_OVER, news_pb2.News.KIND_ROUND
    assert sorted(kinds) == [[one_round, over], [one_round, over], [over]]


async def test_a_large_arena_is_told_in_pages_with_what_concerns_the_caller(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(arena_description, "PAGE", 2)
    monkeypatch.setattr(arena_description, "GAMES", 1)
    players = callers(7)
    arena = await place.one.create(players[0], kind=ARENA, duration_s=DURATION_S)
    await place.one.join(arena, *players)
    request = pb.GetTournamentRequest(tournament_id=arena.tournament_id, skip=6)
    assert [one.player.name for one in (await place.one.ask("get_tournament", ADA, request)).standings] == ["Player 7"]
    await place.one.start(arena, players[0])
    for caller in players:
        whole = await place.one.ask("get_tournament", caller, request)
        assert [one.number for one in whole.standings] == [7]
        sent = {one.player.player_id: one for one in (*whole.standings, *whole.others)}
        assert sent[caller.player_id].place == 1  # nobody has a point yet
        numbers = {one.number for one in sent.values()}
        assert all({each.first, each.second} <= numbers for each in whole.pairings)
        assert any(each.table == 3 for each in whole.pairings)
    assert len((await place.one.get(arena)).standings) == 2


async def test_an_arena_is_refused_what_it_cannot_be(place: Place):
    arena: dict[str, Any] = {"kind": ARENA, "duration_s": DURATION_S}
    for field, fields in (
        ("duration_s", {"duration_s": 0}),
        ("duration_s", {"duration_s": 59}),
        ("duration_s", {"kind": SWISS}),
        ("clock", {"duration_s": 599}),
        ("late_entry", {"late_entry": True}),
        ("rounds", {"rounds": 3}),
        ("seats", {"seats": 4}),
        ("max_players", {"max_players": 2001}),
    ):
        with refused("MALFORMED", field=field):
            await place.one.create(ADA, **(arena | fields))


async def test_those_are_kept_out_who_could_not_join_before_the_start(place: Place, monkeypatch: pytest.MonkeyPatch):
    arena = await begun(place, BOB, CLEO, max_players=2)
    with refused("FULL", bound="players"):
        await place.one.join(arena, DORA)
    await place.one.leave(arena, CLEO)
    with refused("FULL", bound="players"):
        await place.one.join(arena, DORA)
    await place.store.run(lambda connection: blocks.block(connection, ADA.player_id, CLEO.player_id, place.clock()))
    with refused("TOURNAMENT", tournament="blocked"):
        await place.one.join(arena, CLEO)
    await place.one.leave(arena, BOB)
    monkeypatch.setattr(tournament_rows, "MAX_JOINED", 0)
    with refused("FULL", bound="joined_tournaments"):
        await place.one.join(arena, BOB)
    with refused("TOURNAMENT", tournament="no_round"):
        await place.one.ask("request_bye", BOB, pb.RequestByeRequest(tournament_id=arena.tournament_id))


async def test_only_members_join_or_come_back_to_the_arena_of_a_club(place: Place):
    club = clubs_pb2.CreateClubRequest(name="Monday club", entry=clubs_pb2.Club.ENTRY_OPEN, request_id="request-1")
    made: Any = (await Clubs(place.store, WordFile(""), place.clock).create(club, ADA)).response
    members = Membership(place.store, place.clock).handlers()
    arena = await begun(place, ADA, club_id=made.club.club_id)
    with refused("CLUB"):
        await place.one.join(arena, BOB)
    await members["join_club"](clubs_pb2.JoinClubRequest(club_id=made.club.club_id), BOB)
    await place.one.join(arena, BOB)
    await place.one.work()
    assert len((await place.one.get(arena, BOB)).pairings) == 1
    await place.one.leave(arena, BOB)
    await members["leave_club"](clubs_pb2.LeaveClubRequest(club_id=made.club.club_id), BOB)
    with refused("CLUB"):
        await place.one.join(arena, BOB)


async def test_a_deleted_player_is_not_paired_any_more_and_keeps_the_place(place: Place):
    arena = await begun(place, ADA, BOB, CLEO)
    await win(place, arena, ADA, BOB, CLEO)
    gone = (await place.one.get(arena)).standings[0]
    await place.store.run(lambda connection: whole_account._forget(connection, gone.player.player_id))
    whole = await place.one.get(arena)
    assert (whole.standings[0].player.player_id, whole.standings[0].player.name, whole.standings[0].left) == ("", "", True)
    assert whole.standings[0].points == gone.points


async def test_an_arena_ends_with_as_many_games_as_it_can_have(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(arenas, "MAX_GAMES", 1)
    arena = await begun(place, ADA, BOB, CLEO, DORA)
    assert len((await place.one.get(arena)).pairings) == 1
    await place.one.work()
    assert (await place.one.get(arena)).tournament.state == State.STATE_FINISHED


@pytest.mark.parametrize(("seed", "count"), [(1, 9), at_night(2, 14), at_night(3, 5), at_night(4, 16)])
async def test_all_stand_as_their_games_say_and_are_in_one_at_a_time(
    place: Place, monkeypatch: pytest.MonkeyPatch, seed: int, count: int
):
    monkeypatch.setattr(arena_description, "GAMES", 1000)
    dice = random.Random(seed)
    players = callers(count)
    arena = await begun(place, *players[: count // 2])
    for _ in range(30):
        for process in dice.sample([place.one, place.other], 2):
            await process.work()
        await act(place, arena, players, dice)
        place.clock.wait(dice.randrange(1, 25))
    place.clock.wait(DURATION_S)
    await place.other.work()
    whole = await place.one.get(arena)
    assert whole.tournament.state == State.STATE_FINISHED
    games = [
        Game(1, each.first, each.second, (round(2 * each.first_points), round(2 * each.second_points)), not each.unplayed)
        for each in whole.pairings
        if each.decided and not each.uncounted
    ]
    assert games
    for one in whole.standings:
        found = tally(one.number, games)
        assert (one.points * WIN, one.games, one.wins, one.streak) == (found.points, found.games, found.wins, found.streak)
    keys = [(-one.points, -one.wins, one.games) for one in whole.standings]
    assert [one.place for one in whole.standings] == [1 + sum(other < key for other in keys) for key in keys]
    assert len({asked.arrangement_id for asked in place.sessions.asked}) == len(place.sessions.asked)


async def act(place: Place, arena: pb.Tournament, players: Sequence[Caller], dice: random.Random) -> None:
    """Let some games end, and some players come and go; nobody is in two games."""
    going = await open_games(place, arena)
    seated = [seat for _, seats in going for seat in seats]
    assert len(seated) == len(set(seated))
    for session_id, seats in going:
        if session_id and dice.random() < 0.4:
            await place.finish(session_id, seats, *dice.choice([(0,), (1,), ()]))
    for caller in players:
        if dice.random() < 0.1:
            await place.one.leave(arena, caller)
        elif dice.random() < 0.2:
            await place.other.join(arena, caller)
