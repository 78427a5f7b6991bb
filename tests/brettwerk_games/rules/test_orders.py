"""Orders of all games: no action of theirs is refused, whatever is ordered and however the dice fall, and they come to an end."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.orders import Order, completed_order, order_facts
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.registry import games
from tests.brettwerk_games.rules.kit.orders import follow, orders_for
from tests.brettwerk_games.rules.kit.play import go_on, seed_of
from tests.night import examples

OF_GAMES = [name for name, game in games().items() if game.facts.orders]
FACTS = order_facts(
    [
        {
            "kind": "go",
            "fields": [
                {"key": "to", "kind": "place", "most": 2},
                {"key": "via", "kind": "place", "optional": True},
                {"key": "times", "kind": "number", "min": 1, "max": 3, "preset": 2},
                {"key": "how", "kind": "choice", "choices": ["slowly", "fast"], "preset": 1},
                {"key": "again", "kind": "switch"},
            ],
        }
    ]
)


def test_all_games_of_ours_have_orders() -> None:
    assert sorted(OF_GAMES) == ["einstein", "emperado", "plateau", "wec"]


@pytest.mark.parametrize("name", OF_GAMES)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 60))
@settings(max_examples=examples(12), deadline=None)
def test_no_order_plays_what_the_rules_refuse(name: str, seed: int, plies: int) -> None:
    game, rng = games()[name], random.Random(seed)
    options = game.codec.decode(Kind.OPTIONS, preset_options(game, 2))
    position = game.new(options, 2, None, seed_of(seed)).position
    for ply in go_on(game, position, seed, plies):
        position = ply.step.position
    to_act = game.to_act(position)
    if not to_act:
        return
    view = game.view(position, to_act[0])
    for order in orders_for(game, view, len(game.scene(view).places), rng):
        follow(game, position, to_act[0], order, rng, 8)


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({}, "to"),
        ({"to": (1, 2, 3)}, "to"),
        ({"to": (1, 1)}, "to"),
        ({"to": (-1,)}, "to"),
        ({"to": (1,), "times": (4,)}, "times"),
        ({"to": (1,), "times": (1, 2)}, "times"),
        ({"to": (1,), "how": (3,)}, "how"),
        ({"to": (1,), "again": (2,)}, "again"),
        ({"to": (1,), "colour": (2,)}, "values"),
    ],
)
def test_numbers_that_a_field_does_not_take_are_malformed(values: dict[str, tuple[int, ...]], field: str) -> None:
    with pytest.raises(Malformed) as caught:
        completed_order(Order("go", values), FACTS)
    assert caught.value.field == field


def test_an_order_is_completed_with_presets() -> None:
    order = completed_order(Order("go", {"to": (7, 2)}), FACTS)
    assert order.values == {"to": (7, 2), "via": (), "times": (2,), "how": (1,), "again": (0,)}
    assert order.number("via", -1) == -1
    with pytest.raises(Malformed):
        completed_order(Order("stay"), FACTS)
