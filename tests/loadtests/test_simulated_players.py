"""Ratings of simulated players of known strength come near it, for few seats and for many."""

import pytest

from loadtests.simulated_players import simulate


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_ratings_order_players_as_their_strengths_do(seats: int) -> None:
    found = simulate(seats, players=600, games=30)
    assert found.rank_correlation > 0.85
    assert 0.88 < found.within <= 1
