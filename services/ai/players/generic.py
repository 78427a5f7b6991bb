"""A player for every game: Monte Carlo tree search that knows nothing but the game interface.

Each iteration guesses a position that fits the view, walks down the tree with it, adds a leaf, and plays on at random. The
tree is open-loop: a node is the actions that led to it, whatever was rolled and drawn meanwhile, so chance and hidden things
need nothing of their own (Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012). Values are the scores
of all seats, and each seat cares for its own (max^n). Strength is the number of iterations.
"""

import math
import random
import time
from collections.abc import Sequence
from typing import Any

from services.ai.players.interface import Advice, NothingToDo, OutOfTime, PlayerMaker, Thought
from services.games.chance import SEED_BYTES
from services.games.interface import AnyGame

PRESET_ITERATIONS = 400
FORCED_ITERATIONS = 50
"""When there is only one action, this many iterations tell the chance to win well enough."""
EXPLORATION = 0.7
"""Weight of the exploration term of UCB1 for scores from 0 to 1; below the root of two since dice make values flat."""
ROLLOUT_ACTIONS = 150
"""A rollout that takes longer counts as undecided."""
SHRINK = 4.0
"""How many visits of the average value an action is given in a review, so that one lucky rollout does not lead it."""


class _Node:
    """An action in the tree: how often it was tried, how often it could have been, and what it brought its seat."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[tuple[int, Any], _Node] = {}
        self.visits = 0
        self.available = 0
        self.total = 0.0


class _Late(Exception):
    """The deadline has come within an iteration."""


class _Search:
    """One search from one view."""

    def __init__(self, game: AnyGame, view: Any, deadline: float, seed: int) -> None:
        self._game = game
        self._view = view
        self._deadline = deadline
        self._random = random.Random(seed)
        self.actions: Sequence[Any] = game.actions(view)
        if not self.actions:
            raise NothingToDo
        first = game.sample(view, self._seed())
        self.seat = next(seat for seat in game.to_act(first) if game.view(first, seat) == view)
        seats = game.seats(first)
        self.even = (1 / seats,) * seats
        self.root = _Node()
        self.nodes = 0
        self.depth = 0

    def run(self, iterations: int) -> None:
        """Iterate until there were enough or time is over."""
        try:
            for _ in range(iterations):
                self._iterate()
        except (OutOfTime, _Late):
            pass

    def child(self, action: Any) -> _Node:
        """Return the node of an action of the root."""
        return self.root.children.get((self.seat, action)) or _Node()

    def _seed(self) -> bytes:
        return self._random.randbytes(SEED_BYTES)

    def _apply(self, position: Any, seat: int, action: Any) -> Any:
        if time.monotonic() >= self._deadline:
            raise _Late
        self.nodes += 1
        return self._game.apply(position, seat, action, self._seed()).position

    def _iterate(self) -> None:
        game = self._game
        position = game.sample(self._view, self._seed())
        seat, actions = self.seat, self.actions
        node = self.root
        path: list[tuple[int, _Node]] = []
        while True:
            action, node = self._choose(node, seat, actions)
            path.append((seat, node))
            position = self._apply(position, seat, action)
            if not node.visits:
                break
            if not (to_act := game.to_act(position)):
                break
            seat = to_act[0]
            actions = game.actions(game.view(position, seat))
        scores = self._rollout(position)
        self.root.visits += 1
        self.root.total += scores[self.seat]
        self.depth = max(self.depth, len(path))
        for seat, node in path:
            node.visits += 1
            node.total += scores[seat]

    def _choose(self, node: _Node, seat: int, actions: Sequence[Any]) -> tuple[Any, _Node]:
        """Return an action and its node by UCB1, where an action never tried stands at its parent's average."""
        children = node.children
        tried = sum(child.total for child in children.values()), sum(child.visits for child in children.values())
        average = tried[0] / tried[1] if tried[1] else 0.0
        best, best_value, ties = None, -math.inf, 0
        for action in actions:
            child = children.get((seat, action))
            if child is None or not child.visits:
                value = average + EXPLORATION * math.sqrt(math.log(1 + tried[1]))
            else:
                child.available += 1
                value = child.total / child.visits + EXPLORATION * math.sqrt(math.log(1 + child.available) / child.visits)
            if value > best_value:
                best, best_value, ties = action, value, 1
            elif value == best_value:
                ties += 1
                if self._random.random() * ties < 1:
                    best = action
        return best, children.setdefault((seat, best), _Node())

    def _rollout(self, position: Any) -> Sequence[float]:
        """Play on at random and return the seats' scores, equal ones when it takes too long."""
        game = self._game
        for _ in range(ROLLOUT_ACTIONS):
            to_act = game.to_act(position)
            if not to_act:
                break
            seat = to_act[0]
            position = self._apply(position, seat, self._random.choice(game.actions(game.view(position, seat))))
        outcome = game.outcome(position)
        return self.even if outcome is None else outcome.scores


class GenericPlayer:
    """Plays any game from its view; stronger with more iterations."""

    def __init__(self, game: AnyGame, strength: int) -> None:
        """Make a player of `game` that searches `strength` iterations."""
        self._game = game
        self._iterations = strength or PRESET_ITERATIONS

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        """Return the action that was tried most."""
        search = self._searched(view, deadline, seed)
        best = max(search.actions, key=lambda action: (search.child(action).visits, search.child(action).total))
        node = search.child(best)
        chance = node.total / node.visits if node.visits else search.even[search.seat]
        return Thought(best, chance, search.nodes, search.depth)

    def review(self, view: Any, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return the actions that were tried, by their chance to win; rarely tried ones stand near the average."""
        search = self._searched(view, deadline, seed)
        average = search.root.total / max(1, search.root.visits)
        tried = ((action, search.child(action)) for action in search.actions)
        advice = [Advice(a, (node.total + SHRINK * average) / (node.visits + SHRINK)) for a, node in tried if node.visits]
        return tuple(sorted(advice, key=lambda one: -one.win_chance))

    def _searched(self, view: Any, deadline: float, seed: int) -> _Search:
        search = _Search(self._game, view, deadline, seed)
        search.run(self._iterations if len(search.actions) > 1 else min(self._iterations, FORCED_ITERATIONS))
        return search


PLAYER: PlayerMaker = GenericPlayer
