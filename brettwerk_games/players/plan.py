"""The rest of a turn that a player has thought of as a whole: played on as long as the seat sees what was expected.

A worker keeps a player object for the actions of one seat's turn. The rules, applied to an action in the position that was
thought of, give the view that the seat should have next; when it sees anything else (a taken-back action, something hidden that
came to light, another game), nothing is left of the plan and the player thinks anew. So an object that is asked out of turn
answers as a new one would.
"""

from typing import Any

from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame
from brettwerk_games.rules.refusals import GameRefusal

_SEED = bytes(SEED_BYTES)
"""Nothing is rolled for: where chance comes in, the view is another one than expected."""


class Plan:
    """The actions of a turn that are left to play; empty at first."""

    def __init__(self, game: AnyGame) -> None:
        """Plan for a game."""
        self._game = game
        self._position: Any = None
        self._seat = 0
        self._actions: tuple[Any, ...] = ()

    def keep(self, position: Any, seat: int, actions: tuple[Any, ...]) -> None:
        """Keep the actions of a turn from a position on that looks as the seat sees it; the first is being played now."""
        self._position, self._seat, self._actions = position, seat, actions

    def forget(self) -> None:
        """Keep nothing."""
        self._position, self._actions = None, ()

    def go_on(self, view: Any) -> tuple[Any, tuple[Any, ...]] | None:
        """Return the position that was expected and what is left to play there; None if the view is not what was expected.

        Either way nothing is kept any more.
        """
        position, actions = self._position, self._actions
        self.forget()
        if len(actions) < 2:  # nothing comes after the one that was played
            return None
        try:
            after = self._game.apply(position, self._seat, actions[0], _SEED).position
        except GameRefusal:
            return None
        return (after, actions[1:]) if self._game.view(after, self._seat) == view else None
