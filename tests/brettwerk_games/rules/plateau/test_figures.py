"""The rules pages hold the start positions and the sizes of the boards, as the game has them."""

import pytest

from brettwerk_games.rules.plateau import GAME
from tests.brettwerk_games.rules.plateau.figures import flat, section


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_has_the_figures_and_tables_of_the_game(language: str) -> None:
    page = GAME.facts.rules_page(language)
    assert section(language) in page
    assert flat(language) in page


def test_the_arena_has_the_nodes_and_edges_of_the_book() -> None:
    assert "| arena | 176 | 336 |" in section("en")
    assert "| first edition | 264 | 504 |" in section("en")
