"""The player of Weaponized Chess takes a win when there is one in this Turn, by whatever actions."""

import pytest

from brettwerk_games.players.wec import EASY, NORMAL, STRONG
from brettwerk_games.rules.wec.options import Government
from brettwerk_games.rules.wec.position import End
from tests.brettwerk_games.players.test_wec import ALL_OPTIONS, played
from tests.brettwerk_games.rules.wec import random_games
from tests.brettwerk_games.rules.wec.boards import Table
from tests.night import examples


@pytest.mark.parametrize("strength", [EASY, NORMAL, STRONG])
@pytest.mark.parametrize(
    ("pieces", "options"),
    [
        (["B TA>(6,1)"], {}),
        (["B CL>(9,1)"], {}),
        (["B TA>(5,1)", "B FP(9,2)"], {}),
        (["B TA>(9,1)", "B TA<(9,2)"], {}),
        (["B JE(8,1) Air"], {"government_white": Government.DEMOCRACY}),
        (["B CL>(9,1)", "B CP(9,2)"], {"government_white": Government.DICTATORSHIP}),
    ],
)
def test_a_win_is_taken(pieces: list[str], options: dict[str, Government], strength: int) -> None:
    codes = {Government.DEMOCRACY: "PR", Government.DICTATORSHIP: "DI"}
    primary = f"W {codes.get(options.get('government_white', Government.MONARCHY), 'K')}(10,1)"
    table = Table("B K(1,10)", "B DO(1,8)", "W DO(10,3)", "W TA>(9,9)", primary, *pieces, base=False, **options)
    played(table, strength)
    assert table.position.winner == 0


@pytest.mark.parametrize("strength", [NORMAL, STRONG])
@pytest.mark.parametrize(
    ("pieces", "articles", "primary"),
    [
        (["SHP(9,2)"], ["CS(9,2)"], "W K(10,1)"),
        (["SHP(8,1)"], ["CS(9,2)"], "W K(10,1)"),
        (["DO(8,2)"], ["CS(9,2)"], "W K(10,1)"),
        (["DS[SC](9,2)"], ["CS(9,2)"], "W K(10,1)"),
        (["SHP[CS](7,2)", "DO(8,2)"], [], "W K(10,1)"),
        (["Q[CS](1,5)", "DS(9,2)"], [], "W K(10,1)"),
        (["DO[CS](9,1)", "CP(9,2)"], [], "W K[ACS](10,1)"),
        (["DO[CS](9,1)", "DS(9,2)", "SHP[CS](8,3)"], [], "W K[ACS](10,1)"),
        (["AAA(9,2)"], ["RL(9,2)"], "W PR(10,1)"),
    ],
)
def test_a_win_by_what_lies_about_or_is_handed_over_is_taken(
    pieces: list[str], articles: list[str], primary: str, strength: int
) -> None:
    government = Government.DEMOCRACY if "PR" in primary else Government.MONARCHY
    own = [f"B {piece}" for piece in pieces]
    others = ("B K(1,10)", "W DO(10,5)", "W TA>(9,9)", primary)
    table = Table(*others, *own, articles=articles, base=False, government_white=government)
    played(table, strength)
    assert table.position.winner == 0


GAMES = examples(16)


@pytest.mark.nightly
@pytest.mark.parametrize("strength", [NORMAL, STRONG])
def test_a_win_within_this_turn_of_a_random_game_is_found(strength: int) -> None:
    """Random games are played to their end; at the start of the last Turn of one that was won, there is a win in one Turn."""
    found = 0
    for number in range(GAMES):
        turns = list(random_games.play(number, ALL_OPTIONS[number % len(ALL_OPTIONS)]))
        last = turns[-1]
        if last.end == End.ON or last.winner is None:
            continue
        begun = next(position for position in turns if position.ply == turns[-2].ply)
        if last.winner != begun.active:
            continue
        found += 1
        table = Table()
        table.position = begun
        played(table, strength)
        assert table.position.winner == begun.active
    assert found > GAMES // 3
