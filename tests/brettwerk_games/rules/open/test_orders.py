"""A game that is a module brings orders as two functions."""

import sys
from typing import Any

import pytest

from brettwerk_games.api import Doing, Order, game_of_seats, wait
from brettwerk_games.rules.optional import TakesOrders
from tests.brettwerk_games.packages.packages import packaged


def test_a_module_brings_orders_as_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "liars_dice"
    assert not isinstance(packaged(name), TakesOrders)

    def require_order(order: Order, view: Any) -> None:
        """Take every order."""

    def next_action(order: Order, view: Any) -> Doing:
        return wait(order)

    for function in (require_order, next_action):
        function.__module__ = name
        monkeypatch.setattr(sys.modules[name], function.__name__, function, raising=False)
    game = game_of_seats(name)
    assert isinstance(game, TakesOrders)
    assert game.next_action(Order("stay"), None) == Doing(left=Order("stay"))
