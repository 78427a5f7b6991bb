"""A game of two, made of a module by `game_of_two` or of a class.

A game says how it begins, which actions are legal, what one does and how it is written, and draws its board. Its folder has
facts.json, en.md and de.md, and, once it is built, contract.binpb.
"""

from typing import Any, TypeVar

from brettwerk_games.rules.interface import A, O
from brettwerk_games.rules.open.of_module import ModuleGame, game_of
from brettwerk_games.rules.open.values import OpenPosition

P = TypeVar("P", bound=OpenPosition)


class GameOfTwo(ModuleGame[O, P, A]):
    """The game; a game must have `legal` and `play`, and without a grid `notate` and `board` (of_module.py)."""

    waiting = "the other seat is to move"

    def begin(self, options: O, seed: bytes) -> P:
        """Return the first position: here the one in which each field is as in a new value."""
        return self._kinds[1]()

    def _begun(self, options: O, seats: int, seed: bytes) -> P:
        """Return the first position."""
        return self.begin(options, seed)


def game_of_two(name: str) -> GameOfTwo[Any, Any, Any]:
    """Return the game of two that a module is (`__name__`); `game_of` says how, and what it raises."""
    game: GameOfTwo[Any, Any, Any] = game_of(name, GameOfTwo)
    return game
