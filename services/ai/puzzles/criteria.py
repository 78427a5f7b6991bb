"""Whether a position makes a puzzle: a few actions keep nearly all of the seat's chances, and most others lose much.

A quick judge sifts the positions; what is left, a slower one who looks further has to agree to, and that one's words are what the
puzzle says. In between there must be a gap, so that nobody is told that an action is wrong which is nearly as good as the right
one.
"""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from brettwerk_games.players.interface import Advice, NothingToDo
from brettwerk_games.players.registry import make_player
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.facts import LevelFacts
from brettwerk_games.rules.interface import AnyGame
from services.ai.puzzles.judgement import Judge, PlayingOn, Reviewing, view_seat

KEPT = 0.9
"""An action is right that keeps this share of the best one's chance."""
CLEARLY_LESS = 0.85
"""All others keep less than this share."""
LEAST_CHANCE = 0.2
"""With less than this, the best action has nothing to keep."""
MIN_ACTIONS = 3
MAX_ACTIONS = 256
"""As many as an update lists: a board is to know them all."""
MAX_RIGHT = 4
"""More right actions than this leave nothing to find; where there are many, a sixth of them: amounts count one by one."""
_DOUBTFUL = 0.75
"""An action that keeps less than this share in the eyes of the quick judge is left at that."""
_MAX_DOUBTFUL = 40
"""More of these than this promise nothing."""
_QUICK_MS = 1000
_LOOK_S = 0.05
_FIRST = 3
"""Actions that look best and are weighed first."""
_VOTES = 1
"""How often the strongest player is asked."""
_REVIEWS_ALL = frozenset({"einstein", "emperado"})
"""Players whose review weighs every action: EinStein's by its search, EMPERADO's by what the turn gains or loses with it.

Playing on says nothing in EMPERADO: the rest of a turn of dozens of actions makes up for almost any one of them.
"""


@dataclass(frozen=True, slots=True)
class Weighed:
    """An action and the share of the best one's chance that it keeps, 0 to 1."""

    action: Any
    kept: float


@dataclass(frozen=True, slots=True)
class Found:
    """A puzzle: a seat's view, what it may do, best first, and its chance with the best of it."""

    view: Any
    actions: tuple[Weighed, ...]
    chance: float

    @property
    def right(self) -> tuple[Weighed, ...]:
        """The actions that keep enough."""
        return tuple(one for one in self.actions if one.kept >= KEPT)


class Finder:
    """Looks for puzzles of one game."""

    def __init__(self, game: AnyGame, sifts: Judge | None = None, agrees: Judge | None = None, votes: int = _VOTES) -> None:
        """Take other judges than the game's own, and how often the strongest player is asked."""
        self._votes = votes
        self._game = game
        self._strongest, self._quick = _levels(game)
        self._sifts = sifts or _sifting(game)
        self._agrees = agrees or _agreeing(game)

    def promise(self, view: Any) -> float:
        """Return how much a quick look says that most actions lose: 0 for nothing, to 1."""
        chances = [one.win_chance for one in self._advice(view)]
        if len(chances) < MIN_ACTIONS or chances[0] < LEAST_CHANCE:
            return 0.0
        return max(0.0, 1 - median(chances) / chances[0])

    def find(self, view: Any, until: float = math.inf) -> Found | None:
        """Return the puzzle that the view of the seat to act makes; None if it makes none, or there is no time to find out."""
        actions = self._in_order(view)
        if not MIN_ACTIONS <= len(actions) <= MAX_ACTIONS:
            return None
        sifted = self._sifts.worths(view, actions, _few_are_good(until))
        if sifted is None:
            return None
        quick = _weighed(view, actions, sifted)
        if quick.chance < LEAST_CHANCE or median(one.kept for one in quick.actions) > CLEARLY_LESS:
            return None
        doubtful = [one.action for one in quick.actions if one.kept >= _DOUBTFUL]
        if len(doubtful) > _MAX_DOUBTFUL:
            return None
        agreed = self._agrees.worths(view, doubtful, lambda _: time.monotonic() < until)
        if agreed is None:
            return None
        worths = dict(zip(doubtful, agreed, strict=True))
        left = max(agreed)
        for one in quick.actions:
            worths.setdefault(one.action, left * one.kept)
        found = _weighed(view, list(worths), list(worths.values()))
        return found if _is_clear(found) and self._is_confirmed(found) else None

    def _in_order(self, view: Any) -> Sequence[Any]:
        """Return the actions, first those that look best: beside them it shows soon whether others are as good."""
        actions = list(self._game.actions(view))
        random.Random(len(actions)).shuffle(actions)  # in lists good actions stand together
        places = {one.action: place for place, one in enumerate(self._advice(view)[:_FIRST])}
        return sorted(actions, key=lambda action: places.get(action, _FIRST))

    def _advice(self, view: Any) -> Sequence[Advice]:
        player = make_player(self._game, self._quick, 0)
        try:
            return player.review(view, time.monotonic() + _LOOK_S, 1)
        except NothingToDo:
            return ()

    def _is_confirmed(self, found: Found) -> bool:
        """Tell whether the strongest player does what the puzzle calls right, and it is more than to see that it wins at once."""
        right = [one.action for one in found.right]
        seat = view_seat(self._game, found.view)
        position = self._game.sample(found.view, bytes(SEED_BYTES))
        for action in right:
            if not self._game.to_act(self._game.apply(position, seat, action, bytes(SEED_BYTES)).position):
                return False
        player = make_player(self._game, self._strongest, 0)
        until = time.monotonic() + self._strongest.think_ms / 1000
        return all(self._is_right(found, player.think(found.view, until, seed).action) for seed in range(self._votes))

    def _is_right(self, found: Found, action: Any) -> bool:
        """Tell whether an action is a right one, or differs from one only by a number that the rules leave out of their list."""
        if action in {one.action for one in found.actions}:
            return action in {one.action for one in found.right}
        places = self._game.choice(found.view, action).places
        return any(
            type(one.action) is type(action) and self._game.choice(found.view, one.action).places == places for one in found.right
        )


