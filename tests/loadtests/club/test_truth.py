"""The news that members should have, by what they saw themselves."""

import random

import pytest

from brettwerk.v1 import opponents_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from loadtests.club.judge import DAY_MS, HOUR_MS, Item
from loadtests.club.people import Person, members
from loadtests.club.truth import of_tournament, of_turns, sessions_twice

NOW = 1_800_014_400_000


@pytest.fixture
def ada() -> Person:
    person = members(1, 7, 4, NOW, random.Random(1))[0]
    person.player_id = "ada"
    return person


def note(person: Person, kind: str, subject: str, at_ms: int = NOW, until_ms: int = 0) -> None:
    version = len(person.feed) + 1
    person.feed[version] = Item(version, kind, subject, at_ms, until_ms)


def test_a_turn_that_somebody_had_is_in_their_feed_once(ada: Person) -> None:
    ada.acted.append(("table", NOW - HOUR_MS, NOW + HOUR_MS))
    assert of_turns(ada).forgotten
    note(ada, "your_turn", "table")
    assert of_turns(ada).faults == 0
    note(ada, "your_turn", "table", NOW + 1000)
    assert of_turns(ada).twice


def test_a_turn_after_one_whose_time_ran_out_is_another_one(ada: Person) -> None:
    ada.acted.append(("table", NOW - HOUR_MS, NOW + 2 * DAY_MS))
    note(ada, "your_turn", "table", NOW, NOW + DAY_MS)
    note(ada, "your_turn", "table", NOW + DAY_MS + 1000)
    assert of_turns(ada).faults == 0


def test_the_end_of_a_game_is_in_the_feed_once(ada: Person) -> None:
    ada.ended.add("table")
    assert of_turns(ada).forgotten
    note(ada, "game_over", "table")
    assert of_turns(ada).faults == 0
    note(ada, "game_over", "table")
    assert of_turns(ada).twice


def test_a_round_and_the_end_of_a_tournament_are_in_the_feed_once(ada: Person) -> None:
    whole = pb.GetTournamentResponse(
        tournament=pb.Tournament(tournament_id="cup", state=pb.Tournament.STATE_FINISHED),
        pairings=[pb.Pairing(round=1, first=1, second=2, session_id="table")],
    )
    whole.standings.add(number=1, player=opponents_pb2.RatedPlayer(player_id="ada"))
    assert len(of_tournament(whole, [ada]).forgotten) == 2
    note(ada, "round", "table")
    note(ada, "tournament_over", "cup")
    assert of_tournament(whole, [ada]).faults == 0
    note(ada, "round", "table")
    assert len(of_tournament(whole, [ada]).twice) == 1


def test_a_session_of_two_pairings_is_found() -> None:
    pairings = [pb.Pairing(session_id="one"), pb.Pairing(session_id="one"), pb.Pairing(session_id="two"), pb.Pairing()]
    assert sessions_twice([pb.GetTournamentResponse(pairings=pairings)]) == ["one"]


def test_people_visit_while_they_are_up_and_not_away() -> None:
    dice = random.Random(3)
    for person in members(40, 365, 24, NOW, dice):
        for _ in range(60):
            person.plan(person.next_ms or NOW, dice)
            assert person.is_awake(person.next_ms)
            assert not any(begins <= person.next_ms < ends for begins, ends in person.away)
