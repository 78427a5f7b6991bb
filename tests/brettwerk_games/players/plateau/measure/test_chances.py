import pytest

from brettwerk_games.players.measure.records import Part, Played, Stated
from brettwerk_games.players.plateau.chances import LIMIT, SCALE, chance
from brettwerk_games.players.plateau.measure.chances import brier, fitted, stated_with, turns, worth
from tests.brettwerk_games.rules.plateau.boards import new


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_chance_tells_the_worth_it_was_made_of(seats: int) -> None:
    for stated in (-600, -30, 0, 30, 600):
        assert worth(chance(new(seats), stated), seats) == pytest.approx(stated, abs=0.01)
        assert stated_with(SCALE, LIMIT)(stated, seats) == pytest.approx(chance(new(seats), stated))


def test_a_fit_finds_what_chances_came_from() -> None:
    said = stated_with(150, 1.5)
    pairs = [(float(stated), 2, said(stated, 2)) for stated in range(-900, 901, 30)]
    scale, limit = fitted(pairs)
    assert scale == pytest.approx(150, rel=0.05)
    assert limit == pytest.approx(1.5, rel=0.05)
    assert brier(pairs, stated_with(scale, limit)) < brier(pairs, stated_with(400, 3))


def test_sure_positions_and_games_of_three_are_not_fitted() -> None:
    parts = Part("strong", stated=[Stated(0.7, 1), Stated(1.0, 1)]), Part("easy", stated=[Stated(0.3, 0)])
    assert len(turns([Played(2, "conquest", 8, 1, *parts)])) == 2
    assert turns([Played(3, "conquest", 8, 1, *parts)]) == []
