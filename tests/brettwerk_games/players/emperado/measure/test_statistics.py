"""Demands on games among computers, in small; brettwerk_games/players/emperado/measure/statistics.py measures the whole."""

from collections import Counter

import pytest

from brettwerk_games.players.emperado.contest import Contest
from brettwerk_games.players.emperado.measure.series import ALL_COMPUTERS, Series, play
from brettwerk_games.players.emperado.style import STRONG
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.world import WORLD


def _won(series: Series, better: str) -> tuple[int, int]:
    """Return how many decided games the better level has won, and how many were decided."""
    won = total = 0
    for number in range(series.games):
        result = play(series, number, 1)
        if result.winner >= 0:
            total += 1
            won += series.styles(number)[result.winner] is series.styles(0)[series.levels.index(better)]
    return won, total


@pytest.mark.nightly
def test_without_a_coalition_nearly_all_games_of_six_are_decided():
    """EMP-PARAM-4: at 0 the game is unstable."""
    results = [play(Series("", ("strong",) * 6, 0, 100), number, 1) for number in range(100)]
    assert sum(result.winner >= 0 for result in results) >= 88


@pytest.mark.nightly
def test_the_higher_the_coalition_the_more_games_have_no_winner():
    """EMP-PARAM-4: with 500 games each it is 1 % at 0, about a third at 40 and very many at 99."""
    none = [
        sum(play(Series("", ("strong",) * 6, value, 60), number, 1).winner < 0 for number in range(60)) for value in (0, 40, 99)
    ]
    assert none[0] + 6 < none[1]
    assert none[1] + 12 < none[2]


@pytest.mark.nightly
def test_no_seat_of_two_is_much_better_off():
    """EMP-MAP-5: far outside of what chance does to 400 games."""
    wins = Counter(play(Series("", ("strong",) * 2, 40, 400), number, 1).winner for number in range(400))
    assert wins[-1] < 20
    assert 160 < wins[0] < 240


@pytest.mark.nightly
def test_strong_beats_easy_in_most_games_of_two():
    won, total = _won(Series("", ("strong", "easy"), 40, 300, turning=True), "strong")
    assert total > 280
    assert won / total >= 0.6


@pytest.mark.nightly
def test_an_expert_beats_strong_players_more_often_than_they_it():
    """The first games of the series that docs/emperado-statistics.md tells of. It wins 18 of them."""
    won, total = _won(Series("", ("expert", "strong"), 40, 24, turning=True), "expert")
    assert total == 24
    assert won >= 12


def _undecided_among_experts(games: int) -> int:
    """Return how many of the games of six experts that docs/emperado-statistics.md tells of have no winner, the first ones."""
    return sum(play(Series("", ("expert",) * 6, 40, games), number, 1001).winner < 0 for number in range(games))


@pytest.mark.nightly
def test_experts_do_not_wait_for_each_other_for_ever():
    """Of these games four have no winner; with a `unity` of 120, and never restless, there were six."""
    assert _undecided_among_experts(8) <= 5


@pytest.mark.nightly
@pytest.mark.timeout(600)
def test_of_games_among_six_experts_about_a_third_have_no_winner():
    """Eight have none (EMP-PARAM-4)."""
    assert 5 <= _undecided_among_experts(30) <= 15


def test_armies_cards_and_owners_always_add_up():
    """Every country has one owner and an army at least; no hand holds a set after its exchange."""
    contest = Contest([STRONG] * 5, 3, Options(computers=ALL_COMPUTERS, coalition=0))
    match, sheet = contest.match, contest.sheet
    while not match.end and sheet.round < 40:
        before = (sum(sheet.armies), sheet.to_place)
        contest.step()
        assert min(sheet.armies) >= 1
        assert len(sheet.owners) == WORLD
        assert sum(match.hands) == sum(sheet.cards)
        if sheet.to_place and before[1] == 0:
            assert all(count <= 5 for count in sheet.cards)
            assert sheet.cards[sheet.me] <= 4
        assert sum(sheet.armies) + sheet.to_place <= sum(before) or before[1] == 0
    assert match.end or sheet.round == 40
