"""Boards that look alike to an eye are written alike for it (WEC-RUL-53). BRETTWERK_PAIRS sets how many pairs are compared."""

import os

import pytest

from tests.brettwerk_games.rules.wec import scenes
from tests.brettwerk_games.rules.wec.pairs import pairs
from tests.night import examples

PAIRS = int(os.environ.get("BRETTWERK_PAIRS", examples(100)))


def compare(most: int) -> int:
    """Follow so many pairs. Return how many comparisons were made."""
    compared = followed = number = 0
    while followed < most:
        for pair in pairs(range(number, number + 1)):
            followed += 1
            compared += pair.look()
        number += 1
    return compared


@pytest.mark.parametrize("name", scenes.SCENES)
def test_two_turns_that_look_the_same_are_written_the_same(name: str) -> None:
    scenes.look(name)


def test_positions_that_look_the_same_are_written_the_same() -> None:
    assert compare(PAIRS) > PAIRS
