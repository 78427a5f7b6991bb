"""The search of the generic player in games of a few actions: what it tries, how often, and what it makes of that."""

import itertools
import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from brettwerk_games.players.generic import FORCED_ITERATIONS, GenericPlayer
from brettwerk_games.players.monte_carlo import Search
from brettwerk_games.rules.interface import AnyGame

LOST, EVEN, WON = (0.0, 1.0), (0.5, 0.5), (1.0, 0.0)
"""Scores of two seats; whoever is to act at the root is seat 0."""


class Node(dict[str, Any]):
    """A position: whose turn it is, and what each action leads to, a Node or scores."""

    def __init__(self, seat: int, **children: Any) -> None:
        super().__init__(children)
        self.seat = seat


class Tree:
    """A game without chance and secrets that is one tree."""

    facts = SimpleNamespace(chance=False, hidden=False)

    def __init__(self, root: Node) -> None:
        self.root = root

    def sample(self, view: Any, seed: bytes) -> Any:
        return view

    def view(self, position: Any, seat: int) -> Any:
        return position

    def seats(self, position: Any) -> int:
        return 2

    def sides(self, position: Any) -> Sequence[int]:
        return (0, 1)

    def to_act(self, position: Any) -> Sequence[int]:
        return (position.seat,) if isinstance(position, Node) else ()

    def actions(self, view: Any) -> Sequence[str]:
        return tuple(view)

    def apply(self, position: Any, seat: int, action: str, seed: bytes) -> Any:
        return SimpleNamespace(position=position[action])

    def position_after(self, position: Any, seat: int, action: str, seed: bytes) -> Any:
        return self.apply(position, seat, action, seed).position

    def estimate(self, position: Any) -> Any:
        return None

    def outcome(self, position: Any) -> Any:
        return None if isinstance(position, Node) else SimpleNamespace(scores=position)


class Rolled(Tree):
    """One of which nothing can be proved: dice could fall otherwise."""

    facts = SimpleNamespace(chance=True, hidden=False)


class Endless(Tree):
    """One that never ends."""

    def apply(self, position: Any, seat: int, action: str, seed: bytes) -> Any:
        return SimpleNamespace(position=self.root)


def search(game: Tree, iterations: int, seed: int = 1, *, to_decide: bool = False) -> Search:
    one = Search(cast(AnyGame, game), game.root, math.inf, seed)
    one.run(iterations, to_decide=to_decide)
    return one


def player(game: Tree, strength: int) -> GenericPlayer:
    return GenericPlayer(cast(AnyGame, game), strength)


def test_each_seat_is_believed_to_care_for_its_own_score() -> None:
    """The bold move wins if the other seat plays for us."""
    game = Tree(Node(0, bold=Node(1, kind=WON, sharp=LOST), calm=(0.6, 0.4)))
    thought = player(game, 400).think(game.root, math.inf, 1)
    assert thought.action == "calm"
    assert thought.win_chance == pytest.approx(0.6)
    advice = {one.action: one.win_chance for one in player(game, 400).review(game.root, math.inf, 1)}
    assert advice["bold"] < 0.4


def test_a_search_to_decide_ends_when_the_lead_cannot_be_lost_and_not_before() -> None:
    clear, even = Rolled(Node(0, a=WON, b=LOST)), Rolled(Node(0, a=EVEN, b=EVEN))
    assert 100 <= search(clear, 400, to_decide=True).root.visits < 300
    assert search(even, 400, to_decide=True).root.visits == 400
    assert search(clear, 400).root.visits == 400


def test_a_win_in_one_and_a_loss_in_two_are_seen_before_anything_is_tried() -> None:
    trap = Node(1, mate=LOST, slip=WON)
    one = search(Tree(Node(0, trap=trap, win=WON, wait=Node(1, a=EVEN, b=WON))), 100)
    assert (one.best(one.actions), one.root.visits, one.nodes) == ("win", 0, 3)
    two = search(Tree(Node(0, trap=trap, wait=Node(1, a=Node(0, x=EVEN), b=WON))), 100)
    assert two.child("trap").visits == 0
    assert two.best(two.actions) == "wait"


def test_the_end_of_a_game_is_proved_for_every_node_that_leads_there() -> None:
    lost = Node(1, a=Node(0, x=LOST, y=Node(1, z=LOST)), b=WON)
    one = search(Tree(Node(0, lost=lost, drawn=Node(1, a=Node(0, x=EVEN, y=LOST)))), 400)
    assert one.child("drawn").proved == EVEN
    assert one.best(one.actions) == "drawn"
    assert one.child("lost").visits < 10
    assert search(Tree(Node(0, lost=lost)), 400).root.visits == search(Tree(Node(0, lost=lost)), 50).root.visits


def test_a_worse_action_is_looked_at_again() -> None:
    game = Rolled(Node(0, a=(0.5, 0.5), b=(0.45, 0.55)))
    visits = [search(game, 1000).child(action).visits for action in "ab"]
    assert sum(visits) == 1000
    assert 10 < visits[1] < 400


def test_an_action_that_was_good_later_in_a_game_is_tried_first_elsewhere() -> None:
    """The seat's action `key` wins wherever it is played; behind `new` it has not been tried."""

    def behind(*names: str) -> Node:
        return Node(1, wait=Node(0, **{name: WON if name == "key" else LOST for name in names}))

    names = [f"n{number}" for number in range(12)]
    one = search(Rolled(Node(0, old=behind("key", *names), new=behind(*names, "key"))), 300)
    assert all(one.root.others[0, "key"][1] > 3 * one.root.others.get((0, name), [1, 0])[1] for name in names)


def test_a_good_action_is_tried_again_before_all_others_have_been_tried_once() -> None:
    actions = [f"a{number}" for number in range(60)]
    game = Rolled(Node(0, **{action: WON if action == "a30" else LOST for action in actions}))
    assert all(sum(search(game, 60, seed).child(action).visits for action in actions) == 60 for seed in range(3))
    assert any(search(game, 60, seed).child("a30").visits > 3 for seed in range(10))


def test_a_rollout_takes_any_action_of_which_nothing_is_known() -> None:
    game = Tree(Node(0, a=LOST, b=WON, c=WON, d=LOST))
    one = search(game, 0)
    won = sum(one._rollout(game.root, [])[0] for _ in range(400))
    assert 140 < won < 260


def test_a_game_that_takes_too_long_counts_as_undecided() -> None:
    game = Endless(Node(0, a=LOST, b=LOST))
    assert {one.win_chance for one in player(game, 20).review(game.root, math.inf, 1)} == {0.5}


def test_an_only_action_is_not_thought_about_for_long() -> None:
    game = Rolled(Node(0, only=Node(1, a=WON, b=LOST)))
    assert player(game, 400)._searched(game.root, math.inf, 1).root.visits == FORCED_ITERATIONS
    assert player(game, 10)._searched(game.root, math.inf, 1).root.visits == 10


def test_one_lucky_trial_does_not_make_an_action_sure_to_win() -> None:
    names = map("".join, itertools.product("abcd", repeat=2))
    game = Rolled(Node(0, **{name: WON if name[0] == "a" else LOST for name in names}))
    chances = [one.win_chance for one in player(game, 12).review(game.root, math.inf, 1)]
    assert chances == sorted(chances, reverse=True)
    assert all(0 < chance < 1 for chance in chances)
