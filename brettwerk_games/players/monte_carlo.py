"""Monte Carlo tree search that knows nothing but the game interface: what the player for every game thinks with.

Each iteration guesses a position that fits the view, walks down the tree with it, adds a leaf, and plays on. The tree is
open-loop: a node is the actions that led to it, whatever was rolled and drawn meanwhile, so chance and hidden things need
nothing of their own (Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012). Values are the scores of all
seats, and each seat cares for its own (max^n).

Few iterations go a long way by what other actions tell: one that was good later in the same game is tried first (GRAVE: Cazenave,
Generalized Rapid Action Value Estimation, 2015), and rollouts prefer what has been good in all others (MAST: Finnsson, Björnsson,
2008). Where the game has an estimate of its own, a rollout ends with that after a few actions. Where nothing is hidden or left to
chance, a node keeps its position and what may be done there, and what ends a game is proved for the nodes above it, too (Winands,
Björnsson, Saito: Monte-Carlo Tree Search Solver, 2008).
"""

import math
import random
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from brettwerk_games.players.interface import NothingToDo, OutOfTime
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame

EXPLORATION = 0.35
"""Weight of the exploration term of UCB1 for scores from 0 to 1; far below the root of two, since GRAVE explores as well."""
ROLLOUT_ACTIONS = 150
"""A rollout that takes longer counts as undecided."""
ROLLOUT_TO_ESTIMATE = 4
"""After so many actions a rollout ends with the game's own estimate, where it has one."""
REFERENCE = 30
"""Knowledge of other actions comes from the nearest node above that was visited so often."""
TRUST = 0.003
"""How soon visits of an action outweigh what is known of it from other places: the bias of GRAVE, for each visit of both."""
DECIDED = 0.25
"""A move is decided when its lead in visits is greater than this share of the iterations that are left, and a quarter is done.

To lose the lead, it would have to get less than three of eight of those to come, and one other all the rest. The cost of that in
strength was too little to be measured (docs/levels.md).
"""
_LOOK_SHARE = 0.2
"""The share of the time in which wins in one and losses in two are looked for at first."""
_PACE = 16
"""Iterations between two looks at whether the move is decided."""
_NO_SEED = bytes(SEED_BYTES)
Key = tuple[int, Any]
"""A seat and its action."""


class Node:
    """An action in the tree: how often it was tried, how often it could have been, and what it brought its seat.

    `tried` and `brought` are the sums of its children's visits and totals. `place` is what lies behind the action, where
    that is always the same, and `proved` the scores that it leads to for certain. `others` says of actions that came at any time
    after it how often that was and what they brought.
    """

    __slots__ = ("available", "brought", "children", "others", "place", "proved", "total", "tried", "visits")

    def __init__(self) -> None:
        """Begin with nothing known."""
        self.children: dict[Key, Node] = {}
        self.others: dict[Key, list[float]] = {}
        self.visits = 0
        self.available = 0
        self.total = 0.0
        self.tried = 0
        self.brought = 0.0
        self.place: Place | None = None
        self.proved: Sequence[float] | None = None


class Place(NamedTuple):
    """A position, the seat that acts there first (-1 when the game is over), and what it may do."""

    position: Any
    seat: int
    actions: Sequence[Any]


class _Late(Exception):
    """The deadline has come within an iteration."""


