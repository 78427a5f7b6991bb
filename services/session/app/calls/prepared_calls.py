"""Calls about what a seat has prepared for later: conditional moves, and orders. Nobody but its player is told of either.

Looking ahead shows the position after actions that nobody has played, where conditional moves are possible.
"""

from collections.abc import Sequence

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2, session_pb2
from brettwerk.internal.v1.session_state_pb2 import StoredConditionalLines, StoredOrderSheet
from brettwerk.v1 import conditional_moves_pb2 as pb
from brettwerk.v1 import errors_pb2, orders_pb2, sessions_pb2
from services.runtime.refusal import Refused, malformed
from services.runtime.tasks import KeyLocks
from services.session.domain import clocks, conditional, orders
from services.session.domain.bounds import MAX_WRITE_ATTEMPTS
from services.session.domain.commands import access
from services.session.domain.commands.decision import Decision
from services.session.domain.ids import Request, checked
from services.session.domain.perception import NOBODY, audience, audiences_of, perceived
from services.session.domain.state import State
from services.session.domain.updates import pieces_for, pieces_of, view_of
from services.session.live.memory import CachedSession
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.writer import Writer, busy
from services.session.store.store import Store


class PreparedCalls:
    """Answers them. Raises Refused."""

    def __init__(self, store: Store, session_cache: SessionCache, rules: RulesClient, games: Games, writer: Writer) -> None:
        self._store = store
        self._session_cache = session_cache
        self._rules = rules
        self._games = games
        self._writer = writer
        self._locks = KeyLocks()

    async def set_conditional_moves(self, request: pb.SetConditionalMovesRequest) -> Message:
        """Keep the conditional moves of a seat, once the rules have played all of them, and return them as they write them."""
        session_id = checked(request.session_id)
        async with self._locks.of(session_id):
            loaded = await self._session_cache.newest(session_id)
            state = loaded.state
            seat = access.holder(state, request.seat_token)
            if request.lines:
                access.running(state)
                access.fresh(state, seat, request.expected_version)
                await self._require_possible(state)
            conditional.check(state, seat, request.lines)
            lines = [await self._written(state, number, line.moves) for number, line in enumerate(request.lines)]
            conditional.check_answers(seat, lines)
            newest = await self._keep(session_id, state, seat, lines, request.expected_version)
            await self._catch_up(session_id, newest.head.version)
        version = perceived(newest.state, seat).version
        return pb.SetConditionalMovesResponse(version=version, lines=lines)

    async def _keep(
        self, session_id: str, state: State, seat: int, lines: Sequence[pb.ConditionalLine], expected_version: int
    ) -> CachedSession:
        """Keep the conditional moves of a seat in place of those that it has; return the session that they belong to."""
        for _ in range(MAX_WRITE_ATTEMPTS):
            newest = await self._session_cache.newest(session_id)
            if lines:
                access.fresh(newest.state, seat, expected_version)  # others may have acted meanwhile
            kept = tuple(each for each in newest.memory.conditional if each.seat != seat)
            if lines:
                kept += (StoredConditionalLines(seat=seat, player_id=state.seats[seat].player_id, lines=lines),)
            if await self._session_cache.keep_conditional(newest, kept):
                return newest
        raise busy()

    async def get_conditional_moves(self, request: pb.GetConditionalMovesRequest) -> Message:
        """Return what is left of the conditional moves of a seat."""
        loaded = await self._session_cache.newest(checked(request.session_id))
        seat = access.holder(loaded.state, request.seat_token)
        kept = () if loaded.state.is_over else loaded.memory.conditional
        lines = next((each.lines for each in kept if each.seat == seat), ())
        version = perceived(loaded.state, seat).version
        possible = not loaded.state.is_over and await self._obstacle(loaded.state) is None
        return pb.GetConditionalMovesResponse(version=version, lines=lines, possible=possible)

    async def _written(self, state: State, number: int, moves: Sequence[pb.ConditionalMove]) -> pb.ConditionalLine:
        """Return a line with its notation. Raises Refused (CONDITIONAL_MOVES) where the rules do not follow it."""
        steps = await self._play_on(state, moves)
        if len(steps) < len(moves):
            message = f"the rules do not follow action {len(steps) + 1} of line {number + 1}"
            raise conditional.refused("illegal", message, line=number, move=len(steps))
        return conditional.written(moves, steps)

    async def _catch_up(self, session_id: str, version: int) -> None:
        """Play the answer to an action whose write was under way when the conditional moves were kept, and did not know them."""
        await self._store.drain_writes()
        known = self._session_cache.known(session_id)
        if known is not None and known.head.version == version:
            return
        self._session_cache.forget(session_id)  # what is left of them follows from the log
        loaded = await self._session_cache.newest(session_id)

        def decide(state: State, _now_ms: int) -> Decision:
            entry = conditional.answer(state, loaded.memory.conditional) if state.version == loaded.head.version else None
            return Decision(entries=() if entry is None else (entry,))

        await self._writer.write(session_id, decide, enforces_clocks=False)

    async def look_ahead(self, request: pb.LookAheadRequest) -> Message:
        """Return the position after some actions, and what can be done in it. Raises Refused (MALFORMED) for too many."""
        state = (await self._session_cache.newest(checked(request.session_id))).state
        seat = access.timely_viewer(state, request.seat_token)
        access.running(state)
        access.fresh(state, audience(seat), request.expected_version)
        conditional.require_seats(state, request.moves, "moves")
        if sum(move.ByteSize() for move in request.moves) > conditional.MAX_BYTES:
            raise malformed("moves", f"the actions have at most {conditional.MAX_BYTES} bytes")
        await self._require_possible(state)
        steps = await self._played(state, request.moves)
        last = steps[-1]
        shown_to = last.to_act[0] if last.to_act else seat
        view = view_of(last, shown_to)
        response = pb.LookAheadResponse(
            version=perceived(state, audience(seat)).version,
            moves=conditional.written(request.moves, steps[-len(request.moves) :] if request.moves else ()).moves,
            view=view,
            to_act=last.to_act,
        )
        if shown_to != seat:
            response.own_view.CopyFrom(view_of(last, seat))
        if request.moves:
            shown = b"".join(pieces_for(pieces_of(last.happening), 1 << audience(seat)))
            response.events.extend(sessions_pb2.Happening.FromString(shown).events)
        if last.HasField("outcome"):
            response.outcome.CopyFrom(last.outcome)
        await self._list(response, state.game, view, last, request)
        return response

    async def _played(self, state: State, moves: Sequence[pb.ConditionalMove]) -> Sequence[rules_pb2.Step]:
        """Return the steps of actions; of none, the position as it is."""
        assert state.position is not None
        audiences = audiences_of(state)
        if not moves:
            return [await self._rules.look(state.game, state.position, audiences)]
        steps = await self._play_on(state, moves, audiences=audiences, shown=1)
        if len(steps) == len(moves):
            return steps
        count = len(steps)
        before = steps[-1].position if steps else state.position
        try:
            await self._rules.play(state.game, before, conditional.plies(moves)[count], state.created.rules_version)
        except Refused as why:
            raise conditional.refused("illegal", why.refusal.message, why.refusal, move=count) from None
        raise conditional.refused("illegal", f"the rules do not follow action {count + 1}", move=count)

    async def _play_on(self, state: State, moves: Sequence[pb.ConditionalMove], **shown: int) -> Sequence[rules_pb2.Step]:
        """Return the steps of actions, as far as the rules follow them; only the last one comes with its position."""
        version, plies = state.created.rules_version, conditional.plies(moves)
        question = rules_pb2.PlayOnRequest(
            game=state.game, position=state.position, plies=plies, rules_version=version, positions=1, **shown
        )
        return await self._rules.play_on(question)

    async def _list(
        self, response: pb.LookAheadResponse, game: str, view: AnyMessage, last: rules_pb2.Step, request: pb.LookAheadRequest
    ) -> None:
        """Say what the first seat that is to act may do: as an update does, or page by page."""
        if not last.to_act:
            return
        if not request.page_size and not request.page_token:
            pieces = b"".join(pieces_for(pieces_of(last.actions), 1 << last.to_act[0]))
            shown = sessions_pb2.Update.FromString(pieces)
            response.actions.extend(shown.actions)
            response.more_actions = shown.more_actions
            return
        found = await self._rules.legal(game, view, request.page_size, request.page_token)
        response.actions.extend(found.actions)
        response.next_page_token = found.next_page_token
        response.more_actions = bool(found.next_page_token)

    async def set_orders(self, request: orders_pb2.SetOrdersRequest, _caller: session_pb2.Caller, once: Request) -> Message:
        """Keep the orders of a seat, once the rules have checked them, and play at once what they say of its turn. Return all."""
        session_id = checked(request.session_id)
        async with self._locks.of(session_id):
            loaded = await self._session_cache.newest(session_id)
            seat = access.holder(loaded.state, request.seat_token)
            if once.field not in loaded.memory.orders.of(seat).requests:
                given = await self._checked_orders(loaded.state, seat, request.orders) if request.orders else ()
                await self._keep_orders(session_id, request.seat_token, given, once)
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

    async def _checked_orders(self, state: State, seat: int, given: Sequence[orders_pb2.Order]) -> Sequence[orders_pb2.Order]:
        """Return orders as the rules write them. Raises Refused: MALFORMED, ORDERS, GAME_OVER, NOT_RUNNING."""
        access.running(state)
        if not clocks.leaves_days(state):
            message = "orders are for games without clocks, or with clocks of days"
            raise access.because(errors_pb2.REASON_ORDERS, message, "clock")
        if sum(order.ByteSize() for order in given) > orders.MAX_BYTES:
            raise malformed("orders", f"orders have at most {orders.MAX_BYTES} bytes")
        view = await self._session_cache.view(state, seat)
        question = rules_pb2.CheckOrdersRequest(game=state.game, view=view, orders=given)
        return (await self._rules.ask.CheckOrders(question)).orders

    async def _keep_orders(self, session_id: str, seat_token: str, given: Sequence[orders_pb2.Order], once: Request) -> None:
        """Keep orders in place of those that the seat has."""
        for _ in range(MAX_WRITE_ATTEMPTS):
            newest = await self._session_cache.newest(session_id)
            state, known = newest.state, newest.memory.orders
            seat = access.holder(state, seat_token)
            sheet = orders.given_anew(known.of(seat), state.seats[seat].player_id, given, once.field)
            if await self._session_cache.keep_orders(newest, known.replaced(sheet)):
                return
        raise busy()

    async def _obstacle(self, state: State) -> Refused | None:
        """Return why a session cannot have conditional moves, as its clock and its options are; None where it can.

        Raises Refused: what the rules refuse. Until it has returned, nothing may be said of what others could play.
        """
        facts = await self._games.facts(state.game)
        if not facts.conditional_moves:
            return conditional.refused("game", "in this game nobody can say beforehand what they answer")
        if not clocks.leaves_days(state):
            return conditional.refused("clock", "conditional moves are for games without clocks, or with clocks of days")
        if not facts.hidden:
            return None
        if state.position is None or not (await self._rules.look(state.game, state.position, NOBODY)).conditional_moves:
            return conditional.refused("options", "with these options something is hidden, so that nobody can foresee the game")
        return None

    async def _require_possible(self, state: State) -> None:
        if (obstacle := await self._obstacle(state)) is not None:
            raise obstacle


def _known(loaded: CachedSession, seat_token: str) -> tuple[State, StoredOrderSheet]:
    """Return the state of a session and the orders of the seat that a token is for; none that another player has given."""
    state = loaded.state
    seat = access.holder(state, seat_token)
    sheet = loaded.memory.orders.of(seat)
    return state, sheet if sheet.player_id == state.seats[seat].player_id else StoredOrderSheet(seat=seat)


def _in_force(sheet: StoredOrderSheet) -> list[orders_pb2.Order]:
    return [each.order for each in sheet.orders]
