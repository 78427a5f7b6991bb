from pathlib import Path

from brettwerk_games.players.einstein.setups import ALL, GOOD, measured

DOCS = Path(__file__).parents[4] / "docs" / "einstein-player.md"


def test_good_setups_are_the_best_of_the_file_and_their_reverses():
    best = [one.stones for one in measured()[: len(GOOD) // 2]]
    assert set(best) < set(GOOD) <= set(ALL)
    assert {tuple(7 - number for number in stones) for stones in best} == set(GOOD) - set(best)


def test_the_file_is_in_order():
    chances = [one.first for one in measured()]
    assert chances == sorted(chances, reverse=True)


def test_the_documentation_shows_what_is_in_the_file():
    shown = DOCS.read_text().splitlines()
    for one in measured():
        a, b, c, d, e, f = one.stones
        assert f"| {a} {b} {c} / {d} {e} / {f} | {one.first:.1f} % | {one.second:.1f} % |" in shown
