"""Odds against battles that are counted out, and against the rules' own dice."""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.actions import TO_THE_END
from brettwerk_games.rules.emperado.battle import attacker_dice, defender_dice, fight
from brettwerk_games.rules.emperado.chances import throw_chances
from brettwerk_games.rules.emperado.odds import _walk as walk
from brettwerk_games.rules.emperado.odds import odds, series
from tests.brettwerk_games.rules.emperado.worlds import SEED
from tests.night import by_day, examples


@cache
def counted(attackers: int, defenders: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return chance and losses of a battle by trying all throws of all dice, with the pairs compared by hand."""
    if not defenders:
        return Fraction(1), Fraction(0), Fraction(0)
    if attackers == 1:
        return Fraction(0), Fraction(0), Fraction(0)
    ours, theirs = attacker_dice(attackers), defender_dice(defenders)
    won = [Fraction(0)] * (min(ours, theirs) + 1)
    for faces in product(range(1, 7), repeat=ours + theirs):
        a, d = sorted(faces[:ours])[::-1], sorted(faces[ours:])[::-1]
        won[sum(a[i] > d[i] for i in range(len(won) - 1))] += Fraction(1, 6 ** (ours + theirs))
    win = lost = killed = Fraction(0)
    for kills, chance in enumerate(won):
        losses = len(won) - 1 - kills
        then = counted(attackers - losses, defenders - kills)
        win += chance * then[0]
        lost += chance * (losses + then[1])
        killed += chance * (kills + then[2])
    return win, lost, killed


@pytest.mark.parametrize("attackers", by_day(range(1, 7), *range(1, 6)))
@pytest.mark.parametrize("defenders", range(1, 4))
def test_small_battles_are_as_counted(attackers: int, defenders: int) -> None:
    assert odds(attackers, defenders) == pytest.approx(tuple(map(float, counted(attackers, defenders))), abs=1e-12)


@pytest.mark.parametrize(
    ("dice", "chances"),
    [
        ((1, 1), (0.5833, 0.4167)),
        ((1, 2), (0.7454, 0.2546)),
        ((1, 3), (0.8264, 0.1736)),
        ((2, 1), (0.4213, 0.5787)),
        ((2, 2), (0.4483, 0.3241, 0.2276)),
        ((2, 3), (0.6193, 0.2548, 0.1259)),
        ((3, 1), (0.3403, 0.6597)),
        ((3, 2), (0.2926, 0.3358, 0.3717)),
        ((3, 3), (0.3830, 0.2647, 0.2147, 0.1376)),
    ],
)
def test_throws_have_the_chances_of_the_rules_page(dice: tuple[int, int], chances: tuple[float, ...]) -> None:
    assert throw_chances(*dice) == pytest.approx(chances, abs=0.00006)


@pytest.mark.parametrize(("attackers", "defenders"), by_day([(2, 1), (5, 3), (12, 7), (30, 15), (20, 20)], (5, 3)))
def test_the_rules_own_dice_agree(attackers: int, defenders: int) -> None:
    battles, dice = 4000, Dice(SEED, "dice")
    ended = [fight(attackers, defenders, TO_THE_END, dice) for _ in range(battles)]
    expected = odds(attackers, defenders)
    assert sum(not battle.defenders for battle in ended) / battles == pytest.approx(expected.win, abs=0.03)
    assert sum(attackers - battle.attackers for battle in ended) / battles == pytest.approx(expected.attackers_lost, abs=0.3)
    assert sum(defenders - battle.defenders for battle in ended) / battles == pytest.approx(expected.defenders_lost, abs=0.3)


@given(st.integers(2, 90), st.integers(1, 90))
@settings(max_examples=examples(60), deadline=None)
def test_more_attackers_win_more_often_and_more_defenders_less(attackers: int, defenders: int) -> None:
    here = odds(attackers, defenders)
    assert 0 <= here.win <= 1 + 1e-12
    assert 0 <= here.attackers_lost <= attackers - 1 + 1e-9
    assert 0 <= here.defenders_lost <= defenders + 1e-9
    assert odds(attackers + 1, defenders).win >= here.win - 1e-12
    assert odds(attackers, defenders + 1).win <= here.win + 1e-12


@pytest.mark.parametrize(
    ("attackers", "defenders", "advice"), [(2, 1, 2), (4, 2, 4), (7, 3, 7), (9, 4, 9), (11, 5, 11), (21, 10, 21)]
)
def test_so_many_attackers_are_needed_for_seventy_percent(attackers: int, defenders: int, advice: int) -> None:
    assert odds(advice + 1, defenders).win >= 0.65
    assert odds(advice, defenders).win < 0.75


def test_armies_that_make_no_difference_are_not_walked() -> None:
    assert odds(1_000_000_000, 3) == pytest.approx(tuple(walk(400, 3)))
    assert odds(3, 1_000_000_000) == pytest.approx(tuple(walk(2, 400)))


def test_a_single_army_cannot_win() -> None:
    assert odds(1, 5) == (0, 0, 0)


@cache
def counted_series(attackers: int, defenders: int, throws: int) -> tuple[float, float, float]:
    """Return chance and losses of a series throw by throw, from the chances of one throw."""
    if not defenders:
        return 1, 0, 0
    if attackers == 1 or not throws:
        return 0, 0, 0
    win = lost = killed = 0.0
    chances = throw_chances(attacker_dice(attackers), defender_dice(defenders))
    for kills, chance in enumerate(chances):
        losses = len(chances) - 1 - kills
        then = counted_series(attackers - losses, defenders - kills, throws - 1)
        win += chance * then[0]
        lost += chance * (losses + then[1])
        killed += chance * (kills + then[2])
    return win, lost, killed


@given(st.integers(2, 80), st.integers(1, 80), st.integers(1, 40))
@settings(max_examples=examples(200), deadline=None)
def test_a_series_is_as_counted_throw_by_throw(attackers: int, defenders: int, throws: int) -> None:
    assert series(attackers, defenders, throws) == pytest.approx(counted_series(attackers, defenders, throws), abs=1e-9)


@pytest.mark.parametrize(("attackers", "defenders"), [(300, 60), (60, 150), (110, 5)])
def test_a_hundred_throws_are_as_counted(attackers: int, defenders: int) -> None:
    assert series(attackers, defenders, 100) == pytest.approx(counted_series(attackers, defenders, 100), abs=1e-9)


def test_armies_out_of_reach_of_a_series_change_nothing() -> None:
    assert series(1_000_000_000, 1_000_000_000, 100) == series(400, 400, 100)
    assert series(1_000_000_000, 1_000_000_000, 100).attackers_lost == pytest.approx(100 * (3 - 1.1069), rel=1e-4)


@given(st.integers(2, 60), st.integers(1, 60))
@settings(max_examples=examples(60), deadline=None)
def test_longer_series_win_more_often_up_to_an_attack_to_the_end(attackers: int, defenders: int) -> None:
    wins = [*(series(attackers, defenders, throws).win for throws in (1, 5, 20, 100)), odds(attackers, defenders).win]
    assert all(shorter <= longer + 1e-9 for shorter, longer in pairwise(wins))
