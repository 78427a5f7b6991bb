"""Matches of clubs: the challenge, entry and line-ups, the games, and what becomes of those who are gone."""

from typing import Any

import pytest
from sqlalchemy import insert, select

from brettwerk.v1 import club_matches_pb2 as calls_pb
from brettwerk.v1 import clubs_pb2, news_pb2, record_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.players import whole_account
from services.players.calls import Caller
from services.players.opponents import blocks
from services.players.ratings.tables import RATINGS
from services.players.results.rating_kind import TWO
from services.players.tournaments import club_matches, tournament_rows
from services.players.tournaments.tables import CLUB_MATCHES
from tests.services.players.opponents.place import player
from tests.services.players.tournaments.clubs import OPEN, Meeting, boards, score
from tests.services.players.tournaments.place import Place, callers
from tests.services.players.tournaments.test_tournaments import refused

SIX = callers(6)
HOME, GUESTS = SIX[:3], SIX[3:]
ADA, BOB, CLEO, DAN, EVE, FAY = SIX
STRANGER = player("z", "Stranger")
Match, State, Role = pb.ClubMatch, pb.Tournament, clubs_pb2.Club
SLOW = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=86_400_000)


@pytest.fixture
def meeting(place: Place) -> Meeting:
    return Meeting(place)


async def rate(place: Place, *players: tuple[Caller, float]) -> None:
    rows = [
        {
            **dict.fromkeys(("games", "at_ms", "week", "week_gain", "week_games", "established_until_ms"), 0),
            "game": "einstein",
            "kind": TWO,
            "player_id": one.player_id,
            "rating": rating,
            "deviation": 50.0,
            "volatility": 0.06,
        }
        for one, rating in players
    ]
    await place.store.run(lambda connection: connection.execute(insert(RATINGS), rows))


async def test_two_clubs_that_nobody_finds_agree_on_a_match_and_learn_only_their_names(meeting: Meeting):
    await meeting.gather(HOME, GUESTS)
    match = await meeting.challenge(ADA)
    assert (match.name, match.kind, match.state) == ("Chess café – Old town", State.KIND_CLUB_MATCH, State.STATE_OPEN)
    own, other = match.club_match.challenger, match.club_match.challenged
    assert (own.club_id, own.name, own.role) == (meeting.own, "Chess café", Role.ROLE_OWNER)
    assert other == pb.MatchClub(name="Old town")
    assert not match.HasField("owner") and match.club_id == ""
    (news,) = await meeting.news(DAN)
    assert (news.kind, news.title, news.tournament_id) == (news_pb2.News.KIND_CLUB_CHALLENGED, "Chess café", match.tournament_id)
    assert news.until_ms == match.starts_at_ms
    assert await meeting.news(EVE) == []
    (seen,) = await meeting.listed(EVE, meeting.other)
    assert seen.club_match.challenger == pb.MatchClub(name="Chess café")
    accepted = await meeting.answer(match, DAN)
    assert accepted.club_match.answer == Match.ANSWER_ACCEPTED
    assert (await meeting.answer(match, DAN)).club_match.answer == Match.ANSWER_ACCEPTED  # a repeat
    (answered,) = await meeting.news(ADA)
    assert (answered.kind, answered.title) == (news_pb2.News.KIND_CLUB_CHALLENGE_ANSWERED, "Old town")
    for act in (meeting.place.one.get, meeting.place.one.leave, meeting.place.one.join, meeting.answer, meeting.cancel):
        with refused("UNKNOWN", field="tournament_id"):
            await act(match, STRANGER)
    with refused("UNKNOWN", field="club_id"):
        await meeting.listed(STRANGER, meeting.own)


async def test_members_enter_and_the_strongest_meet_at_the_first_board(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS)
    await rate(meeting.place, (BOB, 1900.0), (CLEO, 1700.0), (FAY, 1800.0))
    listed = (await meeting.place.one.get(match, ADA)).standings
    assert [(one.player.name, one.club) for one in listed] == [
        ("Player 2", 1), ("Player 3", 1), ("Player 1", 1), ("Player 6", 2), ("Player 4", 2), ("Player 5", 2)
    ]  # fmt: skip
    whole = await meeting.begin(match, ADA)
    assert boards(whole) == ["2-6", "4-3", "1-5"]
    assert whole.tournament.club_match.boards == 3
    assert [asked.create.competitive for asked in meeting.place.sessions.asked] == [True] * 3
    (news,) = [one for one in await meeting.news(FAY) if one.kind == news_pb2.News.KIND_ROUND]
    assert (news.name, news.title, news.seat) == ("Player 2", "Chess café – Old town", 1)
    await meeting.place.play(match, min, caller=ADA)
    await meeting.place.one.work()
    whole = await meeting.place.one.get(match, DAN)
    assert whole.tournament.state == State.STATE_FINISHED
    assert score(whole.tournament) == (3, 0)
    assert [(each.over, len(each.found)) for each in await both_lists(meeting)] == [(False, 0), (True, 1)] * 2
    assert {one.kind for one in await meeting.news(EVE)} >= {news_pb2.News.KIND_TOURNAMENT_OVER}


