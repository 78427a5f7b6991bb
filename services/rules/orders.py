"""Orders of a seat (orders.proto): whether they can be given, and what is next by them, in the seat's own view.

Planned actions are known for every game; of other orders a game says itself what comes of them (`TakesOrders`).
"""

from typing import Any, NamedTuple

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import orders_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.optional import TakesOrders
from brettwerk_games.rules.orders import IMPOSSIBLE, Order, completed_order
from brettwerk_games.rules.refusals import GameRefusal, Malformed
from services.rules.any_codec import AnyCodec, any_codec, refused
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import Refused, malformed

log = logger(__name__)


class _Next(NamedTuple):
    """The result of an order: an action, what is left of the order, and whether it is done where nothing is."""

    action: AnyMessage | None
    left: orders_pb2.Order | None
    done: bool


def check_orders(request: pb.CheckOrdersRequest) -> pb.CheckOrdersResponse:
    """Return orders with all of their fields, and planned actions with notation where they can be written now.

    Raises Refused (MALFORMED) for those that can never be carried out.
    """
    game = any_codec(request.game)
    view = game.unpack(Kind.VIEW, request.view, "view")
    response = pb.CheckOrdersResponse()
    for number, given in enumerate(request.orders):
        where, order = f"orders[{number}]", response.orders.add()
        order.CopyFrom(given)
        match given.WhichOneof("kind"):
            case "planned":
                _check_planned(game, view, order.planned, f"{where}.planned")
            case "of_game":
                order.of_game.CopyFrom(_message(_checked(game, view, given.of_game, f"{where}.of_game")))
            case _:
                raise malformed(f"{where}.kind", "the order does not say what is ordered")
    return response


def follow_orders(request: pb.FollowOrdersRequest) -> pb.FollowOrdersResponse:
    """Return the next action by orders, and which of them have ended. Raises Refused (MALFORMED) for no view."""
    game = any_codec(request.game)
    view = game.unpack(Kind.VIEW, request.view, "view")
    last = {facts.kind for facts in game.game.facts.orders if facts.last}
    response = pb.FollowOrdersResponse()
    for place in sorted(range(len(request.orders)), key=lambda place: request.orders[place].of_game.kind in last):
        found = _next(game, view, request.orders[place])
        if found.action is not None:
            response.acting = place + 1
            response.action.CopyFrom(found.action)
            if found.left is not None:
                response.left.CopyFrom(found.left)
            break
        if found.left is None:
            response.ended.add(place=place, end=orders_pb2.ORDER_END_DONE if found.done else orders_pb2.ORDER_END_IMPOSSIBLE)
    return response


def _check_planned(game: AnyCodec, view: Any, planned: orders_pb2.PlannedActions, where: str) -> None:
    if not planned.actions:
        raise malformed(f"{where}.actions", "no actions are planned")
    for number, each in enumerate(planned.actions):
        field = f"{where}.actions[{number}]"
        if each.HasField("action"):
            action = game.unpack(Kind.ACTION, each.action, f"{field}.action")
            game.put(Kind.ACTION, action, each.action)
            each.notation = game.game.write(view, action) if action in game.game.actions(view) else ""
        elif not each.notation:
            raise malformed(field, "an action is planned either as a message or in notation")


def _checked(game: AnyCodec, view: Any, message: orders_pb2.GameOrder, where: str) -> Order:
    known = game.game
    try:
        order = completed_order(_value(message), known.facts.orders)
        if isinstance(known, TakesOrders):
            known.require_order(order, view)
    except Malformed as error:
        raise refused(error, where) from None
    return order


def _next(game: AnyCodec, view: Any, order: orders_pb2.Order) -> _Next:
    try:
        return _planned(game, view, order) if order.HasField("planned") else _of_game(game, view, order)
    except (Refused, GameRefusal):
        return _Next(None, None, done=False)
    except Exception as error:  # one order must not keep everybody else from playing on
        log.error("an order failed", game=game.game.facts.id, kind=order.of_game.kind, exc_info=error)
        metrics.ORDERS.labels(game.game.facts.id, "failed").inc()
        return _Next(None, None, done=False)


def _planned(game: AnyCodec, view: Any, order: orders_pb2.Order) -> _Next:
    first = order.planned.actions[0]
    action = first.action if first.HasField("action") else game.pack(Kind.ACTION, game.game.read(view, first.notation))
    left = orders_pb2.Order(planned=orders_pb2.PlannedActions(actions=order.planned.actions[1:]))
    return _Next(action, left if left.planned.actions else None, done=True)


def _of_game(game: AnyCodec, view: Any, order: orders_pb2.Order) -> _Next:
    known = game.game
    doing = known.next_action(_value(order.of_game), view) if isinstance(known, TakesOrders) else IMPOSSIBLE
    action = None if doing.action is None else game.pack(Kind.ACTION, doing.action)
    return _Next(action, None if doing.left is None else orders_pb2.Order(of_game=_message(doing.left)), doing.done)


def _value(message: orders_pb2.GameOrder) -> Order:
    return Order(message.kind, {each.key: tuple(each.numbers) for each in message.values})


def _message(order: Order) -> orders_pb2.GameOrder:
    values = [orders_pb2.OrderValue(key=key, numbers=numbers) for key, numbers in order.values.items()]
    return orders_pb2.GameOrder(kind=order.kind, values=values)
