"""Glicko-2 against the worked example of its paper, and what holds for all ratings."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.ratings.glicko2 import MAX_DEVIATION, MEAN, MIN_DEVIATION, Rating, Score, aged, expected, rate

ratings = st.builds(Rating, st.floats(-500, 4000), st.floats(MIN_DEVIATION, MAX_DEVIATION), st.floats(0.03, 0.12))
results = st.sampled_from((0.0, 0.5, 1.0))
scores = st.builds(Score, ratings, results, st.sampled_from((1.0, 2 / 3, 0.5, 1 / 3)))


def test_the_worked_example_of_the_paper() -> None:
    player = Rating(1500, 200, 0.06)
    opponents = (Score(Rating(1400, 30), 1.0), Score(Rating(1550, 100), 0.0), Score(Rating(1700, 300), 0.0))
    after = rate(player, opponents)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_rating_of_an_idle_player_grows_uncertain_as_in_the_paper() -> None:
    after = rate(Rating(1500, 200, 0.06), ())
    assert (after.rating, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(math.hypot(200, 0.06 * 173.7178))
    assert aged(Rating(), 1000).deviation == MAX_DEVIATION


@given(ratings, st.lists(scores, min_size=1, max_size=8))
def test_ratings_stay_numbers_within_their_bounds(player: Rating, games: list[Score]) -> None:
    after = rate(player, games)
    assert math.isfinite(after.rating)
    assert MIN_DEVIATION <= after.deviation <= MAX_DEVIATION
    assert 0 < after.volatility < 1


@given(ratings, ratings)
def test_a_win_never_lowers_a_rating_and_a_loss_never_raises_it(player: Rating, opponent: Rating) -> None:
    assert rate(player, (Score(opponent, 1.0),)).rating >= player.rating >= rate(player, (Score(opponent, 0.0),)).rating


@given(ratings, ratings, st.sampled_from((1.0, 0.5)))
def test_a_better_score_makes_a_better_rating(player: Rating, opponent: Rating, score: float) -> None:
    better, worse = (rate(player, (Score(opponent, got),)).rating for got in (score, score - 0.5))
    assert better > worse


@given(ratings, ratings)
def test_equal_ratings_expect_half_and_stronger_ones_more(player: Rating, opponent: Rating) -> None:
    assert expected(player, Rating(player.rating, opponent.deviation)) == pytest.approx(0.5)
    assert (expected(player, opponent) >= 0.5) == (player.rating >= opponent.rating) or player.rating == pytest.approx(
        opponent.rating
    )


@given(st.lists(scores, min_size=1, max_size=6))
def test_the_order_of_results_of_one_game_does_not_matter(games: list[Score]) -> None:
    one, other = rate(Rating(), games), rate(Rating(), games[::-1])
    assert one.rating == pytest.approx(other.rating)
    assert one.deviation == pytest.approx(other.deviation)


def test_a_new_player_is_provisional_until_some_games_are_played() -> None:
    player, played = Rating(), 0
    while player.is_provisional:
        player = rate(player, (Score(Rating(MEAN, 60), float(played % 2)),), periods=0.0)
        played += 1
    assert 8 <= played <= 20
