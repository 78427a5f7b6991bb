"""Orders: what the server plays for a seat at its turn (orders.proto), and what has come of that.

They are beside the log, like conditional moves, but what is left of them does not follow from it: dice and cards decide how much
an order has done. So they are stored anew, in the same write, with every action that they play and every turn of their seat that
ends, and nothing is played twice. What goes back or changes the game (something taken back, a variation that is loaded, its end)
drops all orders, and a change at a seat those of that seat.
"""

import hashlib
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import NamedTuple

from brettwerk.internal.v1 import rules_pb2, session_state_pb2
from brettwerk.internal.v1.session_state_pb2 import StoredOrderSheet
from brettwerk.v1 import orders_pb2, record_pb2
from services.session.domain.perception import perceived
from services.session.domain.state import RUNNING, State

MAX_BYTES = 32 * 1024
"""Bytes of a seat's orders."""
MAX_ACTIONS, MAX_TURNS = 200, 100
"""The bounds of an order that states none."""
MAX_AT_ONCE = 64
"""Actions that orders play in one write; what is more goes on with the next one."""
_REPORTS, _REQUESTS = 64, 4
_OUTCOMES = {
    orders_pb2.ORDER_END_DONE: "done",
    orders_pb2.ORDER_END_IMPOSSIBLE: "impossible",
    orders_pb2.ORDER_END_BOUND: "bound",
    orders_pb2.ORDER_END_GAME: "game",
}


class Orders(NamedTuple):
    """The orders of all seats, and the mark of what is stored of them: the SHA-1 of its bytes, empty where nothing is.

    Messages in them are never changed.
    """

    sheets: tuple[StoredOrderSheet, ...] = ()
    goes_on: bool = False
    """Whether they were stopped in the middle."""
    mark: str = ""

    def of(self, seat: int) -> StoredOrderSheet:
        """Return those of a seat."""
        return next((sheet for sheet in self.sheets if sheet.seat == seat), StoredOrderSheet(seat=seat))

    def replaced(self, sheet: StoredOrderSheet) -> "Orders":
        """Return the orders with other ones of a seat."""
        others = [each for each in self.sheets if each.seat != sheet.seat]
        return self._replace(sheets=tuple(sorted([*others, sheet], key=lambda each: each.seat)))


NO_ORDERS = Orders()


def read(data: bytes) -> Orders:
    """Return the orders that are stored."""
    if not data:
        return NO_ORDERS
    stored = session_state_pb2.StoredOrders.FromString(data)
    return Orders(tuple(stored.seats), stored.goes_on, mark_of(data))


def write(orders: Orders) -> bytes:
    """Return what is stored of orders."""
    stored = session_state_pb2.StoredOrders(seats=orders.sheets, goes_on=orders.goes_on)
    return stored.SerializeToString(deterministic=True)


def mark_of(data: bytes) -> str:
    """Return the mark of what is stored."""
    return hashlib.sha1(data, usedforsecurity=False).hexdigest() if data else ""


def size(orders: Orders) -> int:
    """Return about how many bytes they take."""
    return sum(sheet.ByteSize() for sheet in orders.sheets)


def given_anew(sheet: StoredOrderSheet, player_id: str, given: Iterable[orders_pb2.Order], request: bytes) -> StoredOrderSheet:
    """Return the orders of a seat after a request that sets them.

    Those that it has already go on from where they are; what has ended meanwhile is not given again.
    """
    if sheet.player_id != player_id:
        sheet = StoredOrderSheet(seat=sheet.seat)
    new = StoredOrderSheet(seat=sheet.seat, player_id=player_id, given=sheet.given, reports=sheet.reports)
    new.requests.extend([*sheet.requests, request][-_REQUESTS:])
    known = {each.order.id: each for each in sheet.orders}
    for order in given:
        before = known.pop(order.id, None)
        if before is None and order.id:
            continue
        if before is not None and _as_given(before.order) == _as_given(order):
            new.orders.append(before)
            continue
        new.given += 1
        added = new.orders.add(order=_as_given(order))
        added.order.id = new.given
    return new


def _as_given(order: orders_pb2.Order) -> orders_pb2.Order:
    """Return an order without what the server writes."""
    bare = deepcopy(order)
    for name in ("id", "actions", "turns"):
        bare.ClearField(name)
    return bare


def ordered(state: State, orders: Orders) -> StoredOrderSheet | None:
    """Return the orders of the first seat that is to act and has any, if its player is the one who gave them."""
    if state.status != RUNNING:
        return None
    for sheet in orders.sheets:
        if sheet.orders and sheet.seat in state.to_act and state.seats[sheet.seat].player_id == sheet.player_id:
            return sheet
    return None


