"""The facts that the game states of itself, and its rules page."""

import pytest

from brettwerk_games.languages.folders import LANGUAGES
from tests.brettwerk_games.rules.einstein.boards import EINSTEIN

FACTS = EINSTEIN.facts


def test_a_person_plays_white_and_the_computer_black() -> None:
    assert [seat.computer_by_default for seat in FACTS.seats] == [False, True]


def test_the_computers_depth_can_be_set_from_1_to_12() -> None:
    assert {level.id: (level.strength, level.max_depth) for level in FACTS.levels} == {
        "beginner": (0, 0),
        "easy": (300, 0),
        "normal": (170, 0),
        "strong": (120, 0),
        "best": (99, 0),
        "depth": (3, 12),
    }
    assert all(level.player == "einstein" for level in FACTS.levels)


@pytest.mark.parametrize("language", LANGUAGES.codes())
def test_notation_on_the_rules_page_is_right(language: str) -> None:
    page = FACTS.rules_page(language)
    for text in ("2:2C1-B1", "4:4B3-C4", "2:1A2-A3", "2:1A2xB2", "2:1A2xB3", "163524", "564132"):
        assert f"`{text}`" in page
