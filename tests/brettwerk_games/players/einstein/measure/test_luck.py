import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.players.einstein.measure.luck import Judge, luck
from brettwerk_games.rules.einstein import rules
from brettwerk_games.rules.einstein.position import needs_roll
from tests.brettwerk_games.players.einstein.positions import positions
from tests.night import examples

DEPTH = 2


@given(positions())
@settings(max_examples=examples(60), deadline=None)
def test_luck_is_nothing_on_average(position):
    by_roll = Judge({}, DEPTH).by_roll(position)
    assert sum(luck(by_roll, roll) for roll in by_roll) == pytest.approx(0, abs=1e-9)


@given(positions())
@settings(max_examples=examples(60), deadline=None)
def test_a_single_stone_has_no_luck(position):
    by_roll = Judge({}, DEPTH).by_roll(position)
    assert len(by_roll) == (6 if needs_roll(position.stones[position.to_move]) else 1)
    if 0 in by_roll:
        assert luck(by_roll, 0) == 0


@given(positions(), st.integers(1, 3))
@settings(max_examples=examples(60), deadline=None)
def test_every_move_of_every_roll_is_judged_and_a_win_is_one(position, depth):
    for roll, chances in Judge({}, depth).by_roll(position).items():
        rolled = position._replace(roll=roll)
        assert tuple(chances) == rules.moves(rolled)
        for move, chance in chances.items():
            won = rules.play(rolled, move, 1)[0].winner is not None
            assert 0 <= chance <= 1
            assert chance == 1 or not won