class Listed:
    def __init__(self, *, over: bool, found: list[pb.Tournament]) -> None:
        self.over, self.found = over, found


async def both_lists(meeting: Meeting) -> list[Listed]:
    clubs = ((BOB, meeting.own), (EVE, meeting.other))
    return [
        Listed(over=over, found=await meeting.listed(one, club_id, over=over)) for one, club_id in clubs for over in (False, True)
    ]


async def test_two_games_at_a_board_come_one_after_the_other_or_with_a_slow_clock_at_once(meeting: Meeting):
    match = await meeting.agreed(HOME[:2], GUESTS[:2], games=2)
    whole = await meeting.begin(match, ADA)
    assert (boards(whole), whole.tournament.rounds) == (["1-4", "5-2"], 2)
    await meeting.place.play(match, min, caller=ADA)
    await meeting.place.one.work()
    whole = await meeting.place.one.get(match, ADA)
    assert boards(whole)[2:] == ["4-1", "2-5"]
    await meeting.place.play(match, max, caller=ADA)
    await meeting.place.one.work()
    whole = await meeting.place.one.get(match, ADA)
    assert (whole.tournament.state, score(whole.tournament)) == (State.STATE_FINISHED, (2, 2))


async def test_with_a_slow_clock_both_games_begin_at_once(meeting: Meeting):
    match = await meeting.agreed(HOME[:2], GUESTS[:2], games=2, clock=SLOW, friendly=True)
    whole = await meeting.begin(match, ADA)
    assert (boards(whole), whole.tournament.rounds, whole.tournament.club_match.at_once) == (
        ["1-4", "5-2", "4-1", "2-5"],
        1,
        True,
    )
    assert whole.tournament.friendly and not any(asked.create.competitive for asked in meeting.place.sessions.asked)
    names = {one.number: one.player.player_id for one in whole.standings}
    for each in whole.pairings:
        players = [names[each.first], names[each.second]]
        await meeting.place.finish(each.session_id, players, 0, competitive=False)
    await meeting.place.one.work()
    after = (await meeting.place.one.get(match, ADA)).tournament
    assert (after.state, score(after), after.club_match.boards) == (State.STATE_FINISHED, (2, 2), 2)


async def test_at_larger_tables_points_go_by_places(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS, game="emperado", seats=4)
    whole = await meeting.begin(match, ADA)
    assert boards(whole) == ["1-4-2-5"]  # an odd one is left over
    assert whole.tournament.club_match.boards == 1
    await meeting.place.play_tables(match, ADA)
    await meeting.place.one.work()
    after = (await meeting.place.one.get(match, ADA)).tournament
    assert (after.state, score(after)) == (State.STATE_FINISHED, (4, 2))


async def test_at_a_larger_table_those_who_come_play_without_an_absent_player_who_gets_nothing(meeting: Meeting):
    match = await meeting.agreed(HOME[:2], GUESTS[:2], game="emperado", seats=4, join_timeout_s=60)
    await meeting.begin(match, ADA)
    (asked,) = meeting.place.sessions.asked
    meeting.place.sessions.came[asked.arrangement_id] = [0, 1, 2]  # the last seat is of the other club
    meeting.place.clock.wait(61)
    for _ in range(2):
        await meeting.place.one.work()
    (again,) = [one for one in meeting.place.sessions.asked if one.arrangement_id != asked.arrangement_id]
    assert [*again.kept_for] == [ADA.player_id, DAN.player_id, BOB.player_id]
    await meeting.place.play_tables(match, ADA)
    await meeting.place.one.work()
    after = (await meeting.place.one.get(match, ADA)).tournament
    assert (after.state, score(after)) == (State.STATE_FINISHED, (4.5, 1.5))


