"""Computer players: asked right after the commit that made it their turn, asked again by the sweeper, and replaced at last.

What a player is sent is the view of its seat. Its answer is an ordinary write that names the version it was asked for, so
answers that come late or twice change nothing.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable

from brettwerk.v1 import ai_pb2, errors_pb2, rules_pb2, session_pb2
from services.runtime import metrics, trace
from services.runtime.ending import ended
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.session import clocks, seals
from services.session.ai_client import AiClient
from services.session.commands import acting
from services.session.draft import Draft
from services.session.due import Patience
from services.session.ids import checked
from services.session.rules_client import RulesClient
from services.session.shelf import Shelf
from services.session.state import State
from services.session.store import Store
from services.session.writer import Settle, Writer

log = logger(__name__)

OPEN_REQUESTS = 512
"""Requests to the AI service that are under way at once; more wait for the sweeper."""
RETRY_MS = 1_000
"""When a request that could not be made is due again."""
_LEGAL_PAGE = 1000


class Computers:
    """Asks computer players for moves and takes them."""

    def __init__(
        self,
        ai: AiClient,
        rules: RulesClient,
        store: Store,
        shelf: Shelf,
        now_ms: Callable[[], int],
        patience: Callable[[str], Awaitable[Patience]],
        ticket_key: bytes,
        attempts: int,
    ) -> None:
        """`attempts`: how often a move is asked for before the session moves itself.

        Each counts for the time that a move may take: while the AI service cannot be reached they follow each other faster, and
        it may be there again before that time is over.
        """
        self._ai = ai
        self._rules = rules
        self._store = store
        self._shelf = shelf
        self._now_ms = now_ms
        self._patience = patience
        self._ticket_key = ticket_key
        self._attempts = attempts
        self._open: set[asyncio.Task[None]] = set()
        self._overdue: dict[str, int] = {}

    async def close(self) -> None:
        """Give up what is under way; the sweepers will see to it."""
        await ended(*self._open)

    def committed(self, state: State, before: State | None, draft: Draft) -> None:
        """Ask the computer players whose turn a commit has begun."""
        since = 0 if before is None else before.version
        for seat, other in enumerate(state.seats):
            if other.wanted_version > since and draft.known_sight is not None and len(self._open) < OPEN_REQUESTS:
                task = asyncio.create_task(self._ask_first(state, seat, draft.known_sight))
                self._open.add(task)
                task.add_done_callback(self._open.discard)

    async def submit(
        self, request: session_pb2.SubmitActionRequest, writer: Writer, settle: Settle
    ) -> session_pb2.SubmitActionResponse:
        """Take a computer player's action. Raises Refused: NO_TOKEN without a good ticket, what the rules refuse."""
        session_id = checked(request.session_id)
        if request.ticket != seals.ticket(self._ticket_key, session_id, request.seat, request.version):
            raise Refused(errors_pb2.REASON_NO_TOKEN, "the ticket is not good for this seat and version")
        try:
            written = await writer.write(session_id, acting.submit(request), settle=settle)
        except Refused as refused:
            metrics.AI_ATTEMPTS.labels("refused").inc()
            log.warning("computer player refused", reason=errors_pb2.Reason.Name(refused.reason), rule=refused.refusal.rule)
            raise
        response = written.answer
        assert isinstance(response, session_pb2.SubmitActionResponse)
        metrics.AI_ATTEMPTS.labels("played" if response.played else "late").inc()
        if response.played:
            metrics.ACTIONS.labels(written.state.game, "computer", "played").inc()
        return response

    async def overdue(self, state: State, writer: Writer) -> None:
        """See to the computer players of a session that did not answer in time: ask again, or move for them."""
        state, sight = await self._shelf.seen(state.id)
        patience = await self._patience(state.game)
        for number, seat in enumerate(state.seats):
            if not seat.wanted_version or seat.occupant is None or sight is None:
                continue
            again_ms = self._now_ms() + patience.move_ms(seat.occupant.computer.level)
            count = await self._postpone(state, again_ms, f"{number}:{seat.wanted_version}")
            if count < 0:
                return
            self._overdue[state.id] = again_ms
            waited_ms = self._now_ms() - seat.wanted_at_ms
            if count >= self._attempts and waited_ms >= self._attempts * patience.move_ms(seat.occupant.computer.level):
                await self._move(state, number, sight, writer)
                return
            metrics.AI_ATTEMPTS.labels("repeated").inc()
            await self._ask(state, number, sight, count + 1)

    def count_overdue(self) -> int:
        """Return how many sessions this process has lately found with an overdue computer player."""
        now = self._now_ms()
        self._overdue = {session_id: until for session_id, until in self._overdue.items() if until > now}
        return len(self._overdue)

    async def _postpone(self, state: State, until_ms: int, attempt: str = "") -> int:
        """Let a session be due again at `until_ms`, or when a clock runs out before."""
        deadline = clocks.deadline_ms(state)
        return await self._store.postpone(
            state.id, state.version, until_ms if deadline is None else min(until_ms, deadline), attempt
        )

    async def _ask_first(self, state: State, seat: int, sight: rules_pb2.Step) -> None:
        metrics.AI_ATTEMPTS.labels("asked").inc()
        try:
            await self._ask(state, seat, sight, 1)
        except Refused:
            log.debug("computer player will be asked again", session=state.id)

    async def _ask(self, state: State, number: int, sight: rules_pb2.Step, attempt: int) -> None:
        seat = state.seats[number]
        assert seat.occupant is not None
        if not trace.traceparent():
            trace.begin()
        patience = await self._patience(state.game)
        request = ai_pb2.RequestMoveRequest(
            game=state.game,
            session_id=state.id,
            seat=number,
            version=seat.wanted_version,
            view=sight.perspectives[number].view,
            computer=seat.occupant.computer,
            deadline_ms=self._now_ms() + patience.move_ms(seat.occupant.computer.level),
            ticket=seals.ticket(self._ticket_key, state.id, number, seat.wanted_version),
            search_seed=_search_seed(state.id, number, seat.wanted_version),
            attempt=attempt,
        )
        try:
            await self._ai.request_move(request)
        except Refused as refused:
            metrics.AI_ATTEMPTS.labels("unreachable").inc()
            log.warning("computer player not asked", reason=errors_pb2.Reason.Name(refused.reason), attempt=attempt)
            wait_ms = RETRY_MS if refused.reason == errors_pb2.REASON_UNAVAILABLE else patience.grace_ms
            await self._postpone(state, self._now_ms() + wait_ms)

    async def _move(self, state: State, number: int, sight: rules_pb2.Step, writer: Writer) -> None:
        """Move for a computer player: one of its actions, drawn by session and version."""
        view = sight.perspectives[number].view
        legal = await self._rules.legal(state.game, view, _LEGAL_PAGE)
        version = state.seats[number].wanted_version
        if legal.actions:
            action = legal.actions[_search_seed(state.id, number, version) % len(legal.actions)].action
        else:
            action = await self._rules.expiry(state.game, view)
        written = await writer.write(state.id, acting.fallback(number, version, action))
        self._overdue.pop(state.id, None)
        if written.is_new:
            log.warning("moved for a computer player", game=state.game)
            metrics.AI_FALLBACK.labels(state.game).inc()
            metrics.ACTIONS.labels(state.game, "computer", "fallback").inc()


def _search_seed(session_id: str, seat: int, version: int) -> int:
    """Return a seed that has nothing to do with the game's chance, and is the same when asked again."""
    return int.from_bytes(hashlib.sha256(f"{session_id} {seat} {version}".encode()).digest()[:8], "big")
