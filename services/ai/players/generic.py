"""A player for every game: Monte Carlo tree search that knows nothing but the game interface.

Each iteration guesses a position that fits the view, walks down the tree with it, adds a leaf, and plays on at random. The
tree is open-loop: a node is the actions that led to it, whatever was rolled and drawn meanwhile, so chance and hidden things
need nothing of their own (Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012). Values are the scores
of all seats, and each seat cares for its own (max^n). Strength is the number of iterations.

Nearly all of the time goes to the game's own code, so it is asked as little as can be: where nothing is hidden and nothing
is left to chance, a node keeps its position and what may be done there, and thinking of a move ends when the iterations
that are left would hardly change it any more.
"""

import math
import random
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

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
CHEAP_ITERATIONS = 24
CHEAP_S = 0.008
"""When `cheapest` ends, however little it has found; small games are through by then."""
DECIDED = 0.25
"""A move is decided when its lead in visits is greater than this share of the iterations that are left, and a quarter is done.

To lose the lead, it would have to get less than three of eight of those to come, and one other all the rest. What that
costs in strength was too little to be measured (docs/levels.md).
"""
_PACE = 16
"""Iterations between two looks at whether the move is decided."""
_NO_SEED = bytes(SEED_BYTES)


class _Node:
    """An action in the tree: how often it was tried, how often it could have been, and what it brought its seat.

    `tried` and `brought` are the sums of its children's visits and totals. `place` is what lies behind the action, where
    that is always the same.
    """

    __slots__ = ("available", "brought", "children", "place", "total", "tried", "visits")

    def __init__(self) -> None:
        self.children: dict[tuple[int, Any], _Node] = {}
        self.visits = 0
        self.available = 0
        self.total = 0.0
        self.tried = 0
        self.brought = 0.0
        self.place: _Place | None = None


class _Place(NamedTuple):
    """A position, the seat that acts there first (-1 when the game is over), and what it may do."""

    position: Any
    seat: int
    actions: Sequence[Any]


class _Late(Exception):
    """The deadline has come within an iteration."""


class _Search:
    """One search from one view."""

    def __init__(self, game: AnyGame, view: Any, deadline: float, seed: int) -> None:
        self._game = game
        self._view = view
        self._deadline = deadline
        self._random = random.Random(seed)
        self._chance = game.facts.chance
        self._hides = game.facts.hidden
        self._sure = not self._chance and not self._hides
        self.actions: Sequence[Any] = game.actions(view)
        if not self.actions:
            raise NothingToDo
        self._first = game.sample(view, self._seed())
        self.seat = next(seat for seat in game.to_act(self._first) if game.view(self._first, seat) == view)
        seats = game.seats(self._first)
        self.even = (1 / seats,) * seats
        self.partners = _partners(game, self._first, self.seat)
        self.root = _Node()
        self.nodes = 0
        self.depth = 0

    def run(self, iterations: int, *, to_decide: bool = False) -> None:
        """Iterate until there were enough or time is over; `to_decide`, until it is clear what is tried most."""
        try:
            for left in range(iterations, 0, -1):
                if to_decide and left % _PACE == 0 and self._is_decided(left):
                    break
                self._iterate()
        except (OutOfTime, _Late):
            pass

    def child(self, action: Any) -> _Node:
        """Return the node of an action of the root."""
        return self.root.children.get((self.seat, action)) or _Node()

    def _is_decided(self, left: int) -> bool:
        """Tell whether the action that was tried most very likely stays that with so many iterations more."""
        if 3 * self.root.visits < left:
            return False
        visits = sorted(node.visits for node in self.root.children.values())
        return len(visits) == 1 or visits[-1] - visits[-2] > DECIDED * left

    def _seed(self) -> bytes:
        return self._random.getrandbits(8 * SEED_BYTES).to_bytes(SEED_BYTES, "little")

    def _apply(self, position: Any, seat: int, action: Any) -> Any:
        if time.monotonic() >= self._deadline:
            raise _Late
        self.nodes += 1
        return self._game.apply(position, seat, action, self._seed() if self._chance else _NO_SEED).position

    def _place(self, position: Any) -> _Place:
        to_act = self._game.to_act(position)
        if not to_act:
            return _Place(position, -1, ())
        return _Place(position, to_act[0], self._game.actions(self._game.view(position, to_act[0])))

    def _iterate(self) -> None:
        position = self._game.sample(self._view, self._seed()) if self._hides else self._first
        node, seat, actions = self.root, self.seat, self.actions
        path: list[tuple[_Node, int, _Node]] = []
        while True:
            action, child = self._choose(node, seat, actions)
            path.append((node, seat, child))
            place = child.place
            if place is None:
                position = self._apply(position, seat, action)
                if not child.visits:
                    break
                place = self._place(position)
                if self._sure:
                    child.place = place
            position, seat, actions = place
            if seat < 0:
                break
            node = child
        scores = self._rollout(position)
        self.root.visits += 1
        self.root.total += scores[self.seat]
        self.depth = max(self.depth, len(path))
        for parent, seat, child in path:
            score = scores[seat]
            child.visits += 1
            child.total += score
            parent.tried += 1
            parent.brought += score

    def _choose(self, node: _Node, seat: int, actions: Sequence[Any]) -> tuple[Any, _Node]:
        """Return an action and its node by UCB1, where an action never tried stands at its parent's average."""
        children, log, sqrt = node.children, math.log, math.sqrt
        average = node.brought / node.tried if node.tried else 0.0
        untried = average + EXPLORATION * sqrt(log(1 + node.tried))
        best, best_child, best_value, ties = None, None, -math.inf, 0
        for action in actions:
            child = children.get((seat, action))
            if child is None or not child.visits:
                value = untried
            else:
                child.available = available = child.available + 1
                visits = child.visits
                value = child.total / visits + EXPLORATION * sqrt(log(1 + available) / visits)
            if value > best_value:
                best, best_child, best_value, ties = action, child, value, 1
            elif value == best_value:
                ties += 1
                if self._random.random() * ties < 1:
                    best, best_child = action, child
        if best_child is None:
            best_child = children[seat, best] = _Node()
        return best, best_child

    def _rollout(self, position: Any) -> Sequence[float]:
        """Play on at random and return the seats' scores, equal ones when it takes too long."""
        game, rnd, apply = self._game, self._random.random, self._apply
        to_act_of, actions_of, view_of = game.to_act, game.actions, game.view
        for _ in range(ROLLOUT_ACTIONS):
            to_act = to_act_of(position)
            if not to_act:
                break
            seat = to_act[0]
            actions = actions_of(view_of(position, seat))
            position = apply(position, seat, actions[int(rnd() * len(actions))])
        outcome = game.outcome(position)
        return self.even if outcome is None else outcome.scores


