"""Calls about conditional moves. They write nothing of a game, and nobody but the seat's player notices anything of them."""

import asyncio
import weakref

from google.protobuf.message import Message

from brettwerk.v1 import conditional_moves_pb2 as pb
from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime.refusal import Refused
from services.session.app.calls.rows import Rows, of_request
from services.session.domain import conditional
from services.session.domain.bounds import MAX_WRITE_ATTEMPTS
from services.session.domain.commands import access
from services.session.domain.commands.decision import Decision
from services.session.domain.conditional import Line, Lines
from services.session.domain.ids import checked
from services.session.domain.perception import NOBODY, perceived
from services.session.domain.state import State
from services.session.live.conditional_moves import check_possible, is_possible
from services.session.live.memory import CachedSession
from services.session.live.rules_client import Games, RulesClient
from services.session.live.session_cache import SessionCache
from services.session.live.writer import Writer
from services.session.store.store import Store


class ConditionalCalls:
    """Answers them. Raises Refused."""

    def __init__(self, store: Store, session_cache: SessionCache, rules: RulesClient, games: Games, writer: Writer) -> None:
        self._store = store
        self._session_cache = session_cache
        self._rules = rules
        self._games = games
        self._writer = writer
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    @property
    def rows(self) -> Rows:
        """What it answers."""
        return {
            "set_conditional_moves": of_request(self.set),
            "get_conditional_moves": of_request(self.get),
        }

    async def set(self, request: pb.SetConditionalMovesRequest) -> play_pb2.Answer:
        """Keep the conditional moves of a seat, once the rules have played all of them."""
        session_id = checked(request.session_id)
        async with self._locks.setdefault(session_id, asyncio.Lock()):
            loaded = await self._session_cache.newest(session_id)
            state = loaded.state
            seat = access.holder(state, request.seat_token)
            if request.lines:
                access.running(state)
                access.fresh(state, seat, request.expected_version)
                await check_possible(state, self._games, self._rules)
            lines = conditional.checked(state, seat, request.lines)
            lines = tuple([await self._written(state, number, line) for number, line in enumerate(lines)])
            conditional.check_answers(seat, lines)
            newest = await self._keep(session_id, state, seat, lines, request.expected_version)
            await self._catch_up(session_id, newest.head.version)
        known = perceived(newest.state, seat)
        response = pb.SetConditionalMovesResponse(version=known.version, lines=conditional.messages(lines))
        return play_pb2.Answer(set_conditional_moves=response)

    async def _keep(
        self, session_id: str, state: State, seat: int, lines: tuple[Line, ...], expected_version: int
    ) -> CachedSession:
        """Keep the conditional moves of a seat in place of those that it has; return the session that they belong to."""
        for _ in range(MAX_WRITE_ATTEMPTS):
            newest = await self._session_cache.newest(session_id)
            if lines:
                access.fresh(newest.state, seat, expected_version)  # others may have acted meanwhile
            kept = tuple(each for each in newest.memory.conditional if each.seat != seat)
            if lines:
                kept += (Lines(seat, state.seats[seat].player_id, lines),)
            if await self._session_cache.keep_conditional(newest, kept):
                return newest
        raise Refused(errors_pb2.REASON_UNAVAILABLE, "too many requests are writing to this session at once", retry_after_ms=200)

    async def get(self, request: pb.GetConditionalMovesRequest) -> play_pb2.Answer:
        """Return what is left of the conditional moves of a seat."""
        loaded = await self._session_cache.newest(checked(request.session_id))
        seat = access.holder(loaded.state, request.seat_token)
        lines = () if loaded.state.is_over else conditional.of_seat(loaded.memory.conditional, seat)
        version = perceived(loaded.state, seat).version
        possible = not loaded.state.is_over and await is_possible(loaded.state, self._games, self._rules)
        response = pb.GetConditionalMovesResponse(version=version, lines=conditional.messages(lines), possible=possible)
        return play_pb2.Answer(get_conditional_moves=response)

    async def _written(self, state: State, number: int, line: Line) -> Line:
        """Return a line with its notation. Raises Refused (CONDITIONAL_MOVES) where the rules do not follow it."""
        assert state.position is not None
        steps = await self._rules.play_on(
            state.game,
            state.position,
            conditional.plies(line),
            state.created.rules_version,
            audiences=NOBODY,
            shown=0,
            positions=1,
        )
        if len(steps) < len(line):
            message = f"the rules do not follow action {len(steps) + 1} of line {number + 1}"
            raise conditional.refused("illegal", message, line=number, move=len(steps))
        return conditional.written(line, steps)

    async def _catch_up(self, session_id: str, version: int) -> None:
        """Play the answer to an action that came while the conditional moves were being kept.

        What was under way then does not know of them; whatever is written later does.
        """
        await self._store.drain_writes()
        known = self._session_cache.known(session_id)
        if known is not None and known.head.version == version:
            return
        self._session_cache.forget(session_id)  # what is left of them follows from the log
        loaded = await self._session_cache.newest(session_id)

        def decide(state: State, _now_ms: int) -> Decision:
            entry = conditional.answer(state, loaded.memory.conditional) if state.version == loaded.head.version else None
            return Decision(lambda _done: _NOTHING, () if entry is None else (entry,))

        await self._writer.write(session_id, decide, enforces_clocks=False)


_NOTHING: Message = pb.GetConditionalMovesResponse()
