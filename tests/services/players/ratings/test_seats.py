"""The evidence that a game gives about those who sat at it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.ratings.glicko2 import Rating, rate
from services.players.ratings.seats import Contestant, scores

EVEN = Rating(1500, 80)


def contestants(*places: int) -> list[Contestant]:
    return [Contestant(EVEN, place, seat) for seat, place in enumerate(places)]


def test_two_seats_are_as_in_the_paper() -> None:
    (won,), (lost,) = scores(contestants(1, 2), 0), scores(contestants(1, 2), 1)
    assert (won.score, won.weight, lost.score, lost.weight) == (1.0, 1.0, 0.0, 1.0)


def test_many_seats_are_compared_by_place_and_each_comparison_counts_less() -> None:
    got = scores(contestants(2, 1, 2, 4), 0)
    assert [one.score for one in got] == [0.0, 0.5, 1.0]
    assert {one.weight for one in got} == {0.5}


def test_partners_are_not_compared() -> None:
    pairs = [Contestant(EVEN, place, side) for place, side in ((1, 0), (2, 1), (1, 0), (2, 1))]
    assert [one.score for one in scores(pairs, 0)] == [1.0, 1.0]


def test_a_player_who_leaves_loses_to_those_who_stay_whatever_became_of_the_seat() -> None:
    left = [Contestant(EVEN, 1, 0, abandoned=True), Contestant(EVEN, 2, 1), Contestant(EVEN, 3, 2)]
    assert [one.score for one in scores(left, 0)] == [0.0, 0.0]
    assert [one.score for one in scores(left, 2)] == [1.0, 0.0]


def test_two_players_who_both_left_are_not_compared() -> None:
    left = [Contestant(EVEN, 1, 0, abandoned=True), Contestant(EVEN, 2, 1, abandoned=True)]
    assert scores(left, 0) == () == scores(left, 1)


@given(st.integers(2, 6))
def test_a_first_place_among_more_tells_more_but_not_as_much_as_so_many_games(seats: int) -> None:
    places = [1, *range(2, seats + 1)]
    gained = rate(EVEN, scores(contestants(*places), 0)).rating - 1500
    one_game = rate(EVEN, scores(contestants(1, 2), 0)).rating - 1500
    assert one_game <= gained + 1e-9 < 2 * one_game


def test_a_middle_place_among_equals_changes_nothing() -> None:
    assert rate(EVEN, scores(contestants(1, 2, 3), 1)).rating == pytest.approx(1500)
