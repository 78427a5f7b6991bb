"""Departures from finished games: left seats, clocks that ran out without a move, and what counts for nobody."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import games_pb2, record_pb2, sessions_pb2
from services.players.conduct.departures import Mark, Pace, marks_of, pace_of, still_ms
from services.players.ratings.pools import DAY_MS
from services.players.results.summary import course_of
from tests.services.players.intake.finished_games import computer, outcome, person

ANNA, BERT, CLEO = person("anna"), person("bert"), person("cleo")
PER_TURN, TOTAL = record_pb2.ClockSpec.KIND_PER_TURN, record_pb2.ClockSpec.KIND_TOTAL
LIVE = record_pb2.ClockSpec(kind=TOTAL, time_ms=300_000, increment_ms=3000)
SLOW = record_pb2.ClockSpec(kind=TOTAL, time_ms=3 * DAY_MS)
TURNS = record_pb2.ClockSpec(kind=PER_TURN, time_ms=60_000)
BY_TIME = record_pb2.Acted.CAUSE_TIME
F, L, S = Mark.FINISHED, Mark.LEFT, Mark.SILENT


class Game:
    """A game whose log is written entry by entry, a second apart."""

    def __init__(self, *seats: record_pb2.Occupant, clock: record_pb2.ClockSpec = LIVE, **fields: Any) -> None:
        self.entries: list[record_pb2.Entry] = []
        self.seats, self.clock, self.fields = list(seats), clock, fields
        self.now_ms = 0
        for seat, who in enumerate(seats):
            self.sit(seat, who)
        self.add(started=record_pb2.Started())

    def add(self, wait_s: float = 1, **change: Any) -> "Game":
        self.now_ms += round(wait_s * 1000)
        self.entries.append(record_pb2.Entry(at_ms=self.now_ms, version=len(self.entries) + 1, **change))
        return self

    def sit(self, seat: int, who: record_pb2.Occupant) -> "Game":
        self.seats[seat] = who
        return self.add(seat_changed=record_pb2.SeatChanged(seat=seat, occupant=who))

    def act(self, *seats: int, wait_s: float = 1, cause: Any = record_pb2.Acted.CAUSE_UNSPECIFIED) -> "Game":
        for seat in seats:
            self.add(wait_s, acted=record_pb2.Acted(ply=record_pb2.Ply(actor=seat + 1), cause=cause))
        return self

    def system(self, wait_s: float = 1, **kind: Any) -> "Game":
        cause = BY_TIME if "flag" in kind else record_pb2.Acted.CAUSE_UNSPECIFIED
        ply = record_pb2.Ply(system_action=games_pb2.SystemAction(**kind))
        return self.add(wait_s, acted=record_pb2.Acted(ply=ply, cause=cause))

    def marks(self, *, is_over: bool = True) -> dict[str, Mark]:
        seats = [sessions_pb2.Seat(occupant=who) for who in self.seats]
        ended = outcome(0, seats=len(seats)) if is_over else None
        session = sessions_pb2.Session(clock=self.clock, seats=seats, outcome=ended, **self.fields)
        return dict(marks_of(session, self.entries, course_of(self.entries, len(seats))))


def test_players_who_play_to_the_end_or_resign_have_finished():
    assert Game(ANNA, BERT).act(0, 1, 0).marks() == {"anna": F, "bert": F}
    assert Game(ANNA, BERT).act(0, 1, 0).system(resign=1).marks() == {"anna": F, "bert": F}


def test_a_player_who_leaves_another_person_has_left_and_the_last_at_the_table_has_not():
    game = Game(ANNA, BERT).act(0, 1).sit(0, computer()).act(0, 1)
    assert game.marks() == {"anna": L, "bert": F}
    assert game.sit(1, computer()).act(0, 1).marks() == {"anna": L, "bert": F}


@given(st.lists(st.sampled_from((0, 1)), max_size=12))
def test_a_player_who_is_back_before_the_end_has_not_left(seats: list[int]):
    game = Game(ANNA, BERT).act(0, 1)
    for seat in seats:
        game.sit(seat, computer()).act(0, 1).sit(seat, (ANNA, BERT)[seat]).act(0, 1)
    assert game.marks() == {"anna": F, "bert": F}


def test_a_player_whose_seat_somebody_else_takes_has_left():
    assert Game(ANNA, BERT).act(0, 1).sit(1, CLEO).act(0, 1).marks() == {"anna": F, "bert": L}


def test_a_player_who_is_out_leaves_a_large_table_without_departing():
    def game() -> Game:
        return Game(ANNA, BERT, CLEO).act(0, 1, 2)

    assert game().system(resign=0).sit(0, computer()).act(1, 2).marks() == {"anna": F, "bert": F, "cleo": F}
    assert game().sit(0, computer()).act(1, 2).marks() == {"anna": F, "bert": F, "cleo": F}, "nobody played for them"
    assert game().sit(0, computer()).act(1, 2, 0).marks() == {"anna": L, "bert": F, "cleo": F}


@pytest.mark.parametrize(
    ("clock", "wait_s", "mark"),
    [(LIVE, 59, F), (LIVE, 60, S), (SLOW, 1, S), (record_pb2.ClockSpec(kind=TOTAL, time_ms=3_600_000), 179, F)],
)
def test_a_clock_that_runs_out_is_a_departure_only_after_a_long_silence(clock: record_pb2.ClockSpec, wait_s: float, mark: Mark):
    game = Game(ANNA, BERT, clock=clock).act(0, 1, 0).system(wait_s, flag=1)
    assert game.marks() == {"anna": F, "bert": mark}


def test_time_during_which_the_table_stood_still_is_no_silence():
    game = Game(ANNA, BERT).act(0, 1, 0).add(500, credited=record_pb2.Credited(time_ms=1)).system(30, flag=1)
    assert game.marks() == {"anna": F, "bert": F}


def test_a_player_who_never_moved_has_departed_however_short_the_time_was():
    assert Game(ANNA, BERT).act(0).system(5, flag=1).marks() == {"anna": F, "bert": S}


def test_turns_by_the_clock_are_a_departure_if_they_are_the_last_two():
    def game() -> Game:
        return Game(ANNA, BERT, clock=TURNS).act(0, 1, 0)

    assert game().act(1, cause=BY_TIME).act(0).marks()["bert"] == F
    assert game().act(1, cause=BY_TIME).act(0).act(1, cause=BY_TIME).marks()["bert"] == S
    assert game().act(1, cause=BY_TIME).act(0).act(1, cause=BY_TIME).act(0, 1).marks()["bert"] == F, "they came back"
    once = game().act(1, cause=BY_TIME)
    assert once.act(1, wait_s=0, cause=BY_TIME).marks()["bert"] == F, "one turn of two actions"
    assert Game(ANNA, BERT, clock=TURNS).act(0).act(1, cause=BY_TIME).marks()["bert"] == S


def test_a_claimed_seat_is_one_whose_time_ran_out():
    offered = record_pb2.SeatOffered(seat=1, player_id="bert", claimed=True)
    game = Game(ANNA, BERT, clock=SLOW).act(0, 1, 0).sit(1, computer()).add(seat_offered=offered).act(1, 0)
    assert game.marks() == {"anna": F, "bert": S}


def test_games_with_computers_bots_oneself_or_nothing_at_stake_count_for_nobody():
    robot = person("bot-1")
    for seats in ((ANNA, computer()), (ANNA, robot), (ANNA, ANNA)):
        assert Game(*seats).act(0, 1).sit(0, computer()).act(0).marks() == {}
    left = Game(ANNA, BERT).act(0).sit(0, computer())
    left.clock = record_pb2.ClockSpec()
    assert left.marks() == {}
    left.fields = {"competitive": True}
    assert left.marks() == {"anna": L, "bert": F}
    left.fields = {"competitive": True, "arena": True}
    assert left.marks() == {}


def test_a_closed_table_counts_only_for_those_who_had_left():
    game = Game(ANNA, BERT).act(0, 1)
    assert game.marks(is_over=False) == {}
    assert game.sit(0, computer()).marks(is_over=False) == {"anna": L}


def test_a_session_that_never_began_counts_for_nobody():
    assert marks_of(sessions_pb2.Session(clock=LIVE), [], course_of([], 2)) == {}


def test_games_of_days_and_without_a_clock_are_slow():
    assert [pace_of(clock) for clock in (LIVE, TURNS, SLOW, record_pb2.ClockSpec())] == [
        *(Pace.LIVE, Pace.LIVE),
        *(Pace.SLOW, Pace.SLOW),
    ]
    assert [still_ms(record_pb2.ClockSpec(kind=TOTAL, time_ms=time_ms)) for time_ms in (60_000, 600_000, 3_600_000)] == [
        *(60_000, 120_000),
        180_000,
    ]
