"""The tree is what the rules make of it: every draw with all of its outcomes, and nobody told what they may not know."""

import copy
import pickle
import random
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from brettwerk_games import OWN, load
from brettwerk_games.adapters import tree
from brettwerk_games.adapters.match import Match, Setting
from brettwerk_games.adapters.tree import TreeNode
from brettwerk_games.rules.chance import SEED_BYTES, Dice, Drawn, Undrawn
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.adapters.liars_dice import LiarsDice
from tests.night import at_night, examples


def root(game: str, seats: int = 2, **options: int) -> TreeNode:
    return TreeNode(Setting(load(game), seats, options, 64))


def walk(node: TreeNode, dice: random.Random, most: int) -> TreeNode:
    """Return where a random way of so many whole steps leads."""
    while most and not node.over:
        node = node.child(dice.choice([number for number, _ in node.outcomes()] if node.waits else range(len(node.actions()))))
        most -= not node.waits
    return node


def match_of(node: TreeNode) -> Match:
    assert node.match is not None
    return node.match


def after(node: TreeNode, dice: random.Random) -> TreeNode:
    """Return where chance leads, if it is to decide."""
    while node.waits:
        node = node.child(dice.choice(node.outcomes())[0])
    return node


@pytest.mark.parametrize("game", OWN)
def test_a_step_drawn_one_by_one_is_the_step_of_a_seed_that_draws_the_same(game: str) -> None:
    rules, dice = load(game), random.Random(game)
    options = rules.codec.decode(Kind.OPTIONS, preset_options(rules, 2))

    def drawn_as(seed: bytes, step: Callable[[Any], Any]) -> Any:
        """Return a step that draws what a seed does, one draw after another."""
        made, streams = Drawn(), defaultdict[str, list[int]](list)
        while True:
            try:
                return step(made)
            except Undrawn as undrawn:
                draw = undrawn.draw
                bounds = streams[draw.purpose]
                bounds += [1] * (draw.number - 1 - len(bounds)) + [draw.bound]
                stream = Dice(seed, draw.purpose)
                made = made.after(draw, [stream.below(bound) for bound in bounds][-1])

    seed = dice.randbytes(SEED_BYTES)
    position = rules.new(options, 2, None, seed).position
    assert drawn_as(seed, lambda chance: rules.new(options, 2, None, chance)).position == position
    for _ in range(examples(60)):
        if not (turn := rules.to_act(position)):
            break
        seat, seed = turn[0], dice.randbytes(SEED_BYTES)
        action = dice.choice(rules.first_actions(rules.view(position, seat), 64))
        step = rules.apply(position, seat, action, seed)
        assert drawn_as(seed, partial(rules.apply, position, seat, action)) == step
        position = step.position


def test_a_draw_of_many_outcomes_has_several_nodes_and_each_outcome_its_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_OUTCOMES", 3)
    leaves: dict[Any, float] = defaultdict(float)
    waiting = [(TreeNode(Setting(LiarsDice(10), 2, {})), 1.0)]
    while waiting:
        node, chance = waiting.pop()
        if not node.waits:
            leaves[match_of(node).position.dice] += chance
            continue
        assert len(node.outcomes()) <= 4
        assert len({node.says(number) for number, _ in node.outcomes()}) == len(node.outcomes())
        waiting += [(node.child(number), chance * part) for number, part in node.outcomes()]
    assert set(leaves) == {(one, other) for one in range(1, 11) for other in range(1, 11)}
    assert list(leaves.values()) == pytest.approx([0.01] * 100)


def test_numbers_that_stand_for_nothing_are_refused() -> None:
    node = root("einstein")
    with pytest.raises(IndexError, match="no outcome 6"):
        node.child(6)
    node = node.child(0)
    with pytest.raises(IndexError, match="action 3 is not legal: there are 3"):
        node.child(3)
    with pytest.raises(ValueError, match="nothing is drawn"):
        node.outcomes()


@pytest.mark.parametrize("game", OWN)
def test_a_node_is_stored_as_the_way_to_it(game: str) -> None:
    node = walk(root(game), random.Random(1), 12)
    assert copy.deepcopy(node) is node
    again = pickle.loads(pickle.dumps(node))
    assert match_of(again).position == match_of(node).position
    assert [again.information(seat) for seat in (0, 1, None)] == [node.information(seat) for seat in (0, 1, None)]


@pytest.mark.parametrize("game", ["emperado", at_night("wec")])
def test_a_seat_is_told_the_same_of_what_looks_the_same_to_it(game: str) -> None:
    """Of the children of a node: where a seat is told the same its views are the same, and hidden things make no difference."""
    alike = 0
    for number in range(3, 3 + examples(12)):
        dice = random.Random(f"{game} {number}")
        node = walk(root(game), dice, dice.randrange(10, 60))
        if node.over:
            continue
        received = defaultdict(list)
        for child in (after(node.child(action), random.Random(number)) for action in range(len(node.actions()))):
            for eye in (0, 1, None):
                received[eye, child.information(eye)].append(child)
        for (eye, _), children in received.items():
            views = [match_of(child).view(eye) for child in children]
            assert all(view == views[0] for view in views)
            assert len({child.observation(eye) for child in children}) == 1
            alike += any(match_of(child).position != match_of(children[0]).position for child in children)
    assert alike or game == "emperado"


def test_only_the_seat_that_draws_a_card_is_told_which() -> None:
    dice, cards = random.Random(2), 0
    node = root("emperado")
    while cards < 3:
        node = node.child(dice.choice(node.outcomes())[0]) if node.waits else node.child(dice.randrange(len(node.actions())))
        if not (node.waits and node.says(0).startswith("cards")):
            continue
        cards += 1
        seat = match_of(node).turn
        assert seat is not None
        drawn = [node.child(card) for card, _ in node.outcomes()]
        assert len({child.information(seat) for child in drawn}) == 3
        for eye in (1 - seat, None):
            assert len({child.information(eye) for child in drawn}) == 1
            assert len({child.observation(eye) for child in drawn}) == 1


def test_a_seat_forgets_nothing_that_it_saw() -> None:
    """Two ways to one view are told apart by a seat, now and later; its observation is the same."""
    ways: dict[str, set[str]] = defaultdict(set)

    def follow(node: TreeNode, left: int) -> None:
        if not left:
            ways[node.observation(0)].add(node.information(0))
        elif node.waits:
            follow(node.child(0), left)
        else:
            for action in range(len(node.actions())):
                follow(node.child(action), left - 1)

    for number in range(4):
        follow(walk(root("einstein"), random.Random(number), 12), 4)
    assert max(len(received) for received in ways.values()) > 1


def test_a_setting_without_actions_or_with_unknown_options_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one action is offered, not 0"):
        Setting(load("einstein"), 2, {}, 0)
    with pytest.raises(Malformed, match="einstein has no option frist"):
        Match(Setting(load("einstein"), 2, {"frist": 1}))
