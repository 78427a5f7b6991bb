"""How long games must have been to count for ratings."""

import pytest

from services.players.results.rating_kind import PLIES_OF_A_SEAT, least_plies


@pytest.mark.parametrize("game", ["einstein", "emperado", "plateau", "wec"])
def test_every_game_asks_for_more_than_a_resignation_at_once(game: str):
    assert least_plies(game, 2) >= 4


def test_a_game_that_says_nothing_asks_for_a_few_actions_of_each_seat():
    assert least_plies("no such game", 3) == 3 * PLIES_OF_A_SEAT