async def test_organisers_order_their_players_and_the_other_club_does_not_see_it(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS, max_boards=2)
    await rate(meeting.place, (ADA, 1900.0), (BOB, 1800.0), (CLEO, 1700.0))
    await meeting.line_up(match, ADA, meeting.own, CLEO, BOB)
    seen = {
        caller.name: [one.player.name for one in (await meeting.place.one.get(match, caller)).standings if one.club == 1]
        for caller in (BOB, DAN)
    }
    assert seen == {"Player 2": ["Player 3", "Player 2", "Player 1"], "Player 4": ["Player 1", "Player 2", "Player 3"]}
    assert boards(await meeting.begin(match, ADA)) == ["3-4", "5-2"]
    with refused("TOURNAMENT", tournament="running"):
        await meeting.line_up(match, ADA, meeting.own, ADA)
    with refused("CLUB", club="not_organiser"):
        await meeting.line_up(match, BOB, meeting.own, BOB)


async def test_a_line_up_has_players_who_have_entered_once_each(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS)
    with refused("UNKNOWN", what="player", field="player_ids"):
        await meeting.line_up(match, ADA, meeting.own, DAN)
    with refused("MALFORMED", field="player_ids"):
        await meeting.line_up(match, ADA, meeting.own, BOB, BOB)
    await meeting.line_up(match, ADA, meeting.own, BOB)
    await meeting.line_up(match, ADA, meeting.own)  # by rating again
    assert boards(await meeting.begin(match, ADA)) == ["1-4", "5-2", "3-6"]


async def test_a_declined_challenge_can_be_made_again_after_a_day(meeting: Meeting):
    await meeting.gather(HOME, GUESTS)
    match = await meeting.challenge(ADA)
    declined = await meeting.answer(match, DAN, accept=False)
    assert (declined.state, declined.club_match.answer) == (State.STATE_CANCELLED, Match.ANSWER_DECLINED)
    with refused("TOURNAMENT", tournament="answered"):
        await meeting.answer(match, DAN)
    with refused("CLUB", club="again"):
        await meeting.challenge(ADA, request_id="match-5678")
    assert (await meeting.challenge(ADA)).tournament_id == match.tournament_id  # a repeat
    meeting.place.clock.wait(86_401)
    assert (await meeting.challenge(ADA, request_id="match-5678")).club_match.answer == Match.ANSWER_OPEN


async def test_a_challenge_that_nobody_answers_lapses_when_it_was_to_begin(meeting: Meeting):
    await meeting.gather(HOME, GUESTS)
    match = await meeting.challenge(ADA)
    whole = await meeting.begin(match, ADA)
    assert (whole.tournament.state, whole.tournament.club_match.answer) == (State.STATE_CANCELLED, Match.ANSWER_LAPSED)
    with refused("TOURNAMENT", tournament="answered"):
        await meeting.answer(match, DAN)


async def test_clubs_that_wait_for_an_answer_do_not_challenge_each_other_again(meeting: Meeting):
    await meeting.gather(HOME, GUESTS)
    match = await meeting.challenge(ADA)
    with refused("CLUB", club="challenged"):
        await meeting.challenge(DAN, club_id=meeting.other, other_club_id=meeting.own)
    withdrawn = await meeting.cancel(match, ADA)
    assert withdrawn.club_match.answer == Match.ANSWER_WITHDRAWN
    assert (await meeting.cancel(match, ADA)).club_match.answer == Match.ANSWER_WITHDRAWN  # a repeat
    back = await meeting.challenge(DAN, club_id=meeting.other, other_club_id=meeting.own)
    assert back.club_match.challenger.name == "Old town"


async def test_only_organisers_challenge_answer_and_cancel(meeting: Meeting):
    await meeting.gather(HOME, GUESTS)
    with refused("CLUB", club="not_organiser"):
        await meeting.challenge(BOB)
    with refused("UNKNOWN", what="club", field="club_id"):
        await meeting.challenge(STRANGER)
    with refused("UNKNOWN", what="club", field="other_club_id"):
        await meeting.challenge(ADA, other_club_id="0" * 32)
    match = await meeting.challenge(ADA)
    for caller, act in ((EVE, meeting.answer), (ADA, meeting.answer), (DAN, meeting.cancel), (BOB, meeting.cancel)):
        with refused("CLUB", club="not_organiser"):
            await act(match, caller)
    await meeting.answer(match, DAN)
    assert (await meeting.cancel(match, DAN)).state == State.STATE_CANCELLED


