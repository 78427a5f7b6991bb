"""Orders that a game fails at: they end, nobody else waits for that, and operators see it."""

from typing import Any

import pytest
from prometheus_client import REGISTRY

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import orders_pb2
from brettwerk_games.rules import registry
from services.rules.answers import answer
from tests.services.rules.asking import new, seen

GAME = registry.games()["einstein"]


def failed() -> float:
    """Return how often EinStein has failed at an order."""
    return REGISTRY.get_sample_value("brettwerk_orders_total", {"game": "einstein", "outcome": "failed"}) or 0


def followed(*kinds: str) -> rules_pb2.FollowOrdersResponse:
    """Return what is next by orders of the first seat of a new game."""
    orders = [orders_pb2.Order(of_game=orders_pb2.GameOrder(kind=kind)) for kind in kinds]
    request = rules_pb2.FollowOrdersRequest(game="einstein", view=seen(new("einstein"), 0).view, orders=orders)
    response = answer("follow_orders", request)
    assert isinstance(response, rules_pb2.FollowOrdersResponse)
    return response


def test_an_order_at_which_the_game_fails_ends_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    known = type(GAME).next_action  # type: ignore[attr-defined]

    def fails_at_odd(order: Any, view: Any) -> Any:
        if order.kind == "odd":
            raise ZeroDivisionError
        return known(order, view)

    monkeypatch.setattr(type(GAME), "next_action", staticmethod(fails_at_odd))
    before = failed()
    response = followed("odd", "pick")
    assert [(each.place, each.end) for each in response.ended] == [(0, orders_pb2.ORDER_END_IMPOSSIBLE)]
    assert response.acting == 2
    assert failed() == before + 1


def test_an_order_that_is_no_longer_possible_is_no_failure() -> None:
    before = failed()
    assert [each.end for each in followed("conquer").ended] == [orders_pb2.ORDER_END_IMPOSSIBLE]
    assert failed() == before