def _few_are_good(until: float) -> Callable[[float], bool]:
    """Return what says after each worth whether there are few enough good ones to go on."""
    met: list[float] = []

    def go_on(worth: float) -> bool:
        met.append(worth)
        good = sum(each >= KEPT * max(met) for each in met)
        if time.monotonic() > until:
            return False
        return len(met) < 2 * MAX_RIGHT or good <= max(MAX_RIGHT, len(met) // 2)

    return go_on


def _weighed(view: Any, actions: Sequence[Any], worths: Sequence[float]) -> Found:
    best = max(worths)
    order = sorted(range(len(actions)), key=lambda i: -worths[i])
    return Found(view, tuple(Weighed(actions[i], worths[i] / best if best else 1.0) for i in order), best)


def max_right(actions: int) -> int:
    """Return how many of so many actions may be right."""
    return max(MAX_RIGHT, actions // 6)


def _is_clear(found: Found) -> bool:
    """Tell whether few actions are right, and all others clearly not."""
    others = [one.kept for one in found.actions[len(found.right) :]]
    return (
        found.chance >= LEAST_CHANCE
        and len(found.right) <= min(max_right(len(found.actions)), len(found.actions) // 3)
        and others[0] < CLEARLY_LESS
    )


def _levels(game: AnyGame) -> tuple[LevelFacts, LevelFacts]:
    """Return the strongest level, and the strongest of the others that think for a second at most; none with a depth to set."""
    *others, strongest = [level for level in game.facts.levels if not level.max_depth] or list(game.facts.levels)
    return strongest, next((level for level in reversed(others) if level.think_ms <= _QUICK_MS), strongest)


def _sifting(game: AnyGame) -> Judge:
    strongest, quick = _levels(game)
    if strongest.player in _REVIEWS_ALL:
        return Reviewing(game, strongest, 0, 0.3)
    return PlayingOn(game, quick, games=16 if game.facts.chance else 1, turns=1, think_s=0.1)


def _agreeing(game: AnyGame) -> Judge:
    strongest, quick = _levels(game)
    if strongest.player in _REVIEWS_ALL:
        deep = max((strongest, *game.facts.levels), key=lambda each: each.max_depth)
        return Reviewing(game, deep, deep.max_depth, 3.0)
    if game.facts.chance:  # many quick games tell more of dice than a few good ones
        return PlayingOn(game, quick, games=96, turns=1, think_s=0.1)
    return PlayingOn(game, strongest, games=1, turns=1, think_s=0.5)
