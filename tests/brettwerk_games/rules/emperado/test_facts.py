"""The facts that the platform is told of the game."""

from brettwerk_games.rules.emperado.position import MAX_ACTIONS
from brettwerk_games.rules.registry import games
from tests.brettwerk_games.rules.emperado.worlds import EMPERADO

FACTS = EMPERADO.facts


def test_the_game_is_found() -> None:
    assert games()["emperado"] is EMPERADO


def test_a_person_plays_a_and_computers_the_others_at_first() -> None:
    assert [seat.computer_by_default for seat in FACTS.seats] == [False, True, True, True, True, True]


def test_the_bound_of_actions_is_that_of_the_rules() -> None:
    assert FACTS.max_actions == MAX_ACTIONS
    assert not FACTS.lists_all
    assert FACTS.tells_seats
    assert (FACTS.min_seats, len(FACTS.seats)) == (2, 6)