async def test_an_owner_who_blocks_somebody_is_not_challenged_by_them(meeting: Meeting):
    await meeting.gather(HOME, GUESTS)
    await meeting.place.store.run(
        lambda connection: blocks.block(connection, DAN.player_id, ADA.player_id, meeting.place.clock())
    )
    with refused("BLOCKED"):
        await meeting.challenge(ADA)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"request_id": "short"}, "request_id"),
        ({"clock": record_pb2.ClockSpec()}, "clock"),
        ({"seats": 3}, "seats"),
        ({"games": 3}, "games"),
        ({"games": 2, "seats": 4}, "games"),
        ({"max_boards": 33, "seats": 4}, "max_boards"),
        ({"min_boards": 5, "max_boards": 4}, "max_boards"),
        ({"starts_at_ms": 1}, "starts_at_ms"),
        ({"starts_at_ms": 0}, "starts_at_ms"),
        ({"join_timeout_s": 4}, "join_timeout_s"),
    ],
)
async def test_a_match_that_cannot_be_is_refused(meeting: Meeting, fields: dict[str, Any], field: str):
    await meeting.gather(HOME, GUESTS)
    with refused("MALFORMED", field=field):
        await meeting.challenge(ADA, **fields)


async def test_a_club_does_not_challenge_itself(meeting: Meeting):
    await meeting.gather(HOME, GUESTS)
    with refused("MALFORMED", field="other_club_id"):
        await meeting.challenge(ADA, other_club_id=meeting.own)


async def test_a_request_id_is_good_for_one_match(meeting: Meeting):
    await meeting.gather(HOME, GUESTS)
    match = await meeting.challenge(ADA)
    with refused("REQUEST_ID_REUSED"):
        await meeting.challenge(ADA, games=2)
    with refused("REQUEST_ID_REUSED"):
        await meeting.place.one.create(ADA, request_id="match-1234")
    await meeting.place.one.create(ADA, request_id="tournament-9")
    with refused("REQUEST_ID_REUSED"):
        await meeting.challenge(ADA, request_id="tournament-9")
    assert [one.tournament_id for one in await meeting.listed(BOB, meeting.own)] == [match.tournament_id]


async def test_clubs_have_room_for_so_many_matches(meeting: Meeting, monkeypatch: pytest.MonkeyPatch):
    await meeting.gather(HOME, GUESTS)
    for bound, name in (("MAX_OF_CLUB", "club_matches"), ("MAX_WAITING", "club_challenges"), ("MAX_OWN", "own_tournaments")):
        with monkeypatch.context() as patched:
            patched.setattr(club_matches, bound, 0)
            with refused("FULL", bound=name):
                await meeting.challenge(ADA)
    match = await meeting.challenge(ADA)
    await meeting.answer(match, DAN)
    monkeypatch.setattr(club_matches, "MAX_ENTERED", 1)
    await meeting.enter(match, ADA, meeting.own)
    with refused("FULL", bound="players"):
        await meeting.enter(match, BOB, meeting.own)


async def test_members_enter_for_their_club_between_the_answer_and_the_start(meeting: Meeting):
    await meeting.gather(HOME, [*GUESTS, BOB])
    match = await meeting.challenge(ADA)
    with refused("TOURNAMENT", tournament="unanswered"):
        await meeting.enter(match, ADA, meeting.own)
    await meeting.answer(match, DAN)
    with refused("CLUB", club="not_member"):
        await meeting.enter(match, ADA, meeting.other)
    with refused("UNKNOWN", what="club", field="club_id"):
        await meeting.enter(match, ADA, "0" * 32)
    with refused("UNKNOWN", field="tournament_id"):
        await meeting.enter(match, STRANGER, meeting.own)
    assert (await meeting.enter(match, BOB, meeting.own)).club_match.challenger.joined
    with refused("TOURNAMENT", tournament="other_club"):
        await meeting.enter(match, BOB, meeting.other)
    assert (await meeting.enter(match, BOB, meeting.own)).club_match.challenger.entered == 1  # a repeat
    after = await meeting.enter(match, BOB, meeting.own, withdraw=True)
    assert (after.club_match.challenger.entered, after.joined) == (0, False)
    await meeting.enter(match, BOB, meeting.other)
    meeting.place.clock.wait(3600)
    with refused("TOURNAMENT", tournament="open"):
        await meeting.enter(match, ADA, meeting.own)