class Search:
    """One search from one view."""

    def __init__(self, game: AnyGame, view: Any, deadline: float, seed: int) -> None:
        """Prepare it; `deadline` in seconds of `time.monotonic`. Raises NothingToDo when the view's seat is not to act."""
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
        self.first = game.sample(view, self._seed())
        self.seat = next(seat for seat in game.to_act(self.first) if game.view(self.first, seat) == view)
        seats = game.seats(self.first)
        self.even: Sequence[float] = (1 / seats,) * seats
        self._estimates = game.estimate(self.first) is not None
        self._proves = self._sure and seats == 2
        self._good: dict[Key, list[float]] = {}
        self._exploration = EXPLORATION
        self._is_flat = False
        self.root = Node()
        self.nodes = 0
        self.depth = 0

    def run(self, iterations: int, *, to_decide: bool = False) -> None:
        """Iterate until there were enough, time is over or the end is proved; `to_decide`, until it is clear what is best."""
        began = time.monotonic()
        try:
            if self._proves and iterations and len(self.actions) > 1:
                self._look_ahead(began + _LOOK_SHARE * (self._deadline - began))
            for left in range(iterations, 0, -1):
                if self.root.proved is not None or time.monotonic() >= self._deadline:
                    break
                if to_decide and left % _PACE == 0 and self._is_decided(self._still_to_come(left, began)):
                    break
                self._iterate()
        except (OutOfTime, _Late):
            pass

    def child(self, action: Any) -> Node:
        """Return the node of an action of the root."""
        return self.root.children.get((self.seat, action)) or Node()

    def best(self, actions: Sequence[Any]) -> Any:
        """Return of these actions of the root the one that wins for certain or was tried most; the first of equals."""
        return max(actions, key=self._merit)

    def _merit(self, action: Any) -> tuple[float, int, float]:
        node = self.child(action)
        certain = 0.0 if node.proved is None else math.copysign(1, node.proved[self.seat] - 0.5) * (node.proved[self.seat] != 0.5)
        return certain, node.visits, node.total

    def _still_to_come(self, left: int, began: float) -> float:
        """Return how many of the iterations that are left there will be time for."""
        if self._deadline == math.inf or not self.root.visits:
            return left
        now = time.monotonic()
        return min(left, self.root.visits * (self._deadline - now) / max(1e-6, now - began))

    def _is_decided(self, left: float) -> bool:
        """Tell whether the action that was tried most very likely stays that with so many iterations more."""
        if 3 * self.root.visits < left:
            return False
        visits = sorted(node.visits for node in self.root.children.values())
        return len(visits) == 1 or visits[-1] - visits[-2] > DECIDED * left

    def _seed(self) -> bytes:
        return self._random.getrandbits(8 * SEED_BYTES).to_bytes(SEED_BYTES, "little")

    def _after(self, position: Any, seat: int, action: Any) -> Any:
        if time.monotonic() >= self._deadline:
            raise _Late
        self.nodes += 1
        return self._game.position_after(position, seat, action, self._seed() if self._chance else _NO_SEED)

    def _place(self, position: Any) -> Place:
        to_act = self._game.to_act(position)
        if not to_act:
            return Place(position, -1, ())
        return Place(position, to_act[0], self._game.actions(self._game.view(position, to_act[0])))

    def _look_ahead(self, until: float) -> None:
        """Find wins in one and losses in two: what ends the game at once is proved before anything is tried."""
        root, seat = self.root, self.seat
        root.place = Place(self.first, seat, self.actions)
        for action in self.actions:
            self._add(root, root.place, action)
        self._prove(root)
        if root.proved is not None:
            return
        for child in root.children.values():
            place = child.place
            if place is None:
                continue
            for action in place.actions:
                if time.monotonic() >= until:
                    return
                position = self._after(place.position, place.seat, action)
                if not self._game.to_act(position):
                    child.children[place.seat, action] = found = Node()
                    found.proved = self._scores(position)
            self._prove(child)
        self._prove(root)

    def _add(self, node: Node, place: Place, action: Any) -> None:
        """Add what lies behind an action to a node, with its end where it is one."""
        child = node.children[place.seat, action] = Node()
        child.place = self._place(self._after(place.position, place.seat, action))
        if child.place.seat < 0:
            child.proved = self._scores(child.place.position)

    def _scores(self, position: Any) -> Sequence[float]:
        outcome = self._game.outcome(position)
        return self.even if outcome is None else outcome.scores

    def _prove(self, node: Node) -> None:
        """Note what a node leads to for certain: its seat has a way to win, or all that it may do is known."""
        place = node.place
        if place is None or place.seat < 0:
            return
        seat, best, known = place.seat, None, 0
        for child in node.children.values():
            proved = child.proved
            if proved is not None:
                known += 1
                if best is None or proved[seat] > best[seat]:
                    best = proved
        if best is not None and (best[seat] == 1 or known == len(place.actions)):
            node.proved = best

    def _iterate(self) -> None:
        position = self.guess() if self._hides else self.first
        node, seat, actions, known = self.root, self.seat, self.actions, self.root
        path: list[tuple[Node, int, Node]] = []
        played: list[Key] = []
        scores: Sequence[float] | None = None
        while scores is None:
            if node.tried >= REFERENCE:
                known = node
            action, child = self._choose(node, seat, actions, known)
            path.append((node, seat, child))
            played.append((seat, action))
            scores = child.proved
            if scores is not None:
                break
            place = child.place
            if place is None:
                position = self._after(position, seat, action)
                if not child.visits:
                    break
                place = self._place(position)
                if self._sure:
                    child.place = place
            position, seat, actions = place
            if seat < 0:
                scores = self._scores(position)
                if self._proves:
                    child.proved = scores
            elif self._is_flat or not child.visits:
                break
            node = child
        if scores is None:
            scores = self._rollout(position, played)
        self._learn(path, played, scores)

    def guess(self) -> Any:
        """Return a position that fits the view."""
        return self._game.sample(self._view, self._seed())

    def _learn(self, path: list[tuple[Node, int, Node]], played: list[Key], scores: Sequence[float]) -> None:
        """Note what an iteration brought: to the nodes on its way, and to the actions that were played at any time."""
        self.root.visits += 1
        self.root.total += scores[self.seat]
        self.depth = max(self.depth, len(path))
        for depth, (parent, seat, child) in enumerate(path):
            score = scores[seat]
            child.visits += 1
            child.total += score
            parent.tried += 1
            parent.brought += score
            if not depth or parent.tried > REFERENCE // 2:
                _note(parent.others, played[depth:], scores)
        _note(self._good, played, scores)
        if self._proves:
            for parent, _, child in reversed(path):
                if child.proved is None:
                    break
                if parent is self.root and parent.place is None:
                    parent.place = Place(self.first, self.seat, self.actions)
                self._prove(parent)

    def _choose(self, node: Node, seat: int, actions: Sequence[Any], known: Node) -> tuple[Any, Node]:
        """Return an action and its node by UCB1 and GRAVE; an action never tried stands at its parent's average."""
        children, others, log, sqrt = node.children, known.others, math.log, math.sqrt
        average = node.brought / node.tried if node.tried else 0.5
        exploration = self._exploration
        untried = exploration * sqrt(log(1 + node.tried))
        best, best_child, best_value, ties = None, None, -math.inf, 0
        for action in actions:
            key = (seat, action)
            child, other = children.get(key), others.get(key)
            if child is not None and child.proved is not None:
                value = child.proved[seat] or -1.0  # what has lost for certain is not tried again
            elif child is None or not child.visits:
                value = untried + (average if other is None else (other[1] + average) / (other[0] + 1))
            else:
                child.available = available = child.available + 1
                visits = child.visits
                value = child.total / visits
                if other is not None:
                    count = other[0]
                    share = count / (count + visits + TRUST * count * visits)
                    value += share * (other[1] / count - value)
                value += exploration * sqrt(log(1 + available) / visits)
            if value > best_value:
                best, best_child, best_value, ties = action, child, value, 1
            elif value == best_value:
                ties += 1
                if self._random.random() * ties < 1:
                    best, best_child = action, child
        if best_child is None:
            best_child = children[seat, best] = Node()
        return best, best_child

    def _rollout(self, position: Any, played: list[Key]) -> Sequence[float]:
        """Play on, preferring of two actions the one that was better so far; return the seats' scores.

        They are even when it takes too long, and the game's estimate after a few actions where it has one.
        """
        game, after = self._game, self._after
        to_act_of, actions_of, view_of = game.to_act, game.actions, game.view
        for _ in range(ROLLOUT_TO_ESTIMATE if self._estimates else ROLLOUT_ACTIONS):
            to_act = to_act_of(position)
            if not to_act:
                break
            seat = to_act[0]
            key = self._preferred(seat, actions_of(view_of(position, seat)))
            played.append(key)
            position = after(position, seat, key[1])
        return self._value(position)

    def _preferred(self, seat: int, actions: Sequence[Any]) -> Key:
        """Return of two actions drawn by lot the one that was better so far."""
        count, rnd, good = len(actions), self._random.random, self._good
        key = (seat, actions[int(rnd() * count)])
        if count > 1:
            other = (seat, actions[int(rnd() * count)])
            one, two = good.get(key), good.get(other)
            if two is not None and (one is None or two[1] * one[0] > one[1] * two[0]):
                return other
        return key

    def _value(self, position: Any) -> Sequence[float]:
        """Return the scores at the end, before that the game's estimate, or even ones where it has none."""
        outcome = self._game.outcome(position)
        if outcome is not None:
            scores: Sequence[float] = outcome.scores
            return scores
        return (self._game.estimate(position) if self._estimates else None) or self.even


def _note(known: dict[Key, list[float]], played: Sequence[Key], scores: Sequence[float]) -> None:
    for key in played:
        found = known.get(key)
        if found is None:
            known[key] = [1, scores[key[0]]]
        else:
            found[0] += 1
            found[1] += scores[key[0]]
