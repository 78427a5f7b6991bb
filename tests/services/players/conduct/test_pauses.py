"""Pauses of leavers: when they begin, how they grow, and what holds of them for any games."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from services.players.conduct.departures import Mark
from services.players.conduct.pauses import (
    FIRST_MS,
    LEFT,
    LONGEST_MS,
    OF_GAMES,
    REMEMBERED_MS,
    WITHIN_MS,
    Pause,
    pause_at,
    pauses,
)
from services.players.conduct.reliability import Counted
from services.players.ratings.pools import DAY_MS

NOW = 1_800_000_000_000
LATER = NOW + 40 * DAY_MS
F, L = Mark.FINISHED, Mark.LEFT
MINUTE_MS = 60_000
games = st.lists(st.builds(Counted, st.integers(NOW, NOW + 30 * DAY_MS), st.sampled_from(Mark)), max_size=40).map(sorted)


def played(marks: str, apart_ms: int) -> list[Counted]:
    return [Counted(NOW + apart_ms * number, Mark(mark)) for number, mark in enumerate(marks)]


@given(games, games)
def test_pauses_begin_with_departures_take_minutes_to_a_day_and_do_not_overlap(live: list[Counted], slow: list[Counted]):
    found = pauses(live, slow, LATER)
    ends = {game.at_ms for game in (*live, *slow) if game.mark is not F}
    for pause in found:
        assert pause.from_ms in ends
        assert FIRST_MS <= pause.until_ms - pause.from_ms <= LONGEST_MS
        assert LEFT <= pause.left <= OF_GAMES
    assert all(one.until_ms <= other.from_ms for one, other in pairwise(found))


@given(games)
def test_a_player_who_leaves_two_of_ten_games_never_pauses(live: list[Counted]):
    spared = [game if number % 5 == 0 else game._replace(mark=F) for number, game in enumerate(live)]
    assert pauses(spared, [], LATER) == []


@given(games)
def test_a_player_who_leaves_nothing_never_pauses(live: list[Counted]):
    assert pauses([game._replace(mark=F) for game in live], [], LATER) == []


def test_the_third_left_game_of_ten_begins_a_pause_with_its_end():
    live = played("-+++-+++-", MINUTE_MS)
    end = live[-1].at_ms
    assert pauses(live, [], LATER) == [Pause(end, end + FIRST_MS, 3)]
    assert pause_at(live, [], end + FIRST_MS - 1) == Pause(end, end + FIRST_MS, 3)
    assert pause_at(live, [], end + FIRST_MS) is None
    assert pauses(played("-+++-++++-", MINUTE_MS), [], LATER), "it is one of ten"
    assert pauses(played("-+++-+++++-", MINUTE_MS), [], LATER) == [], "of eleven it is none"
    assert pauses(played("-+++-+++-", WITHIN_MS // 8), [], LATER) == [], "the first is a week ago"


def test_each_pause_is_four_times_as_long_up_to_a_day():
    live = played("-" * 10, DAY_MS + 1)
    minutes = [(pause.until_ms - pause.from_ms) // MINUTE_MS for pause in pauses(live, [], LATER)]
    assert minutes == [5, 20, 80, 320, 1280, 1440, 1440, 1440]


def test_a_pause_of_long_ago_is_forgotten():
    first = played("---", MINUTE_MS)
    again = [game._replace(at_ms=game.at_ms + REMEMBERED_MS) for game in first]
    assert [pause.until_ms - pause.from_ms for pause in pauses([*first, *again], [], LATER)] == [FIRST_MS, FIRST_MS]


def test_games_left_together_begin_one_pause():
    assert len(pauses(played("-" * 9, 1000), [], LATER)) == 1
    assert len(pauses(played("--", 1000), played("-", 1500), LATER)) == 1, "paces count together"
