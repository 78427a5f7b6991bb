"""Calls about orders: setting those of a seat, and reading them with what has come of them. Nobody else is told of either."""

from collections.abc import Sequence

from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2, session_pb2
from brettwerk.internal.v1.session_state_pb2 import StoredOrderSheet
from brettwerk.v1 import errors_pb2, orders_pb2
from services.runtime.key_locks import KeyLocks
from services.runtime.refusal import Refused
from services.session.domain import clocks, orders
from services.session.domain.bounds import MAX_WRITE_ATTEMPTS
from services.session.domain.commands import access
from services.session.domain.ids import checked
from services.session.domain.perception import perceived
from services.session.domain.state import State
from services.session.live.memory import CachedSession
from services.session.live.rules_client import RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.write_builder import Request
from services.session.live.writer import Writer
from services.session.store.store import Store


class OrderCalls:
    """Answers them. Raises Refused."""

    def __init__(self, store: Store, session_cache: SessionCache, rules: RulesClient, writer: Writer) -> None:
        self._store = store
        self._session_cache = session_cache
        self._rules = rules
        self._writer = writer
        self._locks = KeyLocks()

    async def set_orders(self, request: orders_pb2.SetOrdersRequest, _caller: session_pb2.Caller, once: Request) -> Message:
        """Keep the orders of a seat, once the rules have checked them, and play at once what they say of its turn. Return all."""
        session_id = checked(request.session_id)
        async with self._locks.of(session_id):
            loaded = await self._session_cache.newest(session_id)
            seat = access.holder(loaded.state, request.seat_token)
            if once.field not in loaded.memory.orders.of(seat).requests:
                given = await self._checked(loaded.state, seat, request.orders) if request.orders else ()
                await self._keep(session_id, request.seat_token, given, once)
            # A write that was under way when they were kept did not know them.
            await self._store.drain_writes()
            await self._writer.follow_orders(session_id)
        state, sheet = _known(await self._session_cache.newest(session_id), request.seat_token)
        version = perceived(state, sheet.seat).version
        return orders_pb2.SetOrdersResponse(version=version, orders=_in_force(sheet), reports=sheet.reports)

    async def get_orders(self, request: orders_pb2.GetOrdersRequest) -> Message:
        """Return the orders of a seat that are in force, and what has come of orders."""
        state, sheet = _known(await self._session_cache.newest(checked(request.session_id)), request.seat_token)
        return orders_pb2.GetOrdersResponse(
            version=perceived(state, sheet.seat).version,
            orders=_in_force(sheet),
            reports=sheet.reports,
            possible=not state.is_over and clocks.leaves_days(state),
        )

    async def _checked(self, state: State, seat: int, given: Sequence[orders_pb2.Order]) -> Sequence[orders_pb2.Order]:
        """Return orders as the rules write them. Raises Refused: MALFORMED, ORDERS, GAME_OVER, NOT_RUNNING."""
        access.running(state)
        if not clocks.leaves_days(state):
            message = "orders are for games without clocks, or with clocks of days"
            raise access.because(errors_pb2.REASON_ORDERS, message, "clock")
        orders.require_small(given)
        view = await self._session_cache.view(state, seat)
        question = rules_pb2.CheckOrdersRequest(game=state.game, view=view, orders=given)
        return (await self._rules.ask.CheckOrders(question)).orders

    async def _keep(self, session_id: str, seat_token: str, given: Sequence[orders_pb2.Order], once: Request) -> None:
        """Keep orders in place of those that the seat has."""
        for _ in range(MAX_WRITE_ATTEMPTS):
            newest = await self._session_cache.newest(session_id)
            state, known = newest.state, newest.memory.orders
            seat = access.holder(state, seat_token)
            sheet = orders.given_anew(known.of(seat), state.seats[seat].player_id, given, once.field)
            if await self._session_cache.keep_orders(newest, known.replaced(sheet)):
                return
        raise Refused(errors_pb2.REASON_UNAVAILABLE, "too many requests are writing to this session at once", retry_after_ms=200)


def _known(loaded: CachedSession, seat_token: str) -> tuple[State, StoredOrderSheet]:
    """Return the state of a session and the orders of the seat that a token is for; none that another player has given."""
    state = loaded.state
    seat = access.holder(state, seat_token)
    sheet = loaded.memory.orders.of(seat)
    return state, sheet if sheet.player_id == state.seats[seat].player_id else StoredOrderSheet(seat=seat)


def _in_force(sheet: StoredOrderSheet) -> list[orders_pb2.Order]:
    return [each.order for each in sheet.orders]