def _partners(game: AnyGame, position: Any, seat: int) -> int:
    """Return how many seats share a seat's score: it and its partners, of whom each has the chance that their side wins."""
    sides = game.sides(position)
    return sum(side == sides[seat] for side in sides)


class GenericPlayer:
    """Plays any game from its view; stronger with more iterations."""

    def __init__(self, game: AnyGame, strength: int) -> None:
        """Make a player of `game` that searches `strength` iterations."""
        self._game = game
        self._iterations = strength or PRESET_ITERATIONS

    def think(self, view: Any, deadline: float, seed: int) -> Thought:
        """Return the action that was tried most."""
        search = self._searched(view, deadline, seed, to_decide=True)
        best = max(search.actions, key=lambda action: (search.child(action).visits, search.child(action).total))
        node = search.child(best)
        score = node.total / node.visits if node.visits else search.even[search.seat]
        return Thought(best, search.partners * score, search.nodes, search.depth)

    def review(self, view: Any, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return the actions that were tried, by their chance to win; rarely tried ones stand near the average."""
        search = self._searched(view, deadline, seed)
        average = search.root.total / max(1, search.root.visits)
        tried = ((action, search.child(action)) for action in search.actions)
        scores = [(a, (node.total + SHRINK * average) / (node.visits + SHRINK)) for a, node in tried if node.visits]
        advice = [Advice(action, search.partners * score) for action, score in scores]
        return tuple(sorted(advice, key=lambda one: -one.win_chance))

    def _searched(self, view: Any, deadline: float, seed: int, *, to_decide: bool = False) -> _Search:
        search = _Search(self._game, view, deadline, seed)
        if len(search.actions) > 1:
            search.run(self._iterations, to_decide=to_decide)
        else:
            search.run(min(self._iterations, FORCED_ITERATIONS))
        return search


PLAYER: PlayerMaker = GenericPlayer


def cheapest(game: AnyGame, strength: int, view: Any, seed: int) -> Any:
    """Return what a few iterations find, for any strength; any action where there was no time for one."""
    search = _Search(game, view, time.monotonic() + CHEAP_S, seed)
    search.run(CHEAP_ITERATIONS)
    order = random.Random(seed).sample(range(len(search.actions)), len(search.actions))
    best = max(order, key=lambda i: (search.child(search.actions[i]).visits, search.child(search.actions[i]).total))
    return search.actions[best]
