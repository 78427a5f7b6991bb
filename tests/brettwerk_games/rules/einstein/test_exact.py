"""The reference solver gives the published exact values, and keeps the symmetries of the game."""

from fractions import Fraction

import pytest

from tests.brettwerk_games.rules.einstein.exact import Side, side, value
from tests.night import at_night

PUBLISHED = [
    (45, "3@A1", "5@E5", True, Fraction(1)),
    (46, "1@D4 6@A1", "2@B2", False, Fraction(1)),
    (47, "1@D3 4@D4", "2@B2 3@B3", True, Fraction(17, 18)),
    at_night(48, "1@C3 6@A1", "2@B2 5@E5", True, Fraction(1050395, 1259712)),
]


@pytest.mark.parametrize(("case", "black", "white", "black_moves", "exact"), PUBLISHED)
def test_cases_45_to_48_have_their_exact_values(case: int, black: str, white: str, black_moves: bool, exact: Fraction) -> None:
    assert value(side(black), side(white), black_moves) == exact


def test_case_33_one_stone_each_leaves_nothing_to_chance() -> None:
    for row in range(5):
        for column in range(5):
            if (row, column) not in ((0, 0), (4, 4)):
                assert value(frozenset({(1, row, column)}), side("1@E5"), True) in (0, 1)


def _mirrored(stones: Side) -> Side:
    return frozenset((number, column, row) for number, row, column in stones)


def _renumbered(stones: Side) -> Side:
    return frozenset((7 - number, row, column) for number, row, column in stones)


@pytest.mark.nightly
@pytest.mark.parametrize(("black", "white"), [("1@D3 4@D4", "2@B2 3@B3"), ("2@C2 5@D4", "3@C4 6@B3"), ("1@C3 3@E2", "4@B4")])
def test_symmetries_change_no_value(black: str, white: str) -> None:
    b, w = side(black), side(white)
    exact = value(b, w, True)
    assert 0 <= exact <= 1
    assert value(_mirrored(b), _mirrored(w), True) == exact
    assert value(_renumbered(b), w, True) == exact
    assert value(b, _renumbered(w), True) == exact
    turned = [frozenset((number, 4 - row, 4 - column) for number, row, column in stones) for stones in (w, b)]
    assert value(turned[0], turned[1], False) == exact


def test_the_number_of_a_single_stone_does_not_matter() -> None:
    assert len({value(side("1@D3 4@C4"), side(f"{number}@B3"), True) for number in range(1, 7)}) == 1
