"""A worker whose players take the time that they are granted asleep: `python -m loadtests.computers.sleeping_worker`.

With it, many thoughts at once cost a small machine nothing, so that what is measured is who gets them. It is the worker itself;
only the makers of players are others, put in their place before its processes are forked.
"""

import contextlib
import random
import time
from typing import Any

from brettwerk_games.players import registry
from brettwerk_games.players.interface import Advice, NothingToDo, OutOfTime, Player, Players, Thought
from brettwerk_games.rules.interface import AnyGame
from loadtests.computers.mix import END_OF_TURN
from services.ai import worker

_BEFORE_S = 0.005
"""How long before its time is over a player wakes, so that its answer is not late."""
_MAX_S = 10.0


class Sleeper:
    """Plays any game at random, and takes all the time for it."""

    def __init__(self, game: AnyGame, _strength: int) -> None:
        """Make a player of `game`."""
        self._game = game

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        """Return an action when the time is over; half of the times that a turn can be ended, that.

        Raises NothingToDo when it is not the turn of the view's seat.
        """
        actions = self._game.actions(view)
        if not actions:
            raise NothingToDo
        _sleep_until(deadline)
        dice = random.Random(seed)
        ends = [action for action in actions if self._game.write(view, action).lower() in END_OF_TURN]
        return Thought(ends[0] if ends and dice.random() < 0.5 else dice.choice(actions), 0.5, 0, 0)

    def review(self, view: Any, deadline: float, _seed: int) -> tuple[Advice, ...]:
        """Return all actions as equally good once time is up. Raises NothingToDo when it is not the turn of the view's seat."""
        actions = self._game.actions(view)
        if not actions:
            raise NothingToDo
        _sleep_until(deadline)
        return tuple(Advice(action, 0.5) for action in actions)


def _sleep_until(deadline: float) -> None:
    with contextlib.suppress(OutOfTime):
        time.sleep(max(0.0, min(deadline - time.monotonic() - _BEFORE_S, _MAX_S)))


def sleepers() -> Players:
    """Return a sleeper in the place of each player that there is."""
    return dict.fromkeys(_awake(), _sleeper)


def _sleeper(game: AnyGame, strength: int) -> Player:
    return Sleeper(game, strength)


_awake = registry.players


def main() -> None:
    """Run a worker whose players sleep."""
    registry.players = sleepers  # type: ignore[assignment]
    worker.main()


if __name__ == "__main__":
    main()
