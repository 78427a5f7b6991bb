"""The kernels: the same compiled and as they stand, and their tables are the exact chances."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.players.emperado import battles, sheet
from brettwerk_games.players.emperado.contest import Contest
from brettwerk_games.players.emperado.kernels import attacks, playout
from brettwerk_games.players.emperado.kernels.battles import MAX_ATTACKERS, ROW
from brettwerk_games.players.emperado.kernels.luck import Luck
from brettwerk_games.players.emperado.kernels.outlook import Outlook
from brettwerk_games.players.emperado.mind import Mind
from brettwerk_games.players.emperado.style import EASY, NORMAL, STRONG
from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.battle import fight
from brettwerk_games.rules.emperado.odds import odds
from brettwerk_games.rules.emperado.options import CaptureMove, Options
from brettwerk_games.rules.emperado.options import Luck as LuckOption
from tests.night import examples


def as_it_stands(name: str) -> ModuleType:
    """Return a kernel that was not compiled."""
    path = Path(attacks.__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"plain_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_LUCK, _BATTLES, _OUTLOOK = map(as_it_stands, ("luck", "battles", "outlook"))
with mock.patch.dict(sys.modules, {Outlook.__module__: _OUTLOOK}):
    _ATTACKS, _JUDGE, _MARCHES = map(as_it_stands, ("attacks", "judgement", "marches"))
with mock.patch.dict(sys.modules, {Luck.__module__: _LUCK}):
    _PLAYOUT = as_it_stands("playout")


def plain_mind(seen: sheet.Sheet, style) -> Mind:
    mind = Mind(seen, style)
    mind.judge = _JUDGE.Judge(seen, style, seen.ground)
    mind.attacks = _ATTACKS.Attacks(seen, style, seen.ground, battles)
    mind.marches = _MARCHES.Marches(seen, style, seen.ground)
    return mind


@settings(max_examples=examples(12), deadline=None)
@given(
    st.sampled_from([EASY, NORMAL, STRONG]),
    st.integers(2, 6),
    st.integers(0, 10_000),
    st.integers(0, 800),
    st.sampled_from([(0, 0, 0), (40, 0, 0), (99, 30, -5), (-9, -9, 20)]),
)
def test_compiled_minds_decide_as_the_source_says(style, seats, seed, steps, parameters) -> None:
    coalition, solidarity, handicap = parameters
    kinds = (True, False, True, True, False, True)
    options = Options(coalition=coalition, solidarity=solidarity, country_handicap=handicap, computers=kinds)
    contest = Contest([style] * seats, seed, options)
    for _ in range(steps):
        if contest.match.end:
            break
        contest.step()
    plain = plain_mind(contest.sheet, style)
    assert isinstance(plain.judge, _OUTLOOK.Outlook), "no part of it is compiled"
    for _ in range(6):
        if contest.match.end:
            return
        decided = contest.decide()
        assert plain.decide() == decided
        assert plain.decide() == decided, "a decision changes nothing"
        contest.step()


@settings(max_examples=examples(12), deadline=None)
@given(
    st.integers(2, 6),
    st.integers(0, 10_000),
    st.integers(0, 600),
    st.sampled_from(CaptureMove),
    st.sampled_from([(0, 0, 0), (40, 0, 0), (99, 30, -5), (-9, -9, 20)]),
)
def test_compiled_games_that_look_ahead_go_as_the_source_says(seats, seed, steps, capture_move, parameters) -> None:
    coalition, solidarity, handicap = parameters
    kinds = (True, False, True, True, False, True)
    options = Options(
        coalition=coalition, solidarity=solidarity, country_handicap=handicap, computers=kinds, capture_move=capture_move
    )
    contest = Contest([STRONG] * seats, seed, options)
    for _ in range(steps):
        if contest.match.end:
            return
        contest.step()
    seen = contest.sheet
    mine, others = plain_mind(seen, NORMAL), plain_mind(seen, STRONG)
    favour = sheet.floats(60)
    favour[seed % 60] = 3.0
    found = []
    for module in (playout, _PLAYOUT):
        game = module.Playout(seen, seen.ground, battles)
        game.note()
        before = (list(seen.owners), list(seen.armies), list(seen.blocked), list(seen.cards), list(seen.alive))
        found.append([game.play(mine, others, favour, number) for number in range(3)])
        game.restore()
        assert before == (list(seen.owners), list(seen.armies), list(seen.blocked), list(seen.cards), list(seen.alive))
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    assert all(0 <= chance <= 1 for chance in found[0])


@given(st.integers(1, MAX_ATTACKERS), st.integers(1, MAX_ATTACKERS), st.sampled_from(LuckOption))
def test_tables_of_battles_are_the_exact_odds(attackers, defenders, luck) -> None:
    """EMP-ATTACK-9, EMP-ATTACK-15: against the walk of the rules' odds."""
    exact = odds(attackers + 1, defenders, luck)
    at = ROW * (ROW * (luck - 1) + attackers) + defenders
    assert battles.WIN[at] == pytest.approx(exact.win, abs=1e-9)
    assert battles.LOST[at] == pytest.approx(exact.attackers_lost, abs=1e-6)
    assert battles.KILLED[at] == pytest.approx(exact.defenders_lost, abs=1e-6)


def test_armies_that_are_needed_for_a_good_chance() -> None:
    """The numbers that strategy goes by: 2 against 1, 4 against 2, 7, 9, 11 against 5, 21 against 10, 40 against 20."""
    assert [battles.NEED[d] for d in (1, 2, 3, 4, 5, 10, 20, 50)] == [2, 4, 7, 9, 11, 21, 40, 95]
    assert list(_BATTLES.needed(battles.WIN, 0.70)) == list(battles.NEED[:ROW])


def test_less_luck_takes_fewer_armies_for_a_good_chance() -> None:
    full, half, little = (battles.NEED[ROW * number : ROW * (number + 1)] for number in range(3))
    assert [full[50], half[50], little[50]] == [95, 91, 88]
    assert sorted(battles.RESERVE, reverse=True) == list(battles.RESERVE)


@given(
    st.integers(2, 60), st.integers(1, 60), st.integers(0, 30), st.binary(min_size=32, max_size=32), st.sampled_from(LuckOption)
)
def test_fast_battles_are_those_of_the_rules_with_the_same_dice(attackers, defenders, throws, seed, luck) -> None:
    """EMP-ATTACK-4 to EMP-ATTACK-6, EMP-ATTACK-15."""
    battle = fight(attackers, defenders, throws, Dice(seed, "dice"), luck)
    for made in (Luck(1), _LUCK.Luck(1)):
        made.throw_with(Dice(seed, "dice"))
        assert made.fight(attackers, defenders, throws, luck) == (
            battle.attackers,
            battle.defenders,
            len(battle.last[-1].attacker),
        )


@given(st.integers(0, 2**40))
def test_the_fast_generator_is_the_same_compiled(seed) -> None:
    one, other = Luck(seed), _LUCK.Luck(seed)
    assert [one.below(60) for _ in range(20)] == [other.below(60) for _ in range(20)]
    assert one.fight(30, 30, 0) == other.fight(30, 30, 0)


def test_the_fast_generator_throws_fair_dice() -> None:
    """EMP-ATTACK-9: 3 against 3 dice, 200,000 throws; five standard errors."""
    luck = Luck(3)
    kills = [0] * 4
    for _ in range(200_000):
        kills[4 - luck.fight(4, 4, 1)[1]] += 1
    for won, chance in enumerate((0.3830, 0.2647, 0.2147, 0.1376)):
        assert kills[won] / 200_000 == pytest.approx(chance, abs=0.006)
