"""Odds of battles that are too large to be counted out, against the exact walk and against the rules' own dice."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.actions import MAX_THROWS, TO_THE_END
from brettwerk_games.rules.emperado.battle import fight
from brettwerk_games.rules.emperado.long_battles import long_battle
from brettwerk_games.rules.emperado.odds import EXACT, odds, series
from brettwerk_games.rules.emperado.odds import _throw_by_throw as throw_by_throw
from brettwerk_games.rules.emperado.odds import _walk as walk
from brettwerk_games.rules.emperado.options import Luck
from tests.brettwerk_games.rules.emperado.worlds import SEED
from tests.night import examples

PRICE = 1.7103520390
"""The cost of a defender in the long run: (3 - 1.10687) / 1.10687, from the table of EMP-ATTACK-9."""


@given(st.integers(60, 200), st.floats(-3, 3), st.sampled_from(Luck))
@settings(max_examples=examples(40), deadline=None)
def test_battles_that_can_still_be_counted_out_agree(defending: int, deviations: float, luck: Luck) -> None:
    """Either side may be ahead, by any amount."""
    spread = {Luck.FULL: 2.75, Luck.HALF: 1.73, Luck.LITTLE: 0.8}[luck]
    attacking = round(PRICE * defending + deviations * spread * math.sqrt(defending))
    attacking = max(attacking, EXACT // defending + 1)
    exact, near = walk(attacking, defending, luck), long_battle(attacking, defending, luck)
    assert near.win == pytest.approx(exact.win, abs=0.0003)
    assert near.attackers_lost == pytest.approx(exact.attackers_lost, abs=0.003)
    assert near.defenders_lost == pytest.approx(exact.defenders_lost, abs=0.003)


@pytest.mark.parametrize(
    ("attackers", "defenders", "exact"),
    [
        # From the walk over all nine million cells, which takes seconds.
        (3000, 3000, (0, 2999, 1753.071230)),
        (3001, 3000, (0, 3000, 1753.655905)),
        (3422, 2000, (0.504621912, 3371.147425, 1971.263025)),
        (3501, 2000, (0.742450603, 3400.192716, 1988.530928)),
        (6000, 3000, (1, 5129.631275, 3000)),
    ],
)
def test_the_largest_battles_are_as_a_walk_to_the_end_has_them(
    attackers: int, defenders: int, exact: tuple[float, float, float]
) -> None:
    assert odds(attackers, defenders) == pytest.approx(exact, abs=0.0005)


@pytest.mark.nightly
def test_the_rules_own_dice_lose_as_much_in_a_hopeless_battle() -> None:
    dice = Dice(SEED, "dice")
    lost = [3000 - fight(3000, 3000, TO_THE_END, dice).defenders for _ in range(40)]
    spread = 42  # of one battle: the root of 1,580 throws, times 1.07
    assert sum(lost) / len(lost) == pytest.approx(odds(3000, 3000).defenders_lost, abs=4 * spread / math.sqrt(len(lost)))


@given(st.integers(2, 100), st.floats(-2, 2))
@settings(max_examples=examples(25), deadline=None)
def test_throws_that_may_not_suffice_are_counted(scarce: int, deviations: float) -> None:
    """A hundred throws instead of ten thousand, where errors are ten times as large."""
    throws = 100
    defending = round(throws * 1.10687 + deviations * math.sqrt(throws))
    attacking = 3 * throws - defending + scarce
    exact, near = throw_by_throw(attacking, defending, throws), long_battle(attacking, defending, max_throws=throws)
    assert near.win == pytest.approx(exact.win, abs=0.1)
    assert near.attackers_lost == pytest.approx(exact.attackers_lost, abs=0.5)
    assert near.defenders_lost == pytest.approx(exact.defenders_lost, abs=0.5)


def test_an_attack_to_the_end_has_ten_thousand_throws() -> None:
    endless = odds(1_000_000_000, 1_000_000_000)
    assert endless == pytest.approx((0, MAX_THROWS * 1.8931327, MAX_THROWS * 1.1068673), rel=1e-6)
    assert odds(1_000_000_000, 11_500).win < 1e-4
    assert odds(1_000_000_000, 10_500).win > 1 - 1e-4
    assert odds(131, 1_000_000_000) == pytest.approx(tuple(walk(130, 300)), abs=1e-4)


@given(st.integers(2, 10**9), st.integers(1, 10**9), st.sampled_from(Luck))
@settings(deadline=None)
def test_expected_results_are_possible_for_all_armies(attackers: int, defenders: int, luck: Luck) -> None:
    win, ours, theirs = odds(attackers, defenders, luck)
    assert 0 <= win <= 1 + 1e-12
    assert 0 <= ours <= attackers - 1 + 1e-9
    assert 0 <= theirs <= defenders + 1e-9
    assert ours + theirs <= 3 * MAX_THROWS + 1e-6


@pytest.mark.parametrize("luck", Luck)
def test_odds_do_not_jump_where_counting_out_ends(luck: Luck) -> None:
    dice = random.Random(1)
    for _ in range(20):
        defending = dice.randint(50, 200)
        attacking = EXACT // defending
        before, after = odds(attacking + 1, defending, luck), odds(attacking + 2, defending, luck)
        assert 0 <= after.win - before.win + 0.0002 < 0.1
        assert abs(after.attackers_lost - before.attackers_lost) < 1.01
        assert series(attacking + 2, defending, 100, luck).win <= after.win + 0.0003
