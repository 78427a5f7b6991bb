"""The puzzles that come with the games are those that players get."""

import pytest

from brettwerk_games.rules.registry import games
from services.players.puzzles.collection import rules_versions, shipped


@pytest.mark.parametrize("game", games())
def test_every_game_has_puzzles_whose_positions_its_rules_still_play(game: str) -> None:
    assert len(shipped(game)) >= 5
    facts = games()[game].facts
    assert rules_versions(game) == {facts.rules_version, *facts.also_plays}


def test_a_game_that_there_is_not_has_no_puzzles() -> None:
    with pytest.raises(KeyError):
        shipped("chess")