async def test_too_few_boards_cancel_a_match_and_all_who_have_entered_are_told(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS[:1], min_boards=2)
    whole = await meeting.begin(match, ADA)
    assert whole.tournament.state == State.STATE_CANCELLED
    for caller in (*HOME, DAN):
        assert news_pb2.News.KIND_TOURNAMENT_CANCELLED in {one.kind for one in await meeting.news(caller)}
    assert not meeting.place.sessions.asked


async def test_a_member_who_leaves_the_club_before_the_start_does_not_play_and_later_plays_on(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS, games=2)
    await meeting.ask("leave_club", BOB, clubs_pb2.LeaveClubRequest(club_id=meeting.own))
    assert (await meeting.place.one.get(match, ADA)).tournament.club_match.challenger.entered == 2
    whole = await meeting.begin(match, ADA)
    assert boards(whole) == ["1-4", "5-3"]
    await meeting.ask("leave_club", CLEO, clubs_pb2.LeaveClubRequest(club_id=meeting.own))
    await meeting.place.play(match, min, caller=ADA)
    await meeting.place.one.work()
    assert boards(await meeting.place.one.get(match, CLEO))[2:] == ["4-1", "3-5"]


async def test_one_who_left_a_club_can_enter_for_the_other(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS)
    await meeting.ask("leave_club", BOB, clubs_pb2.LeaveClubRequest(club_id=meeting.own))
    change = clubs_pb2.ChangeClubRequest(club_id=meeting.other, name="Old town", entry=OPEN)
    await meeting.ask("change_club", DAN, change)
    await meeting.ask("join_club", BOB, clubs_pb2.JoinClubRequest(club_id=meeting.other))
    after = await meeting.enter(match, BOB, meeting.other)
    assert (after.club_match.challenger.entered, after.club_match.challenged.entered) == (2, 4)
    assert after.club_match.challenged.club_id == meeting.other


async def test_a_player_who_leaves_the_match_loses_the_second_game_unplayed(meeting: Meeting):
    match = await meeting.agreed(HOME[:1], GUESTS[:1], games=2)
    await meeting.begin(match, ADA)
    await meeting.place.one.leave(match, DAN)
    await meeting.place.play(match, max, caller=ADA)
    await meeting.place.one.work()
    await meeting.place.one.work()
    whole = await meeting.place.one.get(match, ADA)
    assert [each.unplayed for each in whole.pairings] == [False, True]
    assert (whole.tournament.state, score(whole.tournament)) == (State.STATE_FINISHED, (1, 1))


async def test_a_player_who_does_not_come_forfeits(meeting: Meeting):
    match = await meeting.agreed(HOME[:1], GUESTS[:1], join_timeout_s=60)
    await meeting.begin(match, ADA)
    (asked,) = meeting.place.sessions.asked
    meeting.place.sessions.came[asked.arrangement_id] = [1]
    meeting.place.clock.wait(61)
    for _ in range(2):
        await meeting.place.one.work()
    whole = await meeting.place.one.get(match, ADA)
    assert (score(whole.tournament), whole.pairings[0].unplayed) == ((0, 1), True)


async def test_a_deleted_account_leaves_no_name_and_the_match_goes_on(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS)
    now_ms = meeting.place.clock()
    await meeting.place.store.run(lambda connection: whole_account.remove(connection, EVE.player_id, now_ms))
    whole = await meeting.begin(match, ADA)
    assert boards(whole) == ["1-4", "6-2"]
    await meeting.place.store.run(lambda connection: whole_account.remove(connection, ADA.player_id, now_ms))
    await meeting.place.play(match, min, caller=BOB)
    await meeting.place.one.work()
    whole = await meeting.place.one.get(match, BOB)
    assert whole.tournament.state == State.STATE_FINISHED
    assert ("", 1) in {(one.player.name, one.club) for one in whole.standings}


async def test_a_match_of_a_dissolved_club_is_cancelled_or_played_to_its_end(meeting: Meeting):
    match = await meeting.agreed(HOME[:1], GUESTS[:1])
    await meeting.ask("leave_club", ADA, clubs_pb2.LeaveClubRequest(club_id=meeting.own))
    whole = await meeting.begin(match, DAN)
    assert (whole.tournament.state, whole.tournament.club_match.challenger.name) == (State.STATE_CANCELLED, "Chess café")


async def test_a_challenge_of_a_dissolved_club_is_not_accepted(meeting: Meeting):
    await meeting.gather(HOME[:1], GUESTS)
    match = await meeting.challenge(ADA)
    await meeting.ask("leave_club", ADA, clubs_pb2.LeaveClubRequest(club_id=meeting.own))
    with refused("UNKNOWN", what="club", field="club_id"):
        await meeting.answer(match, DAN)
    assert (await meeting.answer(match, DAN, accept=False)).club_match.answer == Match.ANSWER_DECLINED