def left_of(sheet: StoredOrderSheet) -> list[orders_pb2.Order]:
    """Return what is left of the orders of a seat."""
    return [each.left if each.HasField("left") else each.order for each in sheet.orders]


def ended(sheet: StoredOrderSheet, over: Sequence[rules_pb2.EndedOrder], state: State) -> StoredOrderSheet:
    """Return the orders of a seat after some have ended without an action."""
    return _without(sheet, {each.place: each.end for each in over}, state) if over else sheet


def played(sheet: StoredOrderSheet, found: rules_pb2.FollowOrdersResponse, notation: str, state: State) -> StoredOrderSheet:
    """Return the orders of a seat after what was found of them: those that have ended, and an action in the state it has made."""
    one_id = sheet.orders[found.acting - 1].order.id
    after = deepcopy(ended(sheet, found.ended, state))
    place = next(number for number, each in enumerate(after.orders) if each.order.id == one_id)
    one = after.orders[place]
    one.order.actions += 1
    if found.HasField("left"):
        one.left.CopyFrom(found.left)
    end = orders_pb2.ORDER_END_UNSPECIFIED
    if not found.HasField("left"):
        end = orders_pb2.ORDER_END_DONE
    elif one.order.actions >= (one.order.max_actions or MAX_ACTIONS):
        end = orders_pb2.ORDER_END_BOUND
    _report(after, one.order.id, state, notation, end)
    if end:
        del after.orders[place]
    return after


def refused(sheet: StoredOrderSheet, found: rules_pb2.FollowOrdersResponse, state: State) -> StoredOrderSheet:
    """Return the orders of a seat after what was found of them, where the rules or the bounds have refused the action."""
    over = {each.place: each.end for each in found.ended}
    return _without(sheet, {**over, found.acting - 1: orders_pb2.ORDER_END_IMPOSSIBLE}, state)


def outcomes(before: Orders, after: Orders) -> list[str]:
    """Return what has come of orders since: `played` for each action, and done, impossible, bound or game for each end."""
    found = []
    for sheet in after.sheets:
        known = before.of(sheet.seat).reports
        new = list(sheet.reports)
        if known and known[-1] in new:
            del new[: new.index(known[-1]) + 1]
        for report in new:
            found += ["played"] if report.notation else []
            found += [_OUTCOMES[report.end]] if report.end in _OUTCOMES else []
    return found


def after(orders: Orders, entry: record_pb2.Entry, state: State) -> Orders:
    """Return the orders after an entry of the log, in the state that it has made."""
    if not any(sheet.orders for sheet in orders.sheets):
        return orders
    match entry.WhichOneof("change"):
        case "acted":
            if state.is_over:
                return _dropped(orders, state)
            seat = entry.acted.ply.actor - 1
            sheet = orders.of(seat)
            if sheet.orders and seat not in state.to_act:
                return orders.replaced(_turn_over(sheet, state))
        case "seat_changed":
            sheet = orders.of(entry.seat_changed.seat)
            if sheet.orders and state.seats[sheet.seat].player_id != sheet.player_id:
                return orders.replaced(StoredOrderSheet(seat=sheet.seat))
        case "undone" | "loaded" | "closed" | "settled" | "started" | "dealt":
            return _dropped(orders, state)
    return orders


def _turn_over(sheet: StoredOrderSheet, state: State) -> StoredOrderSheet:
    after = deepcopy(sheet)
    over = {}
    for place, one in enumerate(after.orders):
        one.order.turns += 1
        if one.order.turns >= (one.order.max_turns or MAX_TURNS):
            over[place] = orders_pb2.ORDER_END_BOUND
    return _without(after, over, state) if over else after


def _dropped(orders: Orders, state: State) -> Orders:
    ends = (_without(sheet, dict.fromkeys(range(len(sheet.orders)), orders_pb2.ORDER_END_GAME), state) for sheet in orders.sheets)
    return orders._replace(sheets=tuple(ends), goes_on=False)


def _without(sheet: StoredOrderSheet, over: dict[int, orders_pb2.OrderEnd.ValueType], state: State) -> StoredOrderSheet:
    """Return the orders of a seat without some, by their places, and with a report of how each of them ended."""
    after = deepcopy(sheet)
    del after.orders[:]
    for place, one in enumerate(sheet.orders):
        if place in over:
            _report(after, one.order.id, state, "", over[place])
        else:
            after.orders.append(one)
    return after


def _report(sheet: StoredOrderSheet, order_id: int, state: State, notation: str, end: orders_pb2.OrderEnd.ValueType) -> None:
    version = perceived(state, sheet.seat).version
    sheet.reports.add(order_id=order_id, version=version, notation=notation, end=end, at_ms=state.at_ms)
    del sheet.reports[:-_REPORTS]
