"""An opponent that anything has to beat: it plays any action that is legal."""

import random
from typing import Any

from brettwerk_games.players.interface import Thought
from brettwerk_games.rules.interface import AnyGame


class RandomPlayer:
    """Any action is as good as any other."""

    def __init__(self, game: AnyGame) -> None:
        """Play `game`."""
        self._game = game

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        """Return a legal action."""
        return Thought(random.Random(seed).choice(self._game.actions(view)), 0.5, 0, 0)

    def review(self, view: Any, deadline: float, seed: int) -> tuple[()]:
        """Return nothing."""
        return ()
