"""The search of games that hide things and have an estimate: it weighs its guesses, and lets others see what they gain.

What the tree search of other games (monte_carlo.py) makes of hidden things is too little where nearly everything is hidden. There
each guess is as likely as any other, though the others have acted by what they know; whoever plays on in it at random does what
nobody would; and what one action changes is lost among what the rest of the game does. So here

- a guess is drawn again where one of the others, who sees their own side of it, would have had to fear what the seat can do now:
  importance sampling by the last action, which was made in spite of that;
- in a rollout each seat guesses what it does not see, and does what brings it something at once in that guess, if anything does;
- rollouts are short, and end with the estimate (`ROLLOUT_TO_ESTIMATE`); actions of the seat alone are compared, and explored as
  far as results differ at all (UCB1 with the deviation that was seen: Auer, Cesa-Bianchi, Fischer: Finite-time Analysis of the
  Multiarmed Bandit Problem, 2002).

Actions are called sharp that change the standing at once: calling a bid a lie does, and bidding does not.
"""

import math
from collections.abc import Sequence
from typing import Any

from brettwerk_games.players.monte_carlo import EXPLORATION, ROLLOUT_TO_ESTIMATE, Key, Node, Search
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame

GUESSES = 100
"""So many guesses are made and weighed; later iterations take them again."""
GUESS_ATTEMPTS = 8
"""After so many that are unlikely, the last one is taken."""
SHARP = 4
"""At most so many sharp actions are looked at in a position."""
_LEAST_WIDTH = 0.01
"""How far results differ at least, as long as few are known."""


class HiddenSearch(Search):
    """One search from one view of a game that hides things and has an estimate."""

    def __init__(self, game: AnyGame, view: Any, deadline: float, seed: int) -> None:
        """Prepare it; `deadline` in seconds of `time.monotonic`. Raises NothingToDo when the view's seat is not to act."""
        super().__init__(game, view, deadline, seed)
        self._is_flat = True
        self._sharp: set[Any] = set()
        self._guesses: list[Any] = []
        self._squares = 0.0

    def _iterate(self) -> None:
        if not self.root.visits:
            before = self._value(self.first)
            for action in self.actions:
                if self._value(self._after(self.first, self.seat, action)) != before:
                    self._sharp.add(action)
        super()._iterate()

    def guess(self) -> Any:
        """Return a guess that the others' last actions do not speak against."""
        if len(self._guesses) >= GUESSES:
            return self._random.choice(self._guesses)
        others = [seat for seat in range(len(self.even)) if seat != self.seat]
        for _ in range(GUESS_ATTEMPTS):
            guess = super().guess()
            if not any(self._fears(guess, seat) for seat in others):
                break
        self._guesses.append(guess)
        return guess

    def _fears(self, guess: Any, other: int) -> bool:
        """Tell whether the seat gains at once in what another one, which sees its own side of a guess, may take for true."""
        believed = self._believed(guess, other)
        return self._gain(believed, self.seat, self._game.actions(self._game.view(believed, self.seat))) is not None

    def _believed(self, position: Any, seat: int) -> Any:
        """Return a guess of a seat's."""
        return self._game.sample(self._game.view(position, seat), self._seed())

    def _gain(self, position: Any, seat: int, actions: Sequence[Any]) -> Key | None:
        """Return a sharp action that is to the seat's good in a position as it may be."""
        sharp = [action for action in actions if action in self._sharp]
        if not sharp:
            return None
        before = self._value(position)[seat]
        for action in sharp if len(sharp) <= SHARP else self._random.sample(sharp, SHARP):
            if self._value(self._after(position, seat, action))[seat] > before:
                return seat, action
        return None

    def _learn(self, path: list[tuple[Node, int, Node]], played: list[Key], scores: Sequence[float]) -> None:
        super()._learn(path, played, scores)
        self._squares += scores[self.seat] ** 2
        mean = self.root.total / self.root.visits
        variance = max(0.0, self._squares / self.root.visits - mean**2)
        self._exploration = EXPLORATION * min(1.0, 2 * math.sqrt(variance) + _LEAST_WIDTH)

    def _rollout(self, position: Any, played: list[Key]) -> Sequence[float]:
        """Play on for a few actions, each seat by a guess of its own; return the seats' scores, or the estimate."""
        game = self._game
        for _ in range(ROLLOUT_TO_ESTIMATE):
            to_act = game.to_act(position)
            if not to_act:
                break
            seat = to_act[0]
            actions = game.actions(game.view(position, seat))
            key = self._gain(self._believed(position, seat), seat, actions)
            if key is None:
                key = self._preferred(seat, [action for action in actions if action not in self._sharp] or actions)
            played.append(key)
            before = position
            position = self._after(position, *key)
            if key[1] not in self._sharp and self._value(position) != self._value(before):
                self._sharp.add(key[1])
        return self._value(position)


def search_of(game: AnyGame, view: Any, deadline: float, seed: int) -> Search:
    """Return the search for a view: this one where it serves. Raises NothingToDo when the view's seat is not to act."""
    search = HiddenSearch if game.facts.hidden and game.estimate(game.sample(view, bytes(SEED_BYTES))) is not None else Search
    return search(game, view, deadline, seed)
