"""The worth of an action to the seat that acts: its chance to win afterwards, from what the seat knows.

A player whose review weighs every action by a search of its own is taken at its word. Others leave actions out, or weigh them by
rules of thumb; there each action is played, the turn is played to its end and so are those of the others, as the player of each
seat thinks best from its own view, and what the seat then thinks of its chances counts. So an action that only changes the order
of a turn is worth as much as the one that it comes before. Where chance or hidden things have a part, that is done several times,
with the same chance for every action; hidden things are guessed from the seat's view, so nothing counts that it cannot know.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol

from brettwerk_games.players.registry import make_player
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.facts import LevelFacts
from brettwerk_games.rules.interface import AnyGame

_MAX_STEPS = 400
"""Actions after which a game that is played on is taken as it stands."""
_SEEDS = 2**63


class Judge(Protocol):
    """Says what actions are worth."""

    def worths(self, view: Any, actions: Sequence[Any], go_on: Callable[[float], bool]) -> list[float] | None:
        """Return the chance to win with each action, 0 to 1; None as soon as `go_on` says of one of them that it is enough."""
        ...


@dataclass(frozen=True, slots=True)
class Reviewing:
    """The judge that believes a player's review, which has to have all actions."""

    game: AnyGame
    level: LevelFacts
    depth: int
    think_s: float

    def worths(self, view: Any, actions: Sequence[Any], go_on: Callable[[float], bool]) -> list[float] | None:
        """Return what the review says."""
        player = make_player(self.game, self.level, self.depth)
        advice = player.review(view, time.monotonic() + self.think_s, 1)
        found = {one.action: one.win_chance for one in advice}
        worths = [found.get(action, 0.0) for action in actions]
        return worths if all(map(go_on, worths)) else None


@dataclass(frozen=True, slots=True)
class PlayingOn:
    """The judge that plays on: so many games, so many turns of the seat ahead."""

    game: AnyGame
    level: LevelFacts
    games: int
    turns: int
    think_s: float

    def worths(self, view: Any, actions: Sequence[Any], go_on: Callable[[float], bool]) -> list[float] | None:
        """Return what the games come to on average."""
        worths = []
        for action in actions:
            worths.append(fmean(self._came_to(view, action, number) for number in range(self.games)))
            if not go_on(worths[-1]):
                return None
        return worths

    def _came_to(self, view: Any, action: Any, number: int) -> float:
        """Return the seat's chance after an action and some turns, 0 to 1."""
        game, me = self.game, view_seat(self.game, view)
        position = game.apply(game.sample(view, _seed(number, 0)), me, action, _seed(number, 1)).position
        players = [make_player(game, self.level, 0) for _ in range(game.seats(position))]
        mover, turns = me, 0
        for step in range(2, _MAX_STEPS):
            if not (to_act := game.to_act(position)):
                break
            if to_act[0] != mover:
                # as in a session, where a player is kept for a turn and no longer
                mover = to_act[0]
                players[mover] = make_player(game, self.level, 0)
                turns += mover == me
            seed = _seed(number, step)
            thought = players[mover].think(
                game.view(position, mover), time.monotonic() + self.think_s, int.from_bytes(seed[:8], "big") % _SEEDS
            )
            if turns == self.turns:
                return thought.win_chance
            position = game.apply(position, mover, thought.action, seed).position
        outcome = game.outcome(position)
        return outcome.chance(me) if outcome is not None else 0.5


def view_seat(game: AnyGame, view: Any) -> int:
    """Return the seat that is to act in its own view."""
    return game.to_act(game.sample(view, bytes(SEED_BYTES)))[0]


def _seed(number: int, step: int) -> bytes:
    return hashlib.blake2b(f"brettwerk puzzle {number} {step}".encode(), digest_size=SEED_BYTES).digest()
