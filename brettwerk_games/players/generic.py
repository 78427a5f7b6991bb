"""A player for every game: it knows nothing but the game interface, and thinks with Monte Carlo tree search (monte_carlo.py).

Where things are hidden and the game has an estimate, it weighs its guesses (hidden_search.py).

It plays an action that wins at once, and leaves one that loses to the next action, before it tries anything; the rest is a matter
of iterations. Nearly all of the time goes to the game's own code. Thinking of a move ends when the iterations that are left would
hardly change it any more. Strength is the most iterations.
"""

import random
import time
from typing import Any

from brettwerk_games.players.hidden_search import search_of
from brettwerk_games.players.interface import Advice, PlayerMaker, Thought
from brettwerk_games.players.monte_carlo import Search
from brettwerk_games.rules.interface import AnyGame

PRESET_ITERATIONS = 400
FORCED_ITERATIONS = 50
"""When there is only one action, this many iterations tell the chance to win well enough."""
SHRINK = 4.0
"""How many visits of the average value an action is given in a review, so that one lucky rollout does not lead it."""
CHEAP_ITERATIONS = 24
CHEAP_S = 0.008
"""When `cheapest` ends, however little it has found; small games are through by then."""


class GenericPlayer:
    """Plays any game from its view; stronger with more iterations."""

    def __init__(self, game: AnyGame, strength: int) -> None:
        """Make a player of `game` that searches `strength` iterations."""
        self._game = game
        self._iterations = strength or PRESET_ITERATIONS

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        """Return the action that wins for certain, or was tried most."""
        search = self._searched(view, deadline, seed, to_decide=True)
        best = search.best(search.actions)
        return Thought(best, self._chance(search, best), search.nodes, search.depth)

    def review(self, view: Any, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return the actions that were tried, by their chance to win; rarely tried ones stand near the average."""
        search = self._searched(view, deadline, seed)
        tried = [action for action in search.actions if search.child(action).visits or search.child(action).proved is not None]
        advice = [Advice(action, self._chance(search, action, SHRINK)) for action in tried]
        return tuple(sorted(advice, key=lambda one: -one.win_chance))

    def _chance(self, search: Search, action: Any, shrink: float = 0) -> float:
        """Return what an action of the root is worth to the seat's side, with so many visits of the average value added."""
        node, partners = search.child(action), _partners(self._game, search)
        if node.proved is not None:
            return partners * node.proved[search.seat]
        average = search.root.total / search.root.visits if search.root.visits else search.even[search.seat]
        weight = node.visits + shrink
        return partners * ((node.total + shrink * average) / weight if weight else average)

    def _searched(self, view: Any, deadline: float, seed: int, *, to_decide: bool = False) -> Search:
        search = search_of(self._game, view, deadline, seed)
        if len(search.actions) > 1:
            search.run(self._iterations, to_decide=to_decide)
        else:
            search.run(min(self._iterations, FORCED_ITERATIONS))
        return search


def _partners(game: AnyGame, search: Search) -> int:
    """Return how many seats share a seat's score: it and its partners, of whom each has the chance that their side wins."""
    sides = game.sides(search.first)
    return sum(side == sides[search.seat] for side in sides)


PLAYER: PlayerMaker = GenericPlayer


def cheapest(game: AnyGame, strength: int, view: Any, seed: int) -> Any:
    """Return what a few iterations find, for any strength; any action where there was no time for one."""
    search = search_of(game, view, time.monotonic() + CHEAP_S, seed)
    search.run(CHEAP_ITERATIONS)
    return search.best(random.Random(seed).sample(list(search.actions), len(search.actions)))