async def test_a_club_that_is_dissolved_while_they_play_lets_them_play(meeting: Meeting):
    match = await meeting.agreed(HOME[:1], GUESTS[:1])
    await meeting.begin(match, ADA)
    await meeting.ask("leave_club", ADA, clubs_pb2.LeaveClubRequest(club_id=meeting.own))
    await meeting.place.play(match, min, caller=ADA)
    await meeting.place.one.work()
    whole = await meeting.place.one.get(match, ADA)
    assert (whole.tournament.state, score(whole.tournament)) == (State.STATE_FINISHED, (1, 0))


async def test_blocked_players_are_kept_apart_where_they_can_be(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS)
    await meeting.place.store.run(
        lambda connection: blocks.block(connection, BOB.player_id, EVE.player_id, meeting.place.clock())
    )
    met = boards(await meeting.begin(match, ADA))
    assert "5-2" not in met and "2-5" not in met
    assert sorted("-".join(sorted(each.split("-"))) for each in met)[0][0] == "1"


async def test_an_organiser_corrects_a_match_in_favour_of_the_other_club_only(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS)
    await meeting.begin(match, ADA)

    async def correct(caller: Caller, *points: float) -> pb.Tournament:
        request = pb.CorrectPairingRequest(
            tournament_id=match.tournament_id, round=1, table=1, points=points, reason="the line was dead"
        )
        corrected: pb.Tournament = (await meeting.place.one.ask("correct_pairing", caller, request)).tournament
        return corrected

    for caller, points in ((ADA, (1, 0)), (DAN, (0, 1)), (DAN, (0.5, 0.5))):
        with refused("TOURNAMENT", tournament="own_favour"):
            await correct(caller, *points)
    with refused("CLUB", club="not_organiser"):
        await correct(BOB, 0, 1)
    assert score(await correct(ADA, 0, 1)) == (0, 1)
    assert score(await correct(DAN, 0.5, 0.5)) == (0.5, 0.5)


async def test_calls_of_an_owner_are_refused_for_a_match(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS)
    for act in (meeting.place.one.start, meeting.place.one.join):
        with refused("TOURNAMENT", tournament="club_match"):
            await act(match, ADA)
    with refused("TOURNAMENT", tournament="club_match"):
        await meeting.place.one.ask("cancel_tournament", ADA, pb.CancelTournamentRequest(tournament_id=match.tournament_id))
    with refused("MALFORMED", field="kind"):
        await meeting.place.one.create(ADA, kind=State.KIND_CLUB_MATCH)
    listed = await meeting.place.one.ask("list_tournaments", BOB, pb.ListTournamentsRequest(club_id=meeting.own))
    assert [*listed.tournaments] == []


async def test_a_match_is_forgotten_after_180_days(meeting: Meeting):
    match = await meeting.agreed(HOME, GUESTS)
    await meeting.cancel(match, ADA)
    meeting.place.clock.wait(tournament_rows.KEPT_MS / 1000 + 1)
    await meeting.place.one.running.forget_old()
    assert await meeting.place.store.run(lambda connection: connection.execute(select(CLUB_MATCHES)).all()) == []


@pytest.mark.parametrize(("one", "other"), [("a" * 60, "b" * 60), ("🏳️‍🌈" * 4, "é" * 30), ("short", "b" * 60), ("x", "y")])
def test_a_match_is_called_by_its_clubs_within_what_a_name_can_have(one: str, other: str):
    name = club_matches.match_name(one, other)
    assert len(name.encode()) <= 60 and " – " in name
    assert name[0] == one[0]


async def test_a_list_of_matches_has_pages(meeting: Meeting):
    await meeting.gather(HOME, GUESTS)
    for number in range(3):
        await meeting.cancel(match := await meeting.challenge(ADA, request_id=f"match-number-{number}"), ADA)
        meeting.place.clock.wait(86_401)
    request = calls_pb.ListClubMatchesRequest(club_id=meeting.own, over=True, page_size=2)
    first = await meeting.place.one.ask("list_club_matches", BOB, request)
    assert len(first.matches) == 2 and first.matches[0].tournament_id == match.tournament_id
    request.page_token = first.next_page_token
    second = await meeting.place.one.ask("list_club_matches", BOB, request)
    assert (len(second.matches), second.next_page_token) == (1, "")
