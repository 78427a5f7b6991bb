"""The facts: options as in chapter 17 of the rules page, and what the platform is told of the game."""

from services.games.emperado.options import PRESET, RANGES, SETTLED
from services.games.emperado.position import MAX_ACTIONS
from services.games.registry import games
from tests.services.games.emperado.worlds import EMPERADO

FACTS = EMPERADO.facts


def test_the_game_is_found() -> None:
    assert games()["emperado"] is EMPERADO


def test_options_are_those_of_the_rules_with_their_presets_and_ranges() -> None:
    assert {option.key for option in FACTS.options} == set(PRESET._fields) - {"computers"}
    assert FACTS.tells_seats
    for option in FACTS.options:
        preset = getattr(PRESET, option.key)
        assert option.preset == int(preset), option.key
        if option.key in RANGES:
            assert (option.min, option.max) == RANGES[option.key][:2], option.key


def test_options_that_are_settled_say_so() -> None:
    assert {option.key for option in FACTS.options if option.changeable == "before_start"} == set(SETTLED)


def test_a_person_plays_a_and_computers_the_others_at_first() -> None:
    assert [seat.computer_by_default for seat in FACTS.seats] == [False, True, True, True, True, True]


def test_the_bound_of_actions_is_that_of_the_rules() -> None:
    assert FACTS.max_actions == MAX_ACTIONS
    assert not FACTS.lists_all
    assert (FACTS.min_seats, len(FACTS.seats)) == (2, 6)
