"""The registry finds games by itself."""

from pathlib import Path

import brettwerk_games.rules
from brettwerk_games.rules.registry import games


def test_every_folder_with_a_game_is_found_in_order() -> None:
    folder = Path(brettwerk_games.rules.__path__[0])
    assert list(games()) == sorted(games())
    assert "einstein" in games()
    assert set(games()) <= {path.name for path in folder.iterdir() if (path / "facts.json").exists()}


def test_games_are_the_same_each_time() -> None:
    assert all(games()[name] is game for name, game in games().items())
